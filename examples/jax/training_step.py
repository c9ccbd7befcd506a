"""A training step of a perceptron: the gradient on a batch, and new parameters in place."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from lowering import floats, main


def loss(parameters, images, labels):
    """The mean cross entropy of a batch."""
    w1, b1, w2, b2 = parameters
    hidden = jnp.maximum(images @ w1 + b1, 0)
    predicted = jax.nn.log_softmax(hidden @ w2 + b2)
    return -jnp.mean(jnp.sum(labels * predicted, axis=1))


def step(w1, b1, w2, b2, images, labels):
    """The parameters after a step of gradient descent, and the loss before it."""
    parameters = w1, b1, w2, b2
    value, gradients = jax.value_and_grad(loss)(parameters, images, labels)
    new = [p - 0.1 * g for p, g in zip(parameters, gradients, strict=True)]
    return *new, value


if __name__ == "__main__":
    shapes = floats(32, 64), floats(64), floats(64, 10), floats(10)
    main(step, [*shapes, floats(16, 32), floats(16, 10)], donated=(0, 1, 2, 3))
