"""What is asked of a loop is asked once, however many tensors it carries."""

import pytest

from tests.peer.runner import parse_module
from xdsl_bufferization import OneShotOptions, one_shot_bufferize
from xdsl_bufferization.models.shared import loops
from xdsl_bufferization.support.reading import context_of_all_dialects


def swapping(n: int) -> str:
    """A loop that carries `n` tensors, of which each two neighbours swap their buffers."""
    arguments = ", ".join(f"%t{i}: tensor<4xf32>" for i in range(n))
    carried = ", ".join(f"%a{i} = %t{i}" for i in range(n))
    types = ", ".join(["tensor<4xf32>"] * n)
    yielded = ", ".join(f"%a{i ^ 1}" for i in range(n))
    results = ", ".join(f"%r#{i}" for i in range(n))
    return f"""
    func.func @f({arguments}, %i: index) -> ({types}) {{
      %r:{n} = scf.for %k = %i to %i step %i iter_args({carried}) -> ({types}) {{
        scf.yield {yielded} : {types}
      }}
      func.return {results} : {types}
    }}
    """


@pytest.mark.parametrize("n", [2, 8])
def test_swapped_positions_are_found_once_for_a_program(
    n: int, monkeypatch: pytest.MonkeyPatch
):
    found: list[object] = []
    plain = loops._swapped_positions  # pyright: ignore[reportPrivateUsage] # counted

    def counted(*arguments: object) -> object:
        found.append(arguments[0])
        return plain(*arguments)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(loops, "_swapped_positions", counted)
    options = OneShotOptions(bufferize_function_boundaries=True)
    one_shot_bufferize(context_of_all_dialects(), parse_module(swapping(n)), options)

    # Once where the model's answers are verified, and once in the analysis.
    assert len(found) == 2
