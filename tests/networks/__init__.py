"""
Whole networks, to bufferize: `NETWORKS`, which are built at any scale, and those of files,
scaled down so that they run in seconds (`scale`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from xdsl.dialects.builtin import ModuleOp

from tests.networks.decode import Cache, Heads, decode
from tests.networks.dense import dense
from tests.networks.fire import fire
from tests.networks.inception import inception
from tests.networks.plain import plain
from tests.networks.residual import residual
from tests.networks.shuffle import shuffle
from tests.networks.u_shaped import u_shaped

Build = Callable[[], ModuleOp]

NETWORKS: Mapping[str, Build] = {
    "decode": decode,
    "decode_in_memory": partial(decode, layers=1, cache=Cache.IN_MEMORY),
    "decode_previous": partial(decode, layers=1, cache=Cache.PREVIOUS),
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

_DECODE = partial(
    decode, layers=4, positions=1024, heads=Heads(12, 2, 128), vocabulary=1000
)
_DENSE = partial(dense, image=56, growth=32, layers=(6, 12, 24, 16), classes=1000)

LARGE: Mapping[str, Build] = {
    "decode": _DECODE,
    "decode_in_memory": partial(_DECODE, cache=Cache.IN_MEMORY),
    "decode_previous": partial(_DECODE, cache=Cache.PREVIOUS),
    "dense": _DENSE,
    "dense_anew": partial(_DENSE, appended=False),
    "fire": partial(fire, image=224, squeezed=(16, 32, 48, 64), classes=1000),
    "inception": partial(inception, image=112, channels=(32, 64, 128), classes=1000),
    "plain": partial(
        plain, image=224, channels=(64, 128, 256, 512, 512), hidden=512, classes=1000
    ),
    "residual": partial(
        residual, image=224, channels=64, blocks=(3, 4, 6, 3), classes=1000
    ),
    "shuffle": partial(
        shuffle, image=224, channels=24, groups=3, units=(4, 8, 4), classes=1000
    ),
    "u_shaped": partial(u_shaped, image=256, channels=(64, 128, 256, 512)),
}
"""The same about as large as those of the papers, to measure rather than to run."""
