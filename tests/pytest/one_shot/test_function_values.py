"""Functions as values: what is refused because nothing rewrites it."""

import pytest

from tests.fuzzing.trials import apply
from tests.peer.runner import parse_module
from xdsl_bufferization.support.diagnostics import BufferizationError

BOUNDARIES = "one-shot-bufferize{bufferize-function-boundaries}"
UNKNOWN = "one-shot-bufferize{bufferize-function-boundaries allow-unknown-ops}"

REFERENCES = {
    "func.constant": """
        %k = func.constant @g : (tensor<4xf32>) -> tensor<4xf32>
        "test.use"(%k) : ((tensor<4xf32>) -> tensor<4xf32>) -> ()""",
    "test.call": """
        %r = "test.call"(%t) {callees = [@g]} : (tensor<4xf32>) -> tensor<4xf32>""",
}


def program(body: str) -> str:
    return f"""
        func.func private @g(%t: tensor<4xf32>) -> tensor<4xf32> {{
          func.return %t : tensor<4xf32>
        }}
        func.func @f(%t: tensor<4xf32>) {{
          {body}
          func.return
        }}
    """


@pytest.mark.parametrize(
    ("op", "name"),
    [
        ("func.constant", BOUNDARIES),
        ("func.constant", UNKNOWN),
        ("func.constant", "bufferize"),
        ("func.constant", "func-bufferize"),
        ("test.call", UNKNOWN),
        ("test.call", "func-bufferize"),
    ],
)
def test_a_function_that_an_op_refers_to_keeps_its_type(op: str, name: str):
    module = parse_module(program(REFERENCES[op]))
    before = str(module)

    with pytest.raises(
        BufferizationError,
        match=rf"(?s)'{op}' refers to '@g', whose type would change.*func\.call",
    ):
        apply(name, module)

    assert str(module) == before


@pytest.mark.parametrize("op", REFERENCES)
def test_such_references_stay_without_function_boundaries(op: str):
    module = parse_module(program(REFERENCES[op]))
    before = str(module)

    apply("one-shot-bufferize{allow-unknown-ops}", module)

    assert str(module) == before


def test_references_that_do_not_say_the_type_stay():
    module = parse_module(program('"test.entry"() {function = @g} : () -> ()'))

    apply(BOUNDARIES, module)

    assert '"test.entry"() {function = @g} : () -> ()' in str(module)


def test_functions_without_tensors_may_be_values():
    module = parse_module("""
        func.func private @g(%i: index) -> index {
          func.return %i : index
        }
        func.func @f(%i: index, %t: tensor<4xf32>) -> (index, tensor<4xf32>) {
          %k = func.constant @g : (index) -> index
          %j = func.call_indirect %k(%i) : (index) -> index
          func.return %j, %t : index, tensor<4xf32>
        }
    """)

    apply(BOUNDARIES, module)

    assert '"func.constant"() <{value = @g}> : () -> ((index) -> index)' in str(module)


INDIRECT = """
func.func @f(%k: (tensor<4xf32>) -> tensor<4xf32>, %t: tensor<4xf32>) -> tensor<4xf32> {
  %r = func.call_indirect %k(%t) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}
"""


@pytest.mark.parametrize("name", [BOUNDARIES, "bufferize"])
def test_indirect_calls_are_unknown_ops(name: str):
    module = parse_module(INDIRECT)
    before = str(module)

    with pytest.raises(
        BufferizationError, match=r"(?s)'func.call_indirect'.*allow-unknown-ops"
    ):
        apply(name, module)

    assert str(module) == before


def test_indirect_calls_may_stay_on_tensors():
    module = parse_module(INDIRECT)

    apply(UNKNOWN, module)

    assert '%r = "func.call_indirect"(%k, %0) : ' in str(module)
