"""The time of mlir-opt on the same programs."""

from __future__ import annotations

import resource

from tests.peer import find_mlir_tools
from tests.peer.tools import PeerTimeout


def peer_seconds(text: str, *passes: str, limit: float) -> str:
    """
    Seconds of processor time of a whole call of mlir-opt, which is given up after `limit`
    seconds; "-" where it is not installed.
    """
    tools = find_mlir_tools()
    if tools is None:
        return "-"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        tools.opt(text, *passes, timeout=limit)
    except PeerTimeout:
        return f"> {limit:g}"
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    user, system = after.ru_utime - before.ru_utime, after.ru_stime - before.ru_stime
    return f"{user + system:.3f}"
