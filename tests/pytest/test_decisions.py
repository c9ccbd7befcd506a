"""
The same in-place decisions as mlir-opt on every program of the tests and examples, and
results that it accepts.

What differs is listed in `DIFFERENCES`, each with the section of docs/differences.md that
gives the reason; a difference that is gone has to leave the list.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.utils.exceptions import ParseError, VerifyException

from tests.environments import PROJECT
from tests.peer import MlirTools, PeerError
from tests.peer.runner import parse_module, print_generic
from tests.sharing import shared
from tests.slow import one_in
from xdsl_bufferization import OneShotOptions, one_shot_bufferize
from xdsl_bufferization.one_shot.bufferization import OneShotBufferization
from xdsl_bufferization.one_shot.decisions.annotations import IN_PLACE_ATTRIBUTE
from xdsl_bufferization.support.diagnostics import BufferizationError
from xdsl_bufferization.support.names import op_name

FILES = sorted(
    str(path.relative_to(PROJECT))
    for directory in ("tests/filecheck", "examples")
    for path in (PROJECT / directory).rglob("*.mlir")
    if "Output" not in path.parts  # what lit leaves behind
    and re.search(r"%.*tensor<", path.read_text())
)
"""Those with values that are tensors."""

UNREGISTERED = "--allow-unregistered-dialect"

OPTIONS = {
    "": OneShotOptions(),
    "bufferize-function-boundaries": OneShotOptions(bufferize_function_boundaries=True),
    "bufferize-function-boundaries allow-unknown-ops": OneShotOptions(
        bufferize_function_boundaries=True, allow_unknown_ops=True
    ),
}
"""What the analysis is run with, for mlir-opt and for ours."""

DIFFERENCES: Mapping[str, Mapping[str, str]] = {
    "tests/filecheck/transforms/one-shot-bufferize/attributes-errors.mlir": {
        "@misspelt_donation refused by us": "Donated arguments",
    },
    "tests/filecheck/transforms/eliminate-copies/memory-spaces.mlir": {
        "@compute_again @copy @result @pad refused by mlir-opt": "Memory spaces",
    },
    "tests/filecheck/transforms/eliminate-copies/nested-modules.mlir": {
        f"@twice {decision}, by mlir-opt none": "Modules within modules"
        for decision in (
            "linalg.fill: none true",
            "tensor.insert: none false none",
            "func.return: true true",
        )
    },
    "tests/filecheck/transforms/eliminate-copies/carried.mlir": {
        "@for @prefers @while @read_later @donated @not_donated refused by mlir-opt": (
            "Loops that yield other buffers"
        ),
    },
    "tests/filecheck/transforms/eliminate-copies/culprits.mlir": {
        "@insertion @heat refused by mlir-opt": "Loops that yield other buffers",
    },
    "tests/filecheck/transforms/eliminate-copies/destinations.mlir": {
        "@iteration_argument @filled @while @donated @read_later @counter "
        "@counter_used @counter_kept @in_branches @memory_is_written @in_front_of_the_loop "
        "refused by mlir-opt": ("Loops that yield other buffers"),
    },
    "tests/filecheck/transforms/eliminate-copies/arguments.mlir": {
        "@put_together @still_read @filled refused by mlir-opt": (
            "Loops that yield other buffers"
        ),
    },
    "tests/filecheck/transforms/eliminate-copies/turns.mlir": {
        "@even @odd @unknown @not_donated @few_bytes @useless @three @stencil @while @two "
        "@swapping @around_scalars refused by mlir-opt": "Loops that yield other buffers",
    },
    "tests/filecheck/transforms/eliminate-copies/turns-of-arguments.mlir": {
        "@below_peak @at_peak @one_of_two refused by mlir-opt": (
            "Loops that yield other buffers"
        ),
    },
    "tests/filecheck/transforms/eliminate-copies/turns-of-run-time-size.mlir": {
        "@even @while refused by mlir-opt": "Loops that yield other buffers",
    },
    "tests/filecheck/transforms/eliminate-copies/conditionals.mlir": {
        f"@{decision}": "Tensors that never share memory"
        for decision in (
            "chain linalg.exp: true true, by mlir-opt true false",
            "loop linalg.exp: true true, by mlir-opt true false",
            "used func.return: false true, by mlir-opt false false",
            "used linalg.exp: true true, by mlir-opt true false",
            "view linalg.exp: true true, by mlir-opt true false",
        )
    },
    "tests/filecheck/transforms/eliminate-moves/insertions.mlir": {
        "@row @scatter @reduced @read_later @kept @block @read_between @swapped refused by "
        "mlir-opt": "Loops that yield other buffers",
    },
    "tests/filecheck/report/move_reasons.mlir": {
        "@yielded linalg.transpose: true true, by mlir-opt true false": (
            "Tensors that never share memory"
        ),
    },
    "tests/filecheck/models/cf/new-tensor-in-loop.mlir": {
        "@loop linalg.exp: true false, by mlir-opt true true": (
            "Control flow between blocks"
        ),
    },
    "tests/filecheck/models/tensor/extract_slice.mlir": {
        f"@steps_that_may_be_zero {decision}": "Memory that overlaps itself"
        for decision in (
            "tensor.insert: none false none, by mlir-opt none true none",
            "tensor.extract_slice: true none, by mlir-opt false none",
        )
    },
    "tests/filecheck/models/bufferization/self_overlapping_memrefs.mlir": {
        "@conditional tensor.insert: none false none, by mlir-opt none true none": (
            "Memory that overlaps itself"
        ),
        "@refused refused by us": "Memory that overlaps itself",
    },
    "tests/filecheck/models/tensor/conditional-slices.mlir": {
        "@same_slice tensor.extract_slice: true, by mlir-opt false": "Parts of tensors",
    },
    "tests/filecheck/transforms/bufferize-arena/run-time-sizes.mlir": {
        "@net @layer @layers refused by mlir-opt": "Loops that yield other buffers",
    },
    "tests/filecheck/transforms/bufferize-arena/static.mlir": {
        "@argument_or_new linalg.exp: true true, by mlir-opt true false": (
            "Tensors that never share memory"
        ),
    },
    "tests/filecheck/report/destinations.mlir": {
        "@layer @decode refused by mlir-opt": "Loops that yield other buffers",
    },
    "tests/filecheck/transforms/bufferize-destinations/decode.mlir": {
        "@layer @decode refused by mlir-opt": "Loops that yield other buffers",
    },
    "tests/filecheck/transforms/bufferize-nested-modules.mlir": {
        "@f @g @k refused by mlir-opt": "Loops that yield other buffers",
    },
    "tests/filecheck/transforms/one-shot-bufferize/dialect-by-dialect.mlir": {
        "@chosen @written_before @constant refused by mlir-opt": (
            "to_tensor of an earlier bufferization"
        ),
    },
    "tests/filecheck/transforms/bufferize-destinations/donated.mlir": {
        "@relu @layers @exp @repeated @read_after @of_argument @callers @needed_to_the_end "
        "@product refused by mlir-opt": "Loops that yield other buffers",
    },
    "tests/filecheck/transforms/bufferize-destinations/kept.mlir": {
        "@branches @passed_on @argument_or_new @after_the_peak @recursive @named @loop "
        "@once @no_loop refused by mlir-opt": "Recursion",
        "@argument_or_new linalg.exp: true true, by mlir-opt true false": (
            "Tensors that never share memory"
        ),
    },
    "tests/filecheck/transforms/bufferize-returned-constants.mlir": {
        f"@{function} tensor.insert: none false none, by mlir-opt none true none": (
            "Constants that functions return"
        )
        for function in ("uses_branches", "uses_weights", "uses_zeros")
    },
    "examples/copies/stencil.mlir": {
        "@stencil refused by mlir-opt": "Loops that yield other buffers",
    },
    "tests/filecheck/one_shot/same-op.mlir": {
        "@same_slice_twice tensor.extract_slice: true none, "
        "by mlir-opt false none": "Loops that read what they will overwrite",
        "@same_tensor_twice scf.for: none none none false true, "
        "by mlir-opt none none none false false": "Several operands of one op",
        "@within scf.for: none none none true false none, "
        "by mlir-opt none none none true true none": "Several operands of one op",
        "@may_return_either func.call: true false, "
        "by mlir-opt true true": "Several operands of one op",
    },
    "tests/filecheck/report/advice.mlir": {
        "@may_return_either func.call: true false, "
        "by mlir-opt true true": "Several operands of one op",
        "@results tensor.insert: none false none, by mlir-opt none true none": (
            "Results in one buffer"
        ),
    },
    "tests/filecheck/transforms/verify-bufferization-decisions-memrefs.mlir": {
        f"@{function} bufferization.to_buffer: false, by mlir-opt true": (
            "Memrefs of tensors"
        )
        for function in ("copied", "view", "written")
    },
    "tests/filecheck/transforms/verify-bufferization-decisions.mlir": {
        "@swapped_before refused by mlir-opt": "Loops that yield other buffers",
        "@external @result_in_one_of_two refused by mlir-opt": (
            "Loops that yield other buffers"
        ),
        "@external @result_in_either refused by mlir-opt": (
            "Loops that yield other buffers"
        ),
        "@not_swapped refused by mlir-opt": "Loops that yield other buffers",
        "@results_in_one tensor.insert: none false none, by mlir-opt none true none": (
            "Results in one buffer"
        ),
        "@two_entries cf.cond_br: none true false, by mlir-opt none true true": (
            "Control flow between blocks"
        ),
        "@allocated_in_loop_with_two_entries linalg.fill: none true, "
        "by mlir-opt none false": "Control flow between blocks",
        "@allocated_in_loop_with_two_entries cf.cond_br: none false, "
        "by mlir-opt none true": "Control flow between blocks",
        "@tiles_of_a_choice scf.for: none none none true, "
        "by mlir-opt none none none false": "Loops that read what they will overwrite",
    },
    "tests/filecheck/one_shot/subsets.mlir": {
        "@source_is_a_copy @onto_itself @materialize_onto_itself @onto_another "
        "@reverse @insert_what_a_function_returns @write_a_part_of_the_slice "
        "refused by mlir-opt": "Copies of a tensor onto itself",
    },
    "tests/filecheck/one_shot/tile-nests.mlir": {
        "@parallel scf.forall: true, by mlir-opt false": (
            "Loops that read what they will overwrite"
        ),
        **{
            f"@{function} scf.for: none none none true, "
            "by mlir-opt none none none false": "Loops that read what they will overwrite"
            for function in ("nest", "rows")
        },
    },
    "tests/filecheck/one_shot/tiles.mlir": {
        f"@{function} scf.for: none none none true, by mlir-opt none none none false": (
            "Loops that read what they will overwrite"
        )
        for function in ("tiles", "partial", "dynamic_step", "elements")
    },
    "tests/filecheck/one_shot/writability.mlir": {
        "@new_or_constant linalg.fill: none true, by mlir-opt none false": (
            "Read-only memory"
        ),
    },
    "tests/filecheck/dialects/bufferization/alloc_tensor.mlir": {
        "@sizes @copy @unranked_copy @size_hint @memory_space @extras refused by us": (
            "Unranked memrefs"
        ),
    },
    "tests/filecheck/dialects/arith/index_cast.mlir": {
        "@casts arith.index_cast: true, by mlir-opt false": (
            "arith.index_cast and arith.index_castui"
        ),
    },
    "tests/filecheck/models/tensor/cast_unranked.mlir": {
        "@same_type @writes @calls refused by mlir-opt": "Unranked memrefs",
    },
    "tests/filecheck/models/tensor/insert_slice.mlir": {
        "@parts_of_the_source tensor.extract_slice: true, by mlir-opt false": (
            "Parts of tensors"
        ),
        "@rows_of_tiles scf.for: none none none true, by mlir-opt none none none false": (
            "Loops that read what they will overwrite"
        ),
    },
    "tests/filecheck/transforms/one-shot-bufferize/copy-before-write-calls.mlir": {
        "@writes_constant tensor.insert: none false none, by mlir-opt none true none": (
            "Constants that functions return"
        ),
    },
    "tests/filecheck/transforms/one-shot-bufferize/element-types.mlir": {
        "@pointers refused by us": "Element types",
        "@quantized refused by us": "Element types",
        "@unranked refused by us": "Element types",
    },
    "tests/filecheck/transforms/one-shot-bufferize/layouts.mlir": {
        "@elements @from_tiled @to_tiled @either @collapsed @linear @symbol "
        "@identity refused by mlir-opt": ("Layouts of copies"),
    },
    "tests/filecheck/models/bufferization/materialize_in_destination_loops.mlir": {
        "@result_of_a_loop @result_of_a_while @changed_places "
        "@changed_places_after_a_condition refused by mlir-opt": (
            "Loops that yield other buffers"
        ),
    },
    "tests/filecheck/report/limits.mlir": {
        "@nine arith.select: none false true, by mlir-opt none true true": (
            "Tensors of the same origin"
        ),
    },
    "tests/filecheck/report/tensors.mlir": {
        "@loop @first @square @constant @both @swap @slice @depends @splat @joined "
        "refused by mlir-opt": "Loops that yield other buffers",
    },
    "tests/filecheck/transforms/one-shot-bufferize/locations.mlir": {
        "@exchange @swap refused by mlir-opt": "Loops that yield other buffers",
    },
    "tests/filecheck/transforms/one-shot-bufferize/outside-of-functions.mlir": {
        "tensor.extract: true none, by mlir-opt none": "Ops outside of functions",
        "tensor.insert: none false none, by mlir-opt none": "Ops outside of functions",
    },
    "tests/filecheck/transforms/one-shot-bufferize/sparse.mlir": {
        "@sparse refused by us": "Element types",
    },
    "tests/filecheck/one_shot/parts.mlir": {
        "@halves tensor.extract_slice: true, by mlir-opt false": "Parts of tensors",
        "@even_and_odd tensor.extract_slice: true, by mlir-opt false": (
            "Parts of tensors"
        ),
        "@next_element tensor.insert: none true none, by mlir-opt none false none": (
            "Parts of tensors"
        ),
    },
    "tests/filecheck/one_shot/whole-slices.mlir": {
        "@loop @overwritten @part refused by mlir-opt": "Parts of tensors",
    },
    "tests/filecheck/one_shot/returned-constant.mlir": {
        "@write_result tensor.insert: none false none, by mlir-opt none true none": (
            "Constants that functions return"
        ),
    },
    "tests/filecheck/one_shot/same-origin.mlir": {
        "@subset tensor.cast: true, by mlir-opt false": "Tensors of the same origin",
    },
    "tests/filecheck/dialects/bufferization/to_tensor.mlir": {
        "@to_tensor @types refused by us": "Dead to_tensor ops",
    },
    "tests/filecheck/dialects/bufferization/to_tensor_short.mlir": {
        "@short refused by us": "Dead to_tensor ops",
    },
    "tests/filecheck/dialects/bufferization/xdsl_passes/csl_stencil_bufferize.mlir": {
        "@stencil csl_stencil.apply: none true none, by mlir-opt none false none": (
            "Ops that stay on tensors"
        ),
    },
    "tests/filecheck/models/arith/index_cast.mlir": {
        "@dynamic @static @rank_zero refused by mlir-opt": (
            "arith.index_cast and arith.index_castui"
        ),
        **{
            f"@{function} arith.index_castui: true, by mlir-opt false": (
                "arith.index_cast and arith.index_castui"
            )
            for function in ("dynamic", "static", "rank_zero")
        },
    },
    "tests/filecheck/models/bufferization/to_buffer.mlir": {
        "@written @read_only @layout @no_layout @static_layout @memory_space "
        "refused by mlir-opt": "Layouts of copies",
    },
    "tests/filecheck/models/bufferization/to_buffer_uses.mlir": {
        "@carried_by_blocks cf.cond_br: none true none, "
        "by mlir-opt none false none": "Control flow between blocks",
        **{
            f"@{function} bufferization.to_buffer: false, by mlir-opt true": (
                "Memrefs of tensors"
            )
            for function in (
                "branch",
                "either_block",
                "from_the_block_behind",
                "given_to_a_loop",
                "read_behind_the_write",
                "read_in_each_iteration",
                "returned",
                "through_views",
                "two_memrefs",
                "written_later",
            )
        },
        **{
            f"@{function} tensor.insert: none false none, "
            "by mlir-opt none true none": "Memrefs of tensors"
            for function in (
                "carried_by_a_loop",
                "carried_by_blocks",
                "carried_within_a_block",
                "either",
            )
        },
    },
    "tests/filecheck/models/affine/affine.mlir": {
        "@in_place @conditional refused by mlir-opt": "Affine loops and conditionals",
        "@in_place affine.for: none true, by mlir-opt none false": (
            "Affine loops and conditionals"
        ),
        "@in_place tensor.insert: none true none, by mlir-opt none false none": (
            "Affine loops and conditionals"
        ),
        "@conditional affine.yield: true, by mlir-opt false": (
            "Affine loops and conditionals"
        ),
    },
    "tests/filecheck/models/affine/tiles.mlir": dict.fromkeys(
        (
            "@may_not_run linalg.fill: none true, by mlir-opt none false",
            "@overlapping tensor.extract_slice: true none, by mlir-opt false none",
            "@overlapping tensor.insert_slice: true true none, by mlir-opt true false none",
            "@runs linalg.fill: none true, by mlir-opt none false",
            "@tiles @overlapping @runs @may_not_run refused by mlir-opt",
            "@tiles affine.for: true, by mlir-opt false",
            "@tiles tensor.extract_slice: true none, by mlir-opt false none",
            "@tiles tensor.insert_slice: true true none, by mlir-opt true false none",
        ),
        "Affine loops and conditionals",
    ),
    "tests/filecheck/models/cf/br.mlir": {
        "@loop_reads tensor.insert: none false none, by mlir-opt none true none": (
            "Control flow between blocks"
        ),
        "@loop cf.cond_br: none true, by mlir-opt none false": ("Read-only memory"),
    },
    "tests/filecheck/models/cf/cond_br.mlir": {
        "@read_after tensor.insert: none false none, by mlir-opt none true none": (
            "Control flow between blocks"
        ),
    },
    "tests/filecheck/models/cf/layouts.mlir": {
        "@join linalg.fill: none true, by mlir-opt none false": ("Read-only memory"),
        "@loop linalg.fill: none true, by mlir-opt none false": (
            "Control flow between blocks"
        ),
    },
    "tests/filecheck/models/cf/switch.mlir": {
        "@switch cf.switch: none true none true, by mlir-opt none false none false": (
            "Ops that stay on tensors"
        ),
    },
    "tests/filecheck/models/cf/unreachable.mlir": {
        "@order refused by mlir-opt": "Control flow between blocks",
    },
    "tests/filecheck/models/func/buffer_layout.mlir": {
        "@transposed @caller @external @strided @recursive refused by mlir-opt": (
            "Layouts of arguments"
        ),
    },
    "tests/filecheck/models/func/buffer_layout-errors.mlir": {
        "@rank refused by us": "Layouts of arguments",
    },
    "tests/filecheck/models/func/donated_arguments-errors.mlir": {
        "@no_index refused by us": "Donated arguments",
        "@no_result refused by us": "Donated arguments",
        "@negative refused by us": "Donated arguments",
        "@no_memory refused by us": "Donated arguments",
        "@two refused by us": "Donated arguments",
        "@types refused by us": "Donated arguments",
        "@read_only refused by us": "Donated arguments",
        "@declared @calls refused by us": "Donated arguments",
        "@unranked refused by us": "Donated arguments",
    },
    "tests/filecheck/models/func/donated_arguments-loop.mlir": {
        "@loop @declared refused by mlir-opt": "Donated arguments",
    },
    "tests/filecheck/models/func/recursive.mlir": {
        "@reader func.call: true none, by mlir-opt false none": "Recursion",
    },
    "tests/filecheck/models/func/written_arguments.mlir": {
        f"{decision}, by mlir-opt {theirs}": "Calls that may return their argument"
        for decision, theirs in (
            ("@changed linalg.fill: none true", "none false"),
            ("@scaled linalg.fill: none true", "none false"),
            ("@sum tensor.extract_slice: true none none", "false none none"),
            ("@sum linalg.add: true true true", "true true false"),
            ("@constant func.call: true none none", "false none none"),
            ("@sums func.call: true none none none", "false none none none"),
        )
    },
    "tests/filecheck/models/func/call.mlir": {
        "@gives_one_tensor_twice func.call: true false none none none, "
        "by mlir-opt true true none none none": "Several operands of one op",
    },
    "tests/filecheck/models/func/shared_results.mlir": {
        "@caller tensor.insert: none false none, by mlir-opt none true none": (
            "Results in one buffer"
        ),
        "@twice func.return: false true, by mlir-opt false false": (
            "Several operands of one op"
        ),
        "@calls_unknown tensor.insert: none false none, by mlir-opt none true none": (
            "Results in one buffer"
        ),
        "@calls_unknown func.call: true, by mlir-opt false": "Results in one buffer",
    },
    "tests/filecheck/models/linalg/generic.mlir": {
        "@each_run_fills linalg.fill: none false, by mlir-opt none true": (
            "Parallel regions"
        ),
        "@body_writes tensor.insert: none false none, by mlir-opt none true none": (
            "Parallel regions"
        ),
    },
    "tests/filecheck/models/tensor/not_bufferizable.mlir": {
        "@signs @scatter refused by us": "Casts of bits",
    },
    "tests/filecheck/models/tensor/bitcast.mlir": {
        "@static @dynamic refused by mlir-opt": "Casts of bits",
        "@static tensor.bitcast: true, by mlir-opt false": "Casts of bits",
        "@dynamic tensor.bitcast: true, by mlir-opt false": "Casts of bits",
        "@dynamic tensor.insert: none true none none, "
        "by mlir-opt none false none none": "Casts of bits",
    },
    "tests/filecheck/models/linalg/pack.mlir": {
        difference: "Packing"
        for difference in (
            "@whole_tiles @padding @dynamic_tile @out_of_place @no_tiles @same "
            "refused by mlir-opt",
            "@whole_tiles linalg.pack: true true, by mlir-opt false false",
            "@padding linalg.pack: true true none, by mlir-opt false false none",
            "@dynamic_tile linalg.pack: true true none, by mlir-opt false false none",
            "@out_of_place linalg.pack: true false, by mlir-opt false false",
            "@no_tiles linalg.pack: true true, by mlir-opt false false",
            "@same linalg.pack: true true, by mlir-opt false false",
            "@same tensor.collapse_shape: false, by mlir-opt true",
        )
    },
    "tests/filecheck/models/linalg/unpack.mlir": {
        difference: "Packing"
        for difference in (
            "@whole_tiles @partial_tiles @out_of_place refused by mlir-opt",
            "@whole_tiles linalg.unpack: true true, by mlir-opt false false",
            "@partial_tiles linalg.unpack: true true, by mlir-opt false false",
            "@out_of_place linalg.unpack: true false, by mlir-opt false false",
        )
    },
    "tests/filecheck/models/cf/same_block.mlir": {
        "@same_block refused by mlir-opt": "Control flow between blocks",
    },
    "tests/filecheck/models/func/unranked.mlir": {
        "@external @written_unranked refused by mlir-opt": "Unranked memrefs",
    },
    "tests/filecheck/models/scf/execute_region_blocks.mlir": {
        "@blocks @endless refused by mlir-opt": "Control flow between blocks",
    },
    "tests/filecheck/one_shot/execute-region-left-otherwise.mlir": {
        "@never_yields @yields_or_not refused by mlir-opt": "Control flow between blocks",
    },
    "tests/filecheck/models/scf/for_buffers.mlir": {
        "@swap @swap_same @shift @twice @slices_swap @in_turn @from_outside refused by mlir-opt": (
            "Loops that yield other buffers"
        ),
    },
    "tests/filecheck/models/scf/index_switch.mlir": {
        "@result_is_written tensor.insert: none false none, by mlir-opt none true none": (
            "Results of index_switch"
        ),
        "@in_place func.return: false, by mlir-opt true": "Results of index_switch",
    },
    "tests/filecheck/models/ml_program/only-read.mlir": {
        **{
            f"@{function} ml_program.global_store: true, by mlir-opt false": (
                "Globals of ml_program"
            )
            for function in ("stored_behind", "stored_in_front", "stored_in_the_loop")
        },
        **{
            f"@{function}, by mlir-opt {decision}": "Globals of ml_program"
            for function, decision in (
                ("written tensor.insert: none true none", "none false none"),
                ("returned func.return: true", "false"),
                ("forwarded scf.for: none none none true", "none none none false"),
            )
        },
    },
    "tests/filecheck/models/ml_program/ml_program.mlir": {
        "@load_and_store refused by mlir-opt": "Globals of ml_program",
    },
    "tests/filecheck/dialects/bufferization/xdsl_passes/convert_ml_program_to_memref.mlir": {
        "refused by mlir-opt": "Globals of ml_program",
    },
    "tests/filecheck/models/scf/while.mlir": {
        "@in_place @swap @replaced @init_is_read @scalars @uninitialised "
        "refused by mlir-opt": "Loops that yield other buffers",
    },
    "tests/filecheck/models/vector/mask.mlir": {
        "@read @write @whole @nothing refused by mlir-opt": "Masked writes",
    },
    "tests/filecheck/models/vector/transfer_read.mlir": {
        "@part tensor.insert: none true none, by mlir-opt none false none": (
            "Parts of tensors"
        ),
        "@columns tensor.insert: none true none none, by mlir-opt none false none none": (
            "Parts of tensors"
        ),
    },
    "tests/filecheck/models/vector/transfer_write.mlir": {
        "@part vector.transfer_write: none true none, by mlir-opt none false none": (
            "Parts of tensors"
        ),
    },
    "tests/filecheck/transforms/eliminate-empty-tensors/control-flow.mlir": {
        difference: "Control flow between blocks"
        for difference in (
            "@not_dominated cf.br: true true, by mlir-opt true false",
            "@not_dominated cf.br: true true, by mlir-opt false false",
            "@not_dominated linalg.fill: none true, by mlir-opt none false",
            "@blocks func.return: true, by mlir-opt false",
            "@blocks tensor.insert_slice: true true, by mlir-opt true false",
        )
    },
    "tests/filecheck/transforms/one-shot-bufferize/errors.mlir": {
        "@parallel refused by us": "Parallel loops with tensors as results",
        "@destination_is_shared_by_runs refused by us": "Parallel regions",
    },
    "tests/filecheck/transforms/one-shot-bufferize/memory-spaces-functions.mlir": {
        "@returns @calls @external @calls_external refused by mlir-opt": (
            "Memory spaces"
        ),
    },
    "tests/filecheck/transforms/one-shot-bufferize/memory-spaces.mlir": {
        "@alloc_tensor @copies @views @destination @loop @computed_from "
        "refused by mlir-opt": "Memory spaces",
    },
    "tests/filecheck/transforms/one-shot-bufferize/must-be-in-place-option.mlir": {
        "@handed_over refused by mlir-opt": "Loops that yield other buffers",
    },
    "tests/filecheck/transforms/one-shot-bufferize/must-be-in-place.mlir": {
        f"@{function} refused by us": "In place or fail"
        for function in (
            "conflict",
            "in_place",
            "later_write",
            "not_writable",
            "wrong_kind",
            "wrong_length",
        )
    },
    "tests/filecheck/transforms/one-shot-bufferize/stale-annotations.mlir": {
        "@f @g crashes mlir-opt": "Stale annotations",
    },
}
"""By file: what differs, and the section of docs/differences.md that says why."""


@dataclass
class Comparison:
    """What came of comparing a file's programs."""

    compared: int = 0
    """Programs given to both tools; one with each of the options counts once each."""
    differences: set[str] = field(default_factory=set[str])


@cache
def compare(tools: MlirTools, file: str) -> Comparison:
    """Compare the decisions on each program of the file."""
    comparison = Comparison()
    programs = readable_by_both(tools, file)
    results: list[str] = []
    for flags, options in OPTIONS.items():
        for program, peer, annotated in zip(
            programs,
            run_mlir_opt(tools, programs, flags),
            run_mlir_opt(tools, programs, f"{flags} test-analysis-only"),
            strict=True,
        ):
            comparison.compared += 1
            comparison.differences.update(
                compare_decisions(program, options, peer, annotated, results)
            )
    # What mlir-opt prints has passed its verifier.
    for accepted in tools.opt_each(results, UNREGISTERED):
        if isinstance(accepted, PeerError):
            raise accepted
    return comparison


def valid_programs(file: str) -> Iterator[ModuleOp]:
    """The programs of the file that are valid."""
    for text in re.split(r"^// -----.*$", (PROJECT / file).read_text(), flags=re.M):
        try:
            module = parse_module(text)
            module.verify()
        except (ParseError, VerifyException):
            continue
        yield module


@cache
def readable_by_both(tools: MlirTools, file: str) -> Sequence[str]:
    """The programs of the file that are valid to both tools, in generic form."""
    programs = [*map(print_generic, valid_programs(file))]
    return [
        program
        for program, read in zip(
            programs, tools.opt_each(programs, UNREGISTERED), strict=True
        )
        if not isinstance(read, PeerError)
    ]


def compare_decisions(
    program: str,
    options: OneShotOptions,
    peer: str | PeerError,
    annotated: str | PeerError,
    results: list[str],
) -> Iterator[str]:
    """
    What differs, each as text. `peer` is what mlir-opt makes of the program, `annotated` what it
    decides; what is made of it here is added to `results`.
    """
    module = parse_module(program)
    symbols = "".join(
        f"@{op.sym_name.data} " for op in module.ops if isinstance(op, FuncOp)
    )
    refusals: list[str] = []
    # All of it, as mlir-opt finds ops that it cannot bufferize only when rewriting.
    result = parse_module(program)
    try:
        one_shot_bufferize(Context(), result, options)
    except BufferizationError:
        refusals.append("us")
    else:
        try:
            result.verify()
        except VerifyException:
            yield f"{symbols}result refused by xDSL"
        results.append(print_generic(result))
    if isinstance(peer, PeerError):
        refusals.append("mlir-opt")
    if refusals:
        if len(refusals) == 1:
            yield f"{symbols}refused by {refusals[0]}"
        return
    one_shot = OneShotBufferization(module, options)
    one_shot.analyze()
    one_shot.annotate()
    if isinstance(annotated, PeerError):
        # Without writing the decisions into the program, it did not.
        yield f"{symbols}crashes mlir-opt"
        return
    ours, theirs = decisions(module), decisions(parse_module(annotated))
    for (op, have), (_, want) in zip(ours, theirs, strict=True):
        if have != want:
            yield f"{op}: {have}, by mlir-opt {want}"


def run_mlir_opt(
    tools: MlirTools, programs: Sequence[str], flags: str
) -> Sequence[str | PeerError]:
    return tools.opt_each(programs, UNREGISTERED, f"--one-shot-bufferize={flags}")


def decisions(module: ModuleOp) -> list[tuple[str, str]]:
    """For each op in program order what it is, and which operands are in place."""
    return [(describe(op), in_place(op)) for op in module.walk()]


def describe(op: Operation) -> str:
    function = op
    while not isinstance(function, FuncOp) and (parent := function.parent_op()):
        function = parent
    symbol = f"@{function.sym_name.data} " if isinstance(function, FuncOp) else ""
    return f"{symbol}{op_name(op)}"


def in_place(op: Operation) -> str:
    attribute = op.attributes.get(IN_PLACE_ATTRIBUTE)
    return "none" if attribute is None else " ".join(re.findall(r"\w+", str(attribute)))


@pytest.mark.parametrize("file", one_in(90, FILES))
def test_decisions_are_those_of_mlir_opt(
    mlir_tools: MlirTools, shared_directory: Path, file: str
):
    count_compared(mlir_tools, file, shared_directory)
    assert compare(mlir_tools, file).differences == set(DIFFERENCES.get(file, ()))


def count_compared(tools: MlirTools, file: str, directory: Path) -> int:
    """How many programs of the file are compared, as another process may have found."""
    path = directory / f"decisions-{FILES.index(file)}"
    return int(shared(path, lambda: str(compare(tools, file).compared)))


@pytest.mark.slow
def test_enough_programs_are_compared(
    mlir_tools: MlirTools, shared_directory: Path, capsys: pytest.CaptureFixture[str]
):
    compared = sum(count_compared(mlir_tools, file, shared_directory) for file in FILES)
    with capsys.disabled():
        print(f"\ndecisions compared with mlir-opt on {compared} programs")
    assert compared >= 150


def test_each_difference_is_documented():
    headings = re.findall(
        r"^#+ (.*)$", (PROJECT / "docs" / "differences.md").read_text(), flags=re.M
    )
    listed = {section for file in DIFFERENCES.values() for section in file.values()}
    assert listed <= set(headings)
    assert set(DIFFERENCES) <= set(FILES)
