"""What `xdsl-opt` finds: the dialect, imported when a program uses it."""

from xdsl.ir import Dialect
from xdsl.universe import Universe


def _dsp() -> Dialect:
    from .ops import Dsp

    return Dsp


UNIVERSE = Universe(all_dialects={"dsp": _dsp})
