"""
The bound of each function of a program.

    func.func @f(%t: tensor<8xf32> {bufferization.writable = false}) -> tensor<8xf32> {
      %r = tensor.insert %f into %t[%i]    // 28 bytes: the argument must not be written

Copies of tensors that are put into others.

    %a = tensor.insert_slice %s into %t[0] [4] [1]    // %s can be computed in its place in %a,
    %b = tensor.insert_slice %s into %u[0] [4] [1]    // or in %b, not in both, if %a and %b
    %c = linalg.add ins(%a, %b) outs(%e)              // differ elsewhere: one copy is forced

With %s in one place, [4, 8) would hold the elements of %t and of %u. Boxes of such elements are
compared in pairs, no more than `MAX_BOX_PAIRS`.

A copy is also forced if the memory of the tensor is given and has no room around it, as that of a
function's argument, or has other elements there, and must not be written:

    %a = tensor.extract_slice %x[0] [4] [2]           // %x begins with its elements 0, 1, and not
    %b = tensor.extract_slice %x[1] [4] [2]           // with the elements 0, 2 that %c begins with
    %c = tensor.concat dim(0) %a, %b
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import NamedTuple

from xdsl.dialects import func
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp
from xdsl.ir import BlockArgument, Operation, SSAValue

from xdsl_bufferization.interfaces.bufferizable import (
    BufferizableOpInterface,
    declared_access,
)
from xdsl_bufferization.interfaces.contents import InsertionsOpInterface
from xdsl_bufferization.interfaces.subset import Slice
from xdsl_bufferization.interfaces.tiling import Box
from xdsl_bufferization.support.call_graph import (
    CallGraph,
    functions_in,
    is_return,
)
from xdsl_bufferization.support.limits import MAX_BOX_PAIRS, MAX_CONTAINERS
from xdsl_bufferization.support.names import op_name
from xdsl_bufferization.support.options import OneShotOptions
from xdsl_bufferization.support.shaped_types import ranked_shape
from xdsl_bufferization.verification.access_paths import AccessPath, SliceStep
from xdsl_bufferization.verification.copy_bound.forced import (
    ForcedCopy,
    of_disjoint_parts,
    total,
)
from xdsl_bufferization.verification.copy_bound.links import (
    UNKNOWN_IS_NOTHING,
    Link,
    LinkKind,
    NeededByCallee,
    Operand,
    Sizes,
    is_of_unknown_size,
    size_of,
)
from xdsl_bufferization.verification.copy_bound.program import (
    Places,
    Program,
    has_contents_of_its_own,
    is_constant,
    is_given,
    is_writable,
)
from xdsl_bufferization.verification.copy_bound.writers import Writers


class _Content(NamedTuple):
    """The contents of a box."""

    box: Box
    tensor: SSAValue | None
    """`None` if it is cheap, such as padding."""
    is_rest: bool
    """Whether it is only where no other content is."""


def cannot_coincide(a: Link, b: Link, program: Program) -> bool:
    """
    Whether two links of one tensor exclude each other: both results in the tensor's buffer would
    need different contents in the same elements.
    """
    own_a, own_b = box_of(a.part), box_of(b.part)
    if own_a is None or own_b is None or len(own_a.sizes) != len(own_b.sizes):
        return False
    distances = [x - y for x, y in zip(own_a.offsets, own_b.offsets, strict=True)]
    others = [*_beside(b, program)]
    for tries, content in enumerate(_beside(a, program)):
        if MAX_BOX_PAIRS.exceeded_by(tries * len(others)):
            return False
        for other in others:
            elements = content.box.common_elements(other.box.moved(distances))
            if content.is_rest and other.is_rest:
                elements -= prod(own_a.sizes)
            if _differ(content, other, elements, program):
                return True
    return False


def _differ(a: _Content, b: _Content, elements: int, program: Program) -> bool:
    """Whether contents with so many elements in common differ in one of these."""
    if a.tensor is b.tensor or elements <= 0:
        return False
    doubtful = 0
    for tensor in (a.tensor, b.tensor):
        if tensor is None:
            continue
        size = size_of(tensor)
        if not size or not has_contents_of_its_own(tensor, program.links):
            return False
        valuable = program.contents.valuable(tensor)
        doubtful += (size - valuable) * prod(ranked_shape(tensor)) // size
    return elements > doubtful


def _beside(link: Link, program: Program) -> Iterator[_Content]:
    """The contents of the link's result outside its operand."""
    if not link.operand.op.results or not size_of(link.result):
        return
    shape = ranked_shape(link.result)
    whole = Box.whole(shape)
    links = program.links.to_result[link.result]
    for other in links:
        root, path = program.places.of(other.operand.value)
        if other is link or path:
            continue
        if other.kind is LinkKind.UPDATE:
            yield _Content(whole, root, is_rest=True)
        elif (box := box_of(other.part)) is not None:
            yield _Content(box, root, is_rest=False)
    if len(links) == 1 and InsertionsOpInterface.of(link.operand.op) is not None:
        yield _Content(whole, None, is_rest=True)


def box_of(part: Slice | None) -> Box | None:
    """The box that a slice without gaps is; `None` if it is not known."""
    if part is None:
        return None
    offsets = [n for n in part.offsets if isinstance(n, int)]
    sizes = [n for n in part.sizes if isinstance(n, int)]
    if not len(offsets) == len(sizes) == len(part.sizes):
        return None
    if any(stride != 1 for stride in part.strides):
        return None
    return Box(tuple(offsets), tuple(sizes))


class Containers:
    """The copies that are forced by tensors being put into others."""

    def __init__(self, program: Program):
        self._program = program
        self._links: dict[SSAValue, dict[AccessPath, list[Link]]] = {}
        for operand in program.links.operands:
            link = program.links.link(operand)
            if (
                link is not None
                and link.kind is LinkKind.PART
                and program.contents.moved(link)
            ):
                root, path = program.places.of(operand.value)
                by_part = self._links.setdefault(root, defaultdict(list))
                by_part[path].append(link)

    def forced(self) -> dict[SSAValue, Sequence[ForcedCopy]]:
        """By the tensor whose contents are copied: the copies."""
        return {
            root: of_disjoint_parts(
                {part: self._of_part(root, part, links) for part, links in by.items()}
            )
            for root, by in self._links.items()
        }

    def _of_part(
        self, root: SSAValue, part: AccessPath, links: Sequence[Link]
    ) -> Sequence[ForcedCopy]:
        reasons = {
            link.operand: reason
            for link in links
            if (reason := self._reason_against(root, link)) is not None
        }
        outside = [link for link in links if link.operand in reasons]
        at_once = self._at_once(outside or links)
        several = [link.operand for link in at_once]
        copies: list[ForcedCopy] = []
        # If its memory is not given, it can be computed in one of them.
        for link in at_once if outside else at_once[1:]:
            views = self._program.places.views(link.operand.value)
            copies.append(
                ForcedCopy(
                    (link.operand, *views) if outside else several,
                    self._program.contents.moved(link),
                    self._program.changes(root, part, link.operand.op),
                    reasons.get(
                        link.operand,
                        "several tensors that it is put into are needed at once",
                    ),
                )
            )
        return copies

    def _at_once(self, links: Sequence[Link]) -> Sequence[Link]:
        """
        Links to tensors that are needed at once and cannot coincide, the one with the most
        bytes first; one of the links at least.
        """
        moved = self._program.contents.moved
        links = sorted(links, key=moved, reverse=True)
        by_user: dict[Operation, list[Link]] = defaultdict(list)
        for link in links:
            if link.operand.op.results:
                for user in self._program.users_of_all(link.result):
                    by_user[user].append(link)
        best: Sequence[Link] = links[:1]
        for together in by_user.values():
            kept: list[Link] = []
            for link in MAX_CONTAINERS.first(together):
                if all(cannot_coincide(link, other, self._program) for other in kept):
                    kept.append(link)
            if sum(map(moved, kept)) > sum(map(moved, best)):
                best = kept
        return best

    # Given memory ------------------------------------------------------------------------

    def _reason_against(self, root: SSAValue, link: Link) -> str | None:
        """Why the result cannot be around its part, in the memory of the root."""
        op = op_name(link.operand.op)
        if not is_given(root) or (is_constant(root) and not self._is_varied(link)):
            return None
        if _has_known_end(root) and 0 < size_of(root) < size_of(link.result):
            whose = "a constant" if is_constant(root) else "the caller's memory"
            return f"{op} needs room around its operand, and {whose} has none"
        if not is_writable(root) and self._is_varied(link):
            return f"{op} puts something beside it, in memory that must not be written"
        return None

    def _is_varied(self, link: Link) -> bool:
        """Whether something else is in the result, too, that is no constant."""
        places = self._program.places
        own = places.of(link.operand.value).root
        return bool(link.operand.op.results) and any(
            (
                (root := places.of(other.operand.value).root) is not own
                or _is_elsewhere(link, other, places)
            )
            and self._program.contents.moved(other)
            and not is_constant(root)
            for other in self._program.links.to_result[link.result]
        )


def _is_elsewhere(link: Link, other: Link, places: Places) -> bool:
    """
    Whether the other operand, a slice of the same tensor as that of the link, is not where the
    result would have it if the link's operand stayed in its place. The tensor is row-major: no
    bufferization can rely on callers that pass another layout.
    """
    root, path = places.of(link.operand.value)
    steps = *path, *places.of(other.operand.value).path
    part, next_part = box_of(link.part), box_of(other.part)
    shape = ranked_shape(root)
    if (
        other.kind is not LinkKind.PART
        or part is None
        or next_part is None
        or not len(path) == len(steps) - 1 == 1
        or len(shape) != len(part.sizes)
        or DYNAMIC_INDEX in shape[1:]
    ):
        return False
    ranges, next_ranges = (s.ranges for s in steps if isinstance(s, SliceStep))
    distance, stride = 0, 1
    for dim in reversed(range(len(shape))):
        own, size = ranges[dim], part.sizes[dim]
        step, moved = own.stride.number, next_ranges[dim].offset.minus(own.offset)
        apart = next_part.offsets[dim] - part.offsets[dim]
        # A single row may be followed by one at any distance.
        if (
            step is None
            or moved is None
            or own.size.number != size
            or (apart and size == 1)
        ):
            return False
        distance += stride * (apart * step - moved)
        stride *= shape[dim]
    return bool(distance)


def _has_known_end(root: SSAValue) -> bool:
    """Whether the memory of the tensor is known to end where the tensor does."""
    owner = root.owner
    if isinstance(owner, Operation) and not is_constant(root):
        return all(isinstance(value, BlockArgument) for value in owner.operands)
    return True


@dataclass(frozen=True, slots=True)
class CopyBound:
    """The copies that every bufferization of a function makes."""

    copies: Sequence[ForcedCopy]
    """Copies without which there is none; there may be more."""
    _program: Program
    """The facts that the bound follows from."""

    @property
    def size(self) -> int:
        """The bytes copied for each execution of the function, at least."""
        return total(self.copies)

    def needed(self, argument: BlockArgument) -> int:
        """The bytes of an argument of the function that are read or returned, at most."""
        return self._program.contents.needed(argument)

    @property
    def copies_of_unknown_size(self) -> Sequence[ForcedCopy]:
        """
        Those of the copies, in a bound of `UNKNOWN_IS_LARGE`, whose size is not known: made if
        the tensor has elements.
        """
        return [copy for copy in self.copies if is_of_unknown_size(copy.size)]

    def why_worthless(self, operand: Operand) -> str:
        """
        Why no bufferization has to keep what a copy made for the operand contains: a clause,
        without capital letter and full stop. Empty if that is not known.
        """
        root = self._program.places.of(operand.value).root
        return self._program.contents.why_worthless(root)

    def why_avoidable(self, operand: Operand, *, may_reorder: bool) -> str:
        """
        How the two tensors of a copy made for the operand, which is not forced, can be in one
        place: a clause as in `why_worthless`. Empty if that is not known. With `may_reorder`,
        the ops that read the old contents are known to be able to run first.
        """
        link = self._program.links.link(operand)
        root = self._program.places.of(operand.value).root
        if is_return(operand.op):
            return "a function may return memory that its caller owns, if they agree"
        match None if link is None else link.kind:
            case LinkKind.PART if not is_given(root):
                return f"it can be computed where {op_name(operand.op)} puts it"
            case LinkKind.UPDATE if may_reorder and is_writable(root):
                return (
                    "no op that needs the old contents has to run after "
                    f"{op_name(operand.op)}"
                )
            case _:
                return ""


def copy_bounds(
    module: ModuleOp, sizes: Sizes = UNKNOWN_IS_NOTHING
) -> Mapping[Operation, CopyBound]:
    """
    The bound of each function with a body, without what functions copy that it calls.

    The program is one on tensors, before One-Shot Bufferize. With `UNKNOWN_IS_LARGE`, only
    `CopyBound.copies_of_unknown_size` is of interest.

    Raises `BufferizationError` if a model refuses an op. The module has to be valid.
    """
    # What models say is valid for these ops only.
    for op in module.walk():
        if (model := BufferizableOpInterface.of(op)) is not None:
            model.verify_op(op, OneShotOptions())
    graph = CallGraph(module)
    bounds: dict[Operation, CopyBound] = {}

    def needed_by_callee(call: func.CallOp, index: int) -> int:
        callee = graph.callee(call)
        if callee is None:
            return 0
        if not callee.body.blocks:
            is_read = "read" in declared_access(callee, index)
            return sizes.of(call.operands[index]) if is_read else 0
        # The bounds of recursive functions are not all known.
        bound = bounds.get(callee)
        return 0 if bound is None else bound.needed(callee.args[index])

    callees_first = [f for component in graph.callees_first() for f in component]
    for function in dict.fromkeys((*callees_first, *functions_in(module))):
        if any(region.blocks for region in function.regions):
            bounds[function] = _copy_bound(function, needed_by_callee, sizes)
    return bounds


def _copy_bound(
    function: Operation, needed_by_callee: NeededByCallee, sizes: Sizes
) -> CopyBound:
    program = Program([function], needed_by_callee, sizes)
    by_writers = Writers(program).forced()
    by_containers = Containers(program).forced()
    copies: list[ForcedCopy] = []
    for root in dict.fromkeys((*by_writers, *by_containers)):
        # One copy may serve both.
        both = by_writers.get(root, ()), by_containers.get(root, ())
        copies += max(both, key=total)
    return CopyBound(copies, program)
