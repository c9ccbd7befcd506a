"""A decode step of a language model: a layer of attention, whose cache is updated in place."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from lowering import INDEX, floats, main

LENGTH, HEADS, WIDTH = 128, 4, 16


def step(keys, values, token, position, wq, wk, wv, wo):
    """The caches with the token's key and value, and what the layer makes of the token."""
    q, k, v = ((token @ w).reshape(HEADS, WIDTH) for w in (wq, wk, wv))
    keys = jax.lax.dynamic_update_slice(keys, k[None], (position, 0, 0))
    values = jax.lax.dynamic_update_slice(values, v[None], (position, 0, 0))
    scores = jnp.einsum("hd,lhd->hl", q, keys) / WIDTH**0.5
    scores = jnp.where(jnp.arange(LENGTH) <= position, scores, -jnp.inf)
    weights = jax.nn.softmax(scores)
    mixed = jnp.einsum("hl,lhd->hd", weights, values).reshape(HEADS * WIDTH)
    return keys, values, token + mixed @ wo


if __name__ == "__main__":
    cache, model = floats(LENGTH, HEADS, WIDTH), HEADS * WIDTH
    weights = [floats(model, model)] * 4
    main(step, [cache, cache, floats(model), INDEX, *weights], donated=(0, 1))
