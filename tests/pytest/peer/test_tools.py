"""Finding tools; calls of them: what they answer, and what ends badly."""

import pytest

from tests.peer.tools import PeerError, PeerTimeout, call_tool, find_mlir_tools


def test_no_other_tools_are_taken_than_those_that_are_named(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setenv("XDSL_MLIR_OPT", "none")
    assert find_mlir_tools.__wrapped__() is None


def test_the_answer_is_what_is_printed():
    assert call_tool(["cat"], input=b"text").stdout == b"text"


def test_a_failure_says_what_the_tool_said():
    with pytest.raises(PeerError, match="status 3") as raised:
        call_tool(["sh", "-c", "echo why >&2; exit 3"], input=b"")
    assert raised.value.stderr == "why\n"


def test_a_status_may_be_expected():
    run = call_tool(["sh", "-c", "echo some; exit 1"], statuses=(0, 1))
    assert run.stdout == b"some\n"


def test_what_does_not_end_is_stopped():
    with pytest.raises(PeerTimeout, match=r"still ran after 0\.1 s"):
        call_tool(["sleep", "60"], timeout=0.1)
