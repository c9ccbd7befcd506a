"""Attributes of dialects that xDSL lacks are kept as text."""

from __future__ import annotations

import pickle
from importlib import import_module

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, UnregisteredAttr, f32
from xdsl.ir import Dialect
from xdsl.parser import Parser

from xdsl_bufferization import register_all
from xdsl_bufferization.dialects.shared.text_attributes import (
    TextAttribute,
    text_dialect,
)
from xdsl_bufferization.host.extensions import redefine_context, register_lacking
from xdsl_bufferization.support.reading import context_of_all_dialects


def parsed(context: Context, text: str) -> object:
    return Parser(context, text).parse_attribute()


def test_dialects_that_xdsl_lacks_are_registered():
    context = Context()
    register_lacking(context)
    for name in context.registered_dialect_names:
        context.load_registered_dialect(name)
    lacking = {attribute.name for attribute in context.loaded_attrs}
    assert {"nvvm.target", "sparse_tensor.encoding"} <= lacking


def test_a_dialect_of_somebody_else_stays():
    context = Context()
    context.load_dialect(theirs := Dialect("nvvm", [], []))
    redefine_context(context)
    assert [*context.loaded_dialects] == [theirs]


@pytest.mark.parametrize("name", ["gpu.object", "nvvm.target"])
def test_classes_can_be_imported_by_name(name: str):
    attribute = context_of_all_dialects().get_attr(name)
    assert issubclass(attribute, TextAttribute)
    module = import_module(attribute.__module__)
    assert getattr(module, attribute.__name__) is attribute
    assert pickle.loads(pickle.dumps(attribute)) is attribute


def test_attributes_of_two_contexts_are_equal():
    text = "memref<4xf32, #spirv.storage_class<Workgroup>>"
    types = [parsed(context_of_all_dialects(), text) for _ in range(2)]
    assert types[0] == types[1]
    assert str(types[0]) == text


def test_spaces_and_aliases():
    context = Context()
    context.load_dialect(Builtin)
    register_all(context)
    parser = Parser(context, "#nvvm.target<chip =\n  #chip>")
    parser.attribute_aliases["#chip"] = f32
    assert str(parser.parse_attribute()) == "#nvvm.target<chip = f32>"


def test_unregistered_attributes_stay():
    context = context_of_all_dialects(allow_unregistered=True)
    assert isinstance(parsed(context, "#unknown.attr<1>"), UnregisteredAttr)
    assert [*text_dialect("rocdl").attributes] == [context.get_attr("rocdl.target")]
