"""Op and attribute classes as Python objects: imports, pickling, copies and help."""

from __future__ import annotations

import copy
import pickle
import pydoc
import re
from importlib import import_module
from operator import attrgetter
from pathlib import Path

import pytest
from xdsl.dialects.builtin import IntegerAttr, i32
from xdsl.ir import Attribute, Operation, ParametrizedAttribute
from xdsl.irdl import IRDLOperation

from xdsl_bufferization.dialects import tosa
from xdsl_bufferization.dialects.arith import DivSIOp
from xdsl_bufferization.dialects.linalg import named_ops
from xdsl_bufferization.host.extensions import EXTENDED, extension_of
from xdsl_bufferization.support.reading import context_of_all_dialects, read_module

Class = type[Operation] | type[Attribute]

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.fixture(scope="module")
def classes() -> list[Class]:
    """The classes of all dialects, without xDSL's."""
    return [
        cls
        for extension in map(extension_of, EXTENDED)
        for cls in (*extension.operations, *extension.always, *extension.attributes)
    ]


def fields(cls: Class) -> list[str]:
    """The names by which Python code gets at the fields of instances."""
    if issubclass(cls, ParametrizedAttribute):
        return [name for name, _ in cls.get_irdl_definition().parameters]
    if not issubclass(cls, IRDLOperation):
        return ["data"]
    op = cls.get_irdl_definition()
    accessors = {name: field for field, (name, _) in op.accessor_names.items()}
    return [
        *(name for name, _ in (*op.operands, *op.results, *op.regions, *op.successors)),
        *(
            accessors.get(name, name)
            for name in (*op.properties, *op.attributes)
            if not name.endswith("SegmentSizes")
        ),
    ]


def test_classes_can_be_imported_by_name(classes: list[Class]):
    for cls in classes:
        found = attrgetter(cls.__qualname__)(import_module(cls.__module__))
        assert found is cls, cls.name


def test_classes_can_be_pickled(classes: list[Class]):
    for cls in classes:
        assert pickle.loads(pickle.dumps(cls)) is cls, cls.name


def test_help_names_the_fields(classes: list[Class]):
    for cls in classes:
        words = re.findall(r"\w+", pydoc.plain(pydoc.render_doc(cls)))
        assert {*fields(cls)} <= {*words}, cls.name


def test_docstrings_say_what_is_defined(classes: list[Class]):
    for cls in classes:
        # Dataclasses without a docstring get their signature.
        text = (vars(cls)["__doc__"] or "").strip()
        assert text, cls.name
        assert not text.startswith((f"{cls.__name__}(", "http")), cls.name


def test_docstrings_of_derived_ops_list_their_own_fields():
    assert pydoc.getdoc(vars(named_ops)["CopyOp"]).endswith(
        "\n\nOperands: inputs, outputs\nResults: res\nProperties: cast\nRegions: body"
    )
    assert pydoc.getdoc(DivSIOp).endswith(
        "\n\nOperands: lhs, rhs\nResults: result\nProperties: is_exact"
    )


def test_derived_ops_have_accessors_for_their_properties():
    op = context_of_all_dialects().get_op("tosa.reverse").create()
    assert isinstance(op, tosa.TosaOp)
    assert op.axis is None

    op.axis = IntegerAttr(1, i32)

    assert op.properties == {"axis": IntegerAttr(1, i32)}


# The list of ops of xDSL recurses as deep as a block is long: a hundred ops are too many.
SHORT = sorted(p for p in EXAMPLES.rglob("*.mlir") if p.parent.name != "jax")


@pytest.mark.parametrize("path", SHORT, ids=lambda p: p.stem)
def test_programs_can_be_pickled_and_copied(path: Path):
    module = read_module(context_of_all_dialects(), path)

    for other in (pickle.loads(pickle.dumps(module)), copy.deepcopy(module)):
        assert str(other) == str(module)
        assert other.is_structurally_equivalent(module)
        for op, original in zip(other.walk(), module.walk(), strict=True):
            assert op is not original
            assert type(op) is type(original)
