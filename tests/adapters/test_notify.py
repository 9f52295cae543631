"""A webhook over real HTTP and a real program: signed, told again under the same id, and no way out for secrets."""

from __future__ import annotations

import hashlib
import hmac
import json
import sys
from pathlib import Path

from inkos.adapters import notify
from tests.adapters.model_server import Answer, refusal, serving

BODY = {"id": "n/书/done/3", "what": "done", "values": {"title": "《长街》; rm -rf /"}}


def test_the_receiver_can_prove_who_sent_it() -> None:
    with serving(Answer([b"{}"])) as server:
        assert notify.post(server.base_url, "secret", str(BODY["id"]), BODY) == ""
        [seen] = server.seen
    assert seen.body == BODY
    content = json.dumps(BODY, ensure_ascii=False, sort_keys=True).encode()
    told = f"{seen.headers['x-inkos-timestamp']}.".encode() + content
    assert seen.headers["x-inkos-signature"] == "sha256=" + hmac.new(b"secret", told, hashlib.sha256).hexdigest()
    assert bytes.fromhex(seen.headers["x-inkos-id"]).decode() == BODY["id"]
    assert "secret" not in json.dumps(seen.headers)


def test_what_fails_is_named_and_a_redirect_is_not_followed() -> None:
    with serving(refusal(500, {})) as server:
        assert notify.post(server.base_url, "", "1", BODY) == "HTTP 500"
    with serving(Answer([b""], status=307, headers={"Location": "http://127.0.0.1:1/elsewhere"})) as server:
        assert notify.post(server.base_url, "secret", "1", BODY) == "HTTP 307"
    assert notify.post("http://127.0.0.1:1/", "", "1", BODY) == "URLError"
    assert notify.post("http://[", "", "1", BODY) == "ValueError"
    assert notify.post("file:///etc/passwd", "", "1", BODY).startswith("http")


def test_a_program_gets_it_on_standard_input_and_no_shell_reads_it(tmp_path: Path) -> None:
    out = tmp_path / "told"
    script = "import sys; open(sys.argv[1], 'wb').write(sys.stdin.buffer.read())"
    assert notify.run([sys.executable, "-c", script, str(out)], BODY) == ""
    assert json.loads(out.read_bytes()) == BODY
    assert notify.run([sys.executable, "-c", "raise SystemExit(3)"], BODY).endswith(": 3")
    assert notify.run([str(tmp_path / "absent")], BODY).endswith("FileNotFoundError")
