"""The Engine port on DBOS: turns as durable workflows of one queue; knows neither books nor what a turn does.

A turn is one workflow with one step, under an id that names it: asked for twice, it is made once. The engine starts it
at least once; that a chapter is written exactly once is the business of the run that it resumes. Notes on the engine:
without an application version of our own every edit of this program would strand what is queued; its default serializer
is pickle; the turns of a worker that died stay PENDING until somebody resumes them.
"""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from dbos import DBOS, DBOSConfig, DBOSPortableJSONSerializer, SetEnqueueOptions, SetWorkflowID

from inkos.adapters.batch.database import Database
from inkos.adapters.batch.workers import Workers
from inkos.batch_ports import Work
from inkos.errors import InkosError

APPLICATION = "inkos"
VERSION = "turns-1"  # of what a queued turn means; raised only when an old one could not be understood any more
QUEUE = "inkos-turns"
POLLING_SECONDS = 0.1
DRAIN_SECONDS = 600  # for turns in work when a worker is asked to stop; each ends at its next call

_work: Work | None = None  # of the one worker that this process is; DBOS itself is one for a process
_ended = threading.Event()


@DBOS.step(name="turn-step")
def _step(batch: str, book: str, turn: int) -> None:
    assert _work is not None
    try:
        _work(batch, book, turn)
    finally:
        _ended.set()


@DBOS.workflow(name="turn")
def _turn(batch: str, book: str, turn: int) -> None:
    _step(batch, book, turn)


class DbosEngine:
    """See inkos/batch_ports.py Engine."""

    def __init__(self, database: Database, workers: Workers) -> None:
        self._database, self.workers = database, workers

    @property
    def worker(self) -> str:
        return self.workers.name

    @contextlib.contextmanager
    def working(self, work: Work, at_once: int, each_beat: Callable[[], None]) -> Iterator[None]:
        global _work
        if _work is not None:
            raise InkosError("batch-worker-here", where=self._database.where)
        with self.workers.as_worker(each_beat) as name:
            _work = work
            try:
                aside(lambda: self._launch(name, at_once))
                yield
            finally:
                aside(lambda: DBOS.destroy(workflow_completion_timeout_sec=DRAIN_SECONDS))
                _work = None

    def _launch(self, name: str, at_once: int) -> None:
        logging.getLogger("dbos").setLevel(logging.ERROR)
        config: DBOSConfig = {
            "name": APPLICATION, "system_database_engine": self._database.engine, "executor_id": name,
            "application_version": VERSION, "serializer": DBOSPortableJSONSerializer(), "enable_otlp": False,
            "log_level": "ERROR", "use_listen_notify": False, "max_executor_threads": at_once + 16,
        }  # fmt: skip
        DBOS(config=config)
        DBOS.launch()
        DBOS.register_queue(QUEUE, worker_concurrency=at_once, polling_interval_sec=POLLING_SECONDS,
                            on_conflict="always_update")  # fmt: skip

    def submit(self, batch: str, book: str, turn: int, priority: int) -> None:
        with SetWorkflowID(turn_id(batch, book, turn)), SetEnqueueOptions(priority=priority):
            DBOS.enqueue_workflow(QUEUE, _turn, batch, book, turn)

    def lost(self, turns: Sequence[tuple[str, str, int]]) -> Sequence[tuple[str, str, int]]:
        if not turns:
            return []
        ids = [turn_id(*turn) for turn in turns]
        found = DBOS.list_workflows(workflow_ids=ids, status=["PENDING", "ENQUEUED", "DELAYED"], load_input=False)
        alive = {each.workflow_id for each in found}
        return [turn for turn in turns if turn_id(*turn) not in alive]

    def wait(self, seconds: float) -> None:
        """Until a turn of this worker ends, or the time is over."""
        _ended.wait(seconds)
        _ended.clear()

    def reap(self) -> Sequence[str]:
        """Put what dead workers had in work back into the queue."""
        dead = self.workers.reap()
        gone = {row.name for row in self.workers.rows() if row.gone}
        if gone - {self.worker}:
            stuck = DBOS.list_workflows(executor_id=sorted(gone - {self.worker}), status="PENDING", load_input=False)
            if stuck:
                DBOS.resume_workflows([each.workflow_id for each in stuck], queue_name=QUEUE)
        return dead


def aside(work: Callable[[], None]) -> None:
    """In a thread of its own: the engine refuses to be spoken to where an event loop runs."""
    with ThreadPoolExecutor(max_workers=1) as pool:
        pool.submit(work).result()


def turn_id(batch: str, book: str, turn: int) -> str:
    return f"{batch}/{book}/{turn}"
