"""
Attributes and types that are kept as they are written.

xDSL lacks many dialects of MLIR. Their attributes stand in programs that bufferize: as memory
spaces, as mappings of loops, as targets of modules. No pass looks into them, so each is the text
between its brackets, in which aliases are replaced. Two that are spaced differently are not
equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import (
    Attribute,
    Dialect,
    ParametrizedAttribute,
    SpacedOpaqueSyntaxAttribute,
    TypeAttribute,
)
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

_OPENING, _CLOSING = "<([{", ">)]}"

_NAMES = {
    "amdgpu": "#address_space #sched_barrier_opt",
    "async": "!coro.handle !coro.id !coro.state !group !token !value",
    "gpu": """
        #kernel_metadata #kernel_table #object #select_object
        #-broadcast #-mat_transpose_mode #-mma_element_wise #-prune_2to4_spmat_flag
        #-shuffle_mode #-spgemm_work_estimation_or_compute_kind
        !mma_matrix !sparse.dntensor_handle !sparse.spgemmop_handle !sparse.spmat_handle
    """,
    "index": "#-cmp_predicate",
    "llvm": """
        #access_group #address_space #alias_scope #alias_scope_domain #loop_annotation
        #poison #target_features #tbaa_root #tbaa_tag #tbaa_type_desc #undef #zero
    """,
    "nvgpu": """
        !device.async.token !mbarrier.group !mbarrier.token !tensormap.descriptor
        !warpgroup.accumulator !warpgroup.descriptor
    """,
    "nvvm": "#memory_space #shared_space #target",
    "ptr": "#generic_space !ptr !ptr_metadata",
    "quant": "!any !calibrated !uniform",
    "rocdl": "#target",
    "shape": "!shape !size !value_shape !witness",
    "sparse_tensor": "#encoding !iter_space !iterator !storage_specifier",
    "spirv": """
        #entry_point_abi #interface_var_abi #resource_limits #storage_class #target_env #vce
        !array !coopmatrix !image !matrix !ptr !rtarray !sampled_image !struct
    """,
    "xegpu": "#block_tdesc_attr #layout #scatter_tdesc_attr #slice !nbarrier !tensor_desc",
    "xevm": "#target",
}
"""
The names of attributes and types, by dialect. Those with a `-` are written in the dialect's
brackets: `#gpu<shuffle_mode xor>`.
"""


class TextAttribute(ParametrizedAttribute):
    """An attribute, or a type, whose parameters are the text that they are written as."""

    text: StringAttr
    """With its brackets; empty if there is none."""

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        content = parser.lexer.input.content
        is_inner = issubclass(cls, SpacedOpaqueSyntaxAttribute)
        if not is_inner and not content.startswith("<", parser.pos):
            return (StringAttr(""),)
        return (StringAttr(_parse_text(parser, is_inner)),)

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string(self.text.data)


def _parse_text(parser: AttrParser, is_inner: bool) -> str:
    """The text up to the bracket that closes it: one in the text, or, if inner, around it."""
    content = parser.lexer.input.content
    parts: list[str] = []
    depth, end = 0, parser.pos
    while True:
        token = content[parser.pos : parser.lexer.pos]
        if not token:
            parser.raise_error("closing bracket expected")
        if is_inner and not depth and token in _CLOSING:
            return "".join(parts)
        depth += (token in _OPENING) - (token in _CLOSING)
        # Spaces, line breaks, and comments.
        parts.append(" " if content[end : parser.pos] else "")
        end = parser.lexer.pos
        parts.append(_without_alias(parser, token, content[end : end + 1]))
        parser.parse_characters(token)
        if not is_inner and not depth:
            return "".join(parts)


def _without_alias(parser: AttrParser, token: str, following: str) -> str:
    """The token, or the attribute that it is an alias of."""
    if token[0] not in "#!" or len(token) == 1 or "." in token or following == "<":
        return token
    if token not in parser.attribute_aliases:
        parser.raise_error(f"undefined symbol alias '{token}'")
    return str(parser.attribute_aliases[token])


def _define(dialect: str, written: str) -> type[TextAttribute]:
    is_type, is_inner = written[0] == "!", written[1] == "-"
    mnemonic = written[1 + is_inner :]

    bases: list[type[Attribute]] = [TextAttribute]
    if is_type:
        bases.append(TypeAttribute)
    if is_inner:
        bases.append(SpacedOpaqueSyntaxAttribute)
    words = f"{dialect}_{mnemonic}".replace(".", "_").split("_")
    members = {
        "name": f"{dialect}.{mnemonic}",
        "__doc__": f"The {'type' if is_type else 'attribute'} `{written[0]}{dialect}."
        f"{mnemonic}`, kept as it is written; its field is `text`.",
        "__module__": __name__,
    }
    class_name = "".join(map(str.title, words)) + ("Type" if is_type else "Attr")
    kind = cast("type[TextAttribute]", type(class_name, (*bases,), members))
    return irdl_attr_definition(kind)


_CLASSES = {
    dialect: [_define(dialect, name) for name in names.split()]
    for dialect, names in _NAMES.items()
}

# For imports by name, and pickle.
globals().update((kind.__name__, kind) for kinds in _CLASSES.values() for kind in kinds)


def text_attributes(dialect: str) -> Sequence[type[TextAttribute]]:
    """The classes for a dialect."""
    return _CLASSES[dialect]


def text_dialect(name: str) -> Dialect:
    """A dialect that xDSL lacks, without ops."""
    return Dialect(name, [], [*_CLASSES[name]])
