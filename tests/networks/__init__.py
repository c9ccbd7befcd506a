"""
Whole networks, to bufferize: `NETWORKS`, which are built at any scale, and those of files,
scaled down so that they run in seconds (`scale`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from xdsl.dialects.builtin import ModuleOp

from tests.networks.decode import Cache, decode
from tests.networks.dense import dense
from tests.networks.fire import fire
from tests.networks.inception import inception
from tests.networks.plain import plain
from tests.networks.residual import residual
from tests.networks.shuffle import shuffle
from tests.networks.u_shaped import u_shaped

NETWORKS: Mapping[str, Callable[[], ModuleOp]] = {
    "decode": decode,
    "decode_in_memory": partial(decode, cache=Cache.IN_MEMORY),
    "decode_previous": partial(decode, cache=Cache.PREVIOUS),
    "dense": dense,
    "dense_anew": partial(dense, appended=False),
    "fire": fire,
    "inception": inception,
    "plain": plain,
    "residual": residual,
    "shuffle": shuffle,
    "u_shaped": u_shaped,
}
"""
What builds each network, so small that it runs in a fraction of a second. All weights of a
layer are the same number until `weights.vary_weights` replaces them.
"""
