"""
Op classes that refine classes of xDSL, or are like one another, and type constraints of ops in
several dialects.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from inspect import getattr_static
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, cast

from typing_extensions import TypeVar
from xdsl.dialects.builtin import (
    AnyFloat,
    AnyTensorTypeConstr,
    AnyUnrankedMemRefTypeConstr,
    AnyUnrankedTensorTypeConstr,
    MemRefType,
    StringAttr,
    UnrankedTensorType,
)
from xdsl.ir import Attribute, Operation, OpTraits
from xdsl.irdl import (
    AttrConstraint,
    IntConstraint,
    IRDLOperation,
    OpDef,
    PropertyDef,
    base,
    traits_def,
)
from xdsl.pattern_rewriter import RewritePattern
from xdsl.traits import HasCanonicalizationPatternsTrait, Pure
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.host.releases import (
    VerificationContext,
    bases_defined_once,
    complete_bases,
    container_of,
)
from xdsl_bufferization.support.shaped_types import MemRef, Tensor
from xdsl_bufferization.support.tensor_like import BufferLikeType, TensorLikeType

if TYPE_CHECKING:
    from xdsl.irdl.declarative_assembly_format import CustomDirective, FormatProgram
    from xdsl.parser import Parser
    from xdsl.printer import Printer

_OpT = TypeVar("_OpT", bound="type[Operation]")


class Redefinition(IRDLOperation):
    """
    First base of an op that redefines an op of xDSL's, which is its second base.

    Passes match ops by class (`isinstance(op, ToTensorOp)`), so the class of a parsed op has
    to be a subclass of xDSL's class, whose traits it inherits. IRDL allows that if the subclass
    defines every field and `verify_` itself, and does not inherit the `parse` and `print` that
    IRDL generated for the superclass: it would take them for handwritten ones, which exclude an
    assembly format.
    """

    parse = vars(Operation)["parse"]
    print = Operation.print
    mro = classmethod(bases_defined_once)


class PureOp(IRDLOperation):
    """An op that computes its results, and has no other effect."""

    traits = traits_def(Pure())


def by_fields(self: Operation) -> None:
    """The `verify_` of an op for which the constraints of its fields are all there is to verify."""


def refined(
    types: Mapping[str, AttrConstraint] = MappingProxyType({}),
    *,
    properties: Mapping[str, PropertyDef] = MappingProxyType({}),
) -> Callable[[_OpT], _OpT]:
    """
    Decorator of a subclass of an op of xDSL's: the operands and results of these names have these
    types, and it has these properties, besides what xDSL's has. Its own `verify_` is called after
    the fields are verified, in place of xDSL's.
    """

    def decorate(op: _OpT) -> _OpT:
        base: OpDef = cast("type[IRDLOperation]", op).get_irdl_definition()
        definition = replace(
            base,
            operands=[
                (name, type(known)(types[name]) if name in types else known)
                for name, known in base.operands
            ],
            results=[
                (name, type(known)(types[name]) if name in types else known)
                for name, known in base.results
            ],
            properties={**base.properties, **properties},
            accessor_names={
                **{name: (name, "property") for name in properties},
                **base.accessor_names,
            },
            traits=op.traits,
        )
        verify = vars(op).get("verify_", by_fields)

        def verify_op(self: IRDLOperation) -> None:
            definition.verify(self)
            verify(self)

        setattr(op, "get_irdl_definition", classmethod(lambda _: definition))  # noqa: B010
        setattr(op, "verify_", verify_op)  # noqa: B010 # not typed as methods
        return op

    return decorate


def derive(
    general: type[IRDLOperation],
    name: str,
    summary: str,
    *,
    base: type[IRDLOperation] | None = None,
    properties: Mapping[str, PropertyDef] | None = None,
    verify: Callable[[Any], None] | None = None,
    assembly_format: str | None = None,
    directives: Mapping[str, type[CustomDirective]] = MappingProxyType({}),
) -> type[Operation]:
    """
    The class of an op that is like `general`, and a subclass of xDSL's class `base`, too.

    It has the given properties of `general`, or all of them, and is verified by `verify` in
    addition. Its docstring is the summary, with the fields of the op. With an assembly format, it
    is read and printed in this form; the format has no place for a property that is not there. To
    define
    each of many like ops by itself would cost every program with ops of the dialect half a
    millisecond for each.

    The class is named like `base`, or else like the op, in CamelCase. Under this name it must
    be an attribute of `general`'s module, where pickle looks for it.
    """
    definition = replace(general.get_irdl_definition(), name=name)
    if properties is not None:
        definition.properties = {**properties}
        definition.accessor_names = _accessor_names(properties, general, base)

    def verify_op(self: IRDLOperation) -> None:
        definition.verify(self)
        if verify is not None:
            verify(self)

    members: dict[str, Any] = {
        "name": name,
        "__doc__": _docstring(summary, definition),
        "__module__": general.__module__,
        "get_irdl_definition": classmethod(lambda _cls: definition),
        "verify_": verify_op,
    }
    if base is None:
        class_name = "".join(p.capitalize() for p in name.split(".")[-1].split("_"))
        op = type(f"{class_name}Op", (general,), members)
    else:
        members["traits"] = definition.traits = base.traits
        op = type(base.__name__, (general, *complete_bases(base)), members)
    if assembly_format is None:
        return op
    return with_custom_form(assembly_format, **directives)(op)


def _accessor_names(
    properties: Mapping[str, PropertyDef],
    general: type[IRDLOperation],
    base: type[IRDLOperation] | None,
) -> dict[str, tuple[str, Literal["attribute", "property"]]]:
    """The properties by field; `general` names a field, or else `base`."""
    fields = {
        property_name: field
        for op in (base, general)
        if op is not None
        for field, (property_name, _) in op.get_irdl_definition().accessor_names.items()
    }
    return {fields[name]: (name, "property") for name in properties if name in fields}


def _docstring(summary: str, definition: OpDef) -> str:
    """The summary, with the names of the op's fields."""
    fields = {
        "Operands": [name for name, _ in definition.operands],
        "Results": [name for name, _ in definition.results],
        "Properties": [*definition.accessor_names],
        "Regions": [name for name, _ in definition.regions],
    }
    lines = [f"{kind}: {', '.join(names)}" for kind, names in fields.items() if names]
    return "\n".join((summary, "", *lines))


def read_in_custom_form(
    assembly_format: str, **directives: type[CustomDirective]
) -> Callable[[_OpT], _OpT]:
    """
    Decorator of an op that is read in the custom form that the format describes, too, with the
    directives by the names that they have there. It is printed as before: in generic form, if
    xDSL reads no other.
    """
    return _reads_by(_format_program(assembly_format, directives))


def with_custom_form(
    assembly_format: str, **directives: type[CustomDirective]
) -> Callable[[_OpT], _OpT]:
    """Decorator of an op that is read and printed in the custom form; see above."""
    program = _format_program(assembly_format, directives)
    read = _reads_by(program)

    def print_op(self: IRDLOperation, printer: Printer) -> None:
        program(type(self)).print(printer, self)

    def decorate(op: _OpT) -> _OpT:
        setattr(op, "print", print_op)  # noqa: B010 # not typed as a method
        return read(op)

    return decorate


def _reads_by(
    program: Callable[[type[IRDLOperation]], FormatProgram],
) -> Callable[[_OpT], _OpT]:
    def parse(cls: type[IRDLOperation], parser: Parser) -> IRDLOperation:
        try:
            op = program(cls).parse(parser, cls)
        except VerifyException as error:
            # The types are of another kind than the format needs to infer others.
            parser.raise_error(str(error))
        # As in MLIR, the dictionary of attributes may have properties.
        known = cls.get_irdl_definition().properties
        for name in [name for name in op.attributes if name in known]:
            op.properties[name] = op.attributes.pop(name)
        return op

    def decorate(op: _OpT) -> _OpT:
        setattr(op, "parse", classmethod(parse))  # noqa: B010 # not typed as a method
        return op

    return decorate


def _format_program(
    assembly_format: str, directives: Mapping[str, type[CustomDirective]]
) -> Callable[[type[IRDLOperation]], FormatProgram]:
    """
    By op: its parser and printer, made when they are needed first, since most programs have few
    kinds of ops.
    """

    @cache
    def program(op: type[IRDLOperation]) -> FormatProgram:
        from xdsl.irdl.declarative_assembly_format import FormatProgram

        definition = op.get_irdl_definition()
        for name, _ in (*definition.operands, *definition.results):
            # xDSL looks for accessors in the class itself.
            setattr(op, name, getattr_static(op, name))
        known = {**definition.custom_directives, **directives}
        return FormatProgram.from_str(
            assembly_format, replace(definition, custom_directives=known)
        )

    return program


Patterns = Callable[[], tuple[RewritePattern, ...]]
"""Makes the canonicalization patterns of an op, when they are needed first."""


def canonicalization(patterns: Patterns) -> HasCanonicalizationPatternsTrait:
    """The trait of an op with these canonicalization patterns."""

    class Canonicalization(HasCanonicalizationPatternsTrait):
        @classmethod
        def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
            return patterns()

    return Canonicalization()


def canonicalized_by(op: type[Operation], patterns: Patterns) -> OpTraits:
    """The traits of xDSL's op, with these canonicalization patterns instead of xDSL's."""
    traits = op.traits
    return OpTraits(
        lambda: (
            *(t for t in traits if not isinstance(t, HasCanonicalizationPatternsTrait)),
            canonicalization(patterns),
        )
    )


ANY_TENSOR: AttrConstraint[Tensor] = AnyTensorTypeConstr | AnyUnrankedTensorTypeConstr

ANY_MEMREF: AttrConstraint[MemRef] = MemRefType.constr() | AnyUnrankedMemRefTypeConstr

FLOATS: AttrConstraint = container_of(AnyFloat) | base(UnrankedTensorType[AnyFloat])
"""Floats, and vectors and tensors of them."""


@dataclass(frozen=True)
class DerivedFromOr(AttrConstraint):
    """Attributes whose class is derived from `base`, or that satisfy another constraint."""

    base: type
    otherwise: AttrConstraint

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        if not isinstance(attr, self.base):
            self.otherwise.verify(attr, constraint_context)

    def mapping_type_vars(
        self, type_var_mapping: Mapping[TypeVar, AttrConstraint | IntConstraint]
    ) -> AttrConstraint:
        return self


ANY_TENSOR_LIKE: AttrConstraint = DerivedFromOr(TensorLikeType, ANY_TENSOR)
"""Tensors, and the tensor types of other dialects."""

ANY_BUFFER_LIKE: AttrConstraint = DerivedFromOr(BufferLikeType, ANY_MEMREF)
"""Memrefs, and the buffer types of other dialects."""


def verify_element_types(values: str, a: Tensor | MemRef, b: Tensor | MemRef) -> None:
    """Raise `VerifyException` unless both have elements of one type; `values` names the two."""
    if a.element_type != b.element_type:
        raise VerifyException(f"{values} differ in their element type: {a} and {b}")


_VISIBILITIES = "public", "private", "nested"


@dataclass(frozen=True)
class _Visibility(AttrConstraint[StringAttr]):
    """The names of visibilities."""

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        if not isinstance(attr, StringAttr) or attr.data not in _VISIBILITIES:
            raise VerifyException(
                f"the visibility of a symbol is one of {', '.join(_VISIBILITIES)}, not {attr}"
            )

    def mapping_type_vars(
        self, type_var_mapping: Mapping[TypeVar, AttrConstraint | IntConstraint]
    ) -> AttrConstraint[StringAttr]:
        return self


VISIBILITY: AttrConstraint[StringAttr] = _Visibility()
"""Which ops see a symbol."""
