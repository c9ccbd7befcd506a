"""
Names of xDSL that differ between its releases, and errors under releases that the tests do not
run with.

The rest of the package imports the names from here, and asks for no release. Each is looked up
when it is imported, so that no program waits for a dialect that it does not use.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path
from pkgutil import resolve_name
from typing import IO, TYPE_CHECKING, Any, TypeVar, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    ArrayAttr,
    IndexType,
    MemRefType,
    NoneAttr,
)
from xdsl.ir.affine import AffineMap

if TYPE_CHECKING:
    from xdsl.dialects import memref
    from xdsl.dialects.affine import VectorLoadOp as VectorLoadOp
    from xdsl.dialects.affine import VectorStoreOp as VectorStoreOp
    from xdsl.dialects.builtin import container_of as container_of
    from xdsl.dialects.linalg import abstract_ops as linalg_abstract_ops
    from xdsl.dialects.linalg import attrs as linalg_attrs
    from xdsl.dialects.linalg import ops as linalg_ops
    from xdsl.dialects.utils import EnumAttribute as EnumAttribute
    from xdsl.ir import Attribute, AttributeInvT, Operation, SSAValue
    from xdsl.irdl import IRDLOperation
    from xdsl.irdl import VerificationContext as VerificationContext
    from xdsl.parser import Parser
    from xdsl.pattern_rewriter import PatternRewriter

__all__ = [
    "EnumAttribute",
    "VectorLoadOp",
    "VectorStoreOp",
    "VerificationContext",
    "container_of",
    "linalg_abstract_ops",
    "linalg_attrs",
    "linalg_ops",
]

OperationT = TypeVar("OperationT", bound="Operation")

_PLACES = {
    # One module until 0.63, three since 0.64.
    "linalg_abstract_ops": (
        "xdsl.dialects.linalg.abstract_ops",
        "xdsl.dialects.linalg",
    ),
    "linalg_attrs": ("xdsl.dialects.linalg.attrs", "xdsl.dialects.linalg"),
    "linalg_ops": ("xdsl.dialects.linalg.ops", "xdsl.dialects.linalg"),
    # A class until 0.69, a function since 0.70.
    "container_of": (
        "xdsl.dialects.builtin:container_of",
        "xdsl.dialects.builtin:ContainerOf",
    ),
    # Moved in 0.72.
    "EnumAttribute": ("xdsl.dialects.utils:EnumAttribute", "xdsl.ir:EnumAttribute"),
    # Renamed in 0.72.
    "VerificationContext": (
        "xdsl.irdl:VerificationContext",
        "xdsl.irdl:ConstraintContext",
    ),
    # Ops since 0.70.
    "VectorLoadOp": ("xdsl.dialects.affine:VectorLoadOp", f"{__name__}:Absent"),
    "VectorStoreOp": ("xdsl.dialects.affine:VectorStoreOp", f"{__name__}:Absent"),
}
"""Where each name is, the newest release's place first."""


class Absent:
    """In place of a class that the release lacks: nothing is an instance of it."""


@cache
def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    places = _PLACES[name]
    for place in places:
        try:
            return resolve_name(place)
        except (ImportError, AttributeError):
            continue
    raise ImportError(f"xDSL has no {' or '.join(places)}", name=places[0])


def read_text(stream: IO[bytes]) -> str:
    """The rest of what a command of xDSL reads. The stream is one of text until 0.73."""
    content: bytes | str = stream.read()
    return content if isinstance(content, str) else content.decode("utf-8")


def reads_mlir(frontend: object) -> bool:
    """Whether a frontend is xDSL's own for MLIR: of the command until 0.74, a class since 0.75."""
    places = "xdsl.frontend", "xdsl.tools.command_line_tool"
    return getattr(frontend, "__module__", "") in places


def parse_operand(parser: Parser, type: AttributeInvT) -> SSAValue[AttributeInvT]:
    """An operand of this type. `Parser.parse_operand` takes no type until 0.73."""
    return parser.resolve_operand(parser.parse_unresolved_operand(), type)


def replace_op(
    rewriter: PatternRewriter,
    op: Operation,
    new_ops: Operation | Sequence[Operation],
    new_results: Sequence[SSAValue | None] | None = None,
) -> None:
    """`PatternRewriter.replace`, which is called `replace_op` until 0.69."""
    name = "replace" if hasattr(rewriter, "replace") else "replace_op"
    getattr(rewriter, name)(op, new_ops, new_results)


def erase_op(rewriter: PatternRewriter, op: Operation) -> None:
    """`PatternRewriter.erase`, which is called `erase_op` until 0.69."""
    name = "erase" if hasattr(rewriter, "erase") else "erase_op"
    getattr(rewriter, name)(op)


def offset_of(type: MemRefType[Attribute]) -> int | None:
    """`MemRefType.get_offset`, which memref types lack until 0.64."""
    if isinstance(type.layout, NoneAttr):
        return 0
    get_offset = getattr(type.layout, "get_offset", None)
    return None if get_offset is None else get_offset()


def strides_of(type: MemRefType[Attribute]) -> Sequence[int | None] | None:
    """`MemRefType.get_strides`; with the default layout it takes `?` for a number until 0.64."""
    if isinstance(type.layout, NoneAttr):
        return strides_for_shape(type.get_shape())
    return type.layout.get_strides()


def strides_for_shape(shape: Sequence[int]) -> Sequence[int | None]:
    """`ShapedType.strides_for_shape`, which takes `?` for a number until 0.64."""
    strides: list[int | None] = []
    stride: int | None = 1
    for size in reversed(shape):
        strides.append(stride)
        stride = None if stride is None or size == DYNAMIC_INDEX else stride * size
    return tuple(reversed(strides))


def maps_of_parallel_loops(
    op: linalg_abstract_ops.LinalgStructuredOperation,
) -> ArrayAttr[AffineMapAttr] | None:
    """
    `get_indexing_maps`, if `get_iterator_types` has parallel loops only. Until 0.70, xDSL
    implements neither for `linalg.fill`, nor for convolutions and pooling, which reduce.
    """
    if op.name == "linalg.fill":
        type = cast("MemRefType[Attribute]", op.operands[-1].type)
        return _maps_of_fill(type.get_num_dims())
    try:
        kinds = op.get_iterator_types()
    except NotImplementedError:
        return None
    parallel = __getattr__("linalg_attrs").IteratorType.PARALLEL
    if any(kind.data is not parallel for kind in kinds):
        return None
    return op.get_indexing_maps()


def maps_and_reductions(
    op: linalg_abstract_ops.LinalgStructuredOperation,
) -> tuple[Sequence[AffineMap], Sequence[int]] | None:
    """
    `get_indexing_maps`, and the loops that `get_iterator_types` says to be reductions. `None`
    for window loops, and where xDSL implements neither.
    """
    if (maps := maps_of_parallel_loops(op)) is not None:
        return [map.data for map in maps], ()
    kinds = __getattr__("linalg_attrs").IteratorType
    try:
        types = [kind.data for kind in op.get_iterator_types()]
        maps = op.get_indexing_maps()
    except NotImplementedError:
        return None
    if any(kind not in (kinds.PARALLEL, kinds.REDUCTION) for kind in types):
        return None
    reductions = [i for i, kind in enumerate(types) if kind is kinds.REDUCTION]
    return [map.data for map in maps], reductions


@cache
def _maps_of_fill(rank: int) -> ArrayAttr[AffineMapAttr]:
    """The maps of the scalar and the init, of this rank; xDSL makes them for each question."""
    maps = AffineMap(rank, 0, ()), AffineMap.identity(rank)
    return ArrayAttr(map(AffineMapAttr, maps))


def memref_dim(
    source: SSAValue | Operation, index: SSAValue | Operation
) -> memref.DimOp:
    """`memref.DimOp`, which has no constructor until 0.69."""
    from xdsl.dialects.memref import DimOp

    return DimOp.build(operands=(source, index), result_types=(IndexType(),))


def has_assembly_format(op: type[IRDLOperation]) -> bool:
    """
    Whether xDSL derives the custom form of the op from an assembly format. Since 0.70 it does
    for slices of tensors, which have no custom form before, and since 0.72 for
    `tensor.extract` and `tensor.insert`, whose custom form has no attributes before.
    """
    return op.get_irdl_definition().assembly_format is not None


def complete_bases(op: type[Operation]) -> tuple[type[Operation], ...]:
    """
    The bases of a class derived from the op. Until 0.67, some elementwise ops of linalg leave
    out methods of an abstract base, so that no class derived from them can be instantiated.
    """
    method = getattr(op, "get_iterator_types", None)
    if not getattr(method, "__isabstractmethod__", False):
        return (op,)
    return op, __getattr__("linalg_abstract_ops").ElementwiseOperation


def loses_attributes(op: type[Operation]) -> bool:
    """Whether the op's own custom form has no attributes, as of `scf.for` until 0.72."""
    return "print_op_attributes" not in op.print.__code__.co_names


def bases_defined_once(op: type[Operation]) -> list[type]:
    """
    The method resolution order of an op that IRDL is to define.

    Until 0.67, `irdl_op_definition` returns another class, derived from the one that it is
    given. So an op that redefines such a class has `irdl_options` twice among its bases, which
    IRDL refuses.
    """
    bases: dict[tuple[str, str], type] = {}
    for base in op.__mro__:
        bases.setdefault((base.__module__, base.__qualname__), base)
    return list(bases.values())


_PACKAGE = Path(__file__).parents[1]

TESTED = (0, 62), (0, 75)
"""The oldest and the newest release that the tests run with."""


def _is_ours(place: traceback.FrameSummary) -> bool:
    """Whether the place is in the package, but not in its hook on commands."""
    path = Path(place.filename)
    return path.is_relative_to(_PACKAGE) and path.name != "universe.py"


def blame_release(error: BaseException) -> str | None:
    """
    The message for an error that comes from a release of xDSL which this package has not been
    tested with; `None` if the release is tested, or the error is another one: a name that is
    missing where this package uses it.
    """
    if not isinstance(error, ImportError | AttributeError):
        return None
    release = version("xdsl")
    oldest, newest = TESTED
    numbers = re.match(r"(\d+)\.(\d+)", release)
    if numbers and oldest <= tuple(map(int, numbers.groups())) <= newest:
        return None
    places = traceback.extract_tb(error.__traceback__)
    place = places[-1]
    missing = error.name or "" if isinstance(error, ImportError) else ""
    # Imports of what xDSL lacks may fail in Python's own modules.
    blamed = places if missing.startswith("xdsl.") else [place]
    if not any(map(_is_ours, blamed)):
        return None
    first, last = (".".join(map(str, numbers)) for numbers in TESTED)
    return (
        f"xdsl-bufferization is tested with xDSL {first} to {last}, and this is {release}:\n"
        f"  {type(error).__name__}: {error}\n"
        f"  at: {place.filename}:{place.lineno}\n"
        f"  hint: report these lines to xdsl-bufferization; pip install 'xdsl=={last}.*' "
        "takes xDSL back to a tested release"
    )
