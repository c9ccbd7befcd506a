// An option that is not understood, or has no such value, is an error.

// RUN: not xdsl-opt %s -p 'one-shot-bufferize{no-such-option=true}' 2>&1 | filecheck %s --check-prefix=UNKNOWN
// UNKNOWN-NOT: Traceback
// UNKNOWN: error: one-shot-bufferize has no option 'no-such-option'; its options are allow-return-allocs-from-loops, allow-unknown-ops, analysis-fuzzer-seed, analysis-heuristic, buffer-alignment, bufferize-function-boundaries

// RUN: not xdsl-opt %s -p 'one-shot-bufferize{allow-unknown-ops=perhaps}' 2>&1 | filecheck %s --check-prefix=FLAG
// FLAG-NOT: Traceback
// FLAG: error: one-shot-bufferize: 'perhaps' is not a value of allow-unknown-ops; it takes true or false

// RUN: not xdsl-opt %s -p 'one-shot-bufferize{buffer-alignment=wide}' 2>&1 | filecheck %s --check-prefix=NUMBER
// NUMBER-NOT: Traceback
// NUMBER: error: one-shot-bufferize: 'wide' is not a value of buffer-alignment; it takes an integer

// RUN: not xdsl-opt %s -p 'one-shot-bufferize{buffer-alignment=-64}' 2>&1 | filecheck %s --check-prefix=NEGATIVE
// NEGATIVE-NOT: Traceback
// NEGATIVE: error: one-shot-bufferize: '-64' is not a value of buffer-alignment; it is 0 or a power of two, in bytes

// RUN: not xdsl-opt %s -p 'one-shot-bufferize{function-boundary-type-conversion=identity}' 2>&1 | filecheck %s --check-prefix=BOUNDARY
// BOUNDARY-NOT: Traceback
// BOUNDARY: error: one-shot-bufferize: 'identity' is not a value of function-boundary-type-conversion; its values are infer-layout-map, identity-layout-map, fully-dynamic-layout-map

// The layout of a buffer that an unknown op defines cannot be inferred.
// RUN: not xdsl-opt %s -p 'one-shot-bufferize{unknown-type-conversion=infer-layout-map}' 2>&1 | filecheck %s --check-prefix=UNKNOWN-TYPE
// UNKNOWN-TYPE-NOT: Traceback
// UNKNOWN-TYPE: error: one-shot-bufferize: 'infer-layout-map' is not a value of unknown-type-conversion; its values are identity-layout-map, fully-dynamic-layout-map

// RUN: not xdsl-opt %s -p 'one-shot-bufferize{print-conflicts=true}' 2>&1 | filecheck %s --check-prefix=PRINT
// PRINT-NOT: Traceback
// PRINT: error: one-shot-bufferize: print-conflicts requires test-analysis-only

// RUN: not xdsl-opt %s -p 'one-shot-bufferize{test-analysis-only=true copy-before-write=true}' 2>&1 | filecheck %s --check-prefix=NO-ANALYSIS
// NO-ANALYSIS-NOT: Traceback
// NO-ANALYSIS: error: one-shot-bufferize: copy-before-write skips the analysis

// RUN: not xdsl-opt %s -p 'one-shot-bufferize{dump-alias-sets}' 2>&1 | filecheck %s --check-prefix=DUMP
// DUMP-NOT: Traceback
// DUMP: error: one-shot-bufferize: dump-alias-sets requires test-analysis-only

// RUN: not xdsl-opt %s -p 'one-shot-bufferize{no-analysis-func-filter=f}' 2>&1 | filecheck %s --check-prefix=NO-FUNCTIONS
// NO-FUNCTIONS-NOT: Traceback
// NO-FUNCTIONS: error: one-shot-bufferize: no-analysis-func-filter requires bufferize-function-boundaries

// RUN: not xdsl-opt %s -p 'one-shot-bufferize{must-infer-memory-space use-encoding-for-memory-space}' 2>&1 | filecheck %s --check-prefix=SPACE
// SPACE-NOT: Traceback
// SPACE: error: one-shot-bufferize: must-infer-memory-space and use-encoding-for-memory-space exclude each other

// RUN: not xdsl-opt %s -p 'one-shot-bufferize{analysis-heuristic=sideways}' 2>&1 | filecheck %s --check-prefix=HEURISTIC
// HEURISTIC-NOT: Traceback
// HEURISTIC: error: one-shot-bufferize: 'sideways' is not a value of analysis-heuristic; its values are bottom-up, top-down, bottom-up-from-terminators, fuzzer

// RUN: not xdsl-opt %s -p 'one-shot-bufferize{analysis-heuristic=fuzzer analysis-fuzzer-seed=-1}' 2>&1 | filecheck %s --check-prefix=SEED
// SEED-NOT: Traceback
// SEED: error: one-shot-bufferize: '-1' is not a value of analysis-fuzzer-seed; it is not negative

// RUN: not xdsl-opt %s -p 'one-shot-bufferize{dialect-filter=tensor,1}' 2>&1 | filecheck %s --check-prefix=NAMES
// NAMES-NOT: Traceback
// NAMES: error: one-shot-bufferize: 'tensor,1' is not a value of dialect-filter; it takes names, separated by commas

// RUN: not xdsl-opt %s -p 'one-shot-bufferize{dialect-filter}' 2>&1 | filecheck %s --check-prefix=NO-NAMES
// NO-NAMES-NOT: Traceback
// NO-NAMES: error: one-shot-bufferize: '' is not a value of dialect-filter; it takes names, separated by commas

// RUN: not xdsl-opt %s -p 'one-shot-bufferize{buffer-alignment=3}' 2>&1 | filecheck %s --check-prefix=ALIGNMENT
// ALIGNMENT-NOT: Traceback
// ALIGNMENT: error: one-shot-bufferize: '3' is not a value of buffer-alignment; it is 0 or a power of two, in bytes

// What looks misspelt is asked about.
// RUN: not xdsl-opt %s -p 'one-shot-bufferize{allow-unknown-op}' 2>&1 | filecheck %s --match-full-lines --check-prefix=OPTION
// OPTION: error: one-shot-bufferize has no option 'allow-unknown-op'; did you mean 'allow-unknown-ops'?

// RUN: not xdsl-opt %s -p 'one-shot-bufferize{dialect-filter=tensr}' 2>&1 | filecheck %s --match-full-lines --check-prefix=DIALECT
// DIALECT: error: one-shot-bufferize: dialect-filter: there is no dialect 'tensr'; did you mean 'tensor'?

// RUN: not xdsl-opt %s -p 'bufferize{no-analysis-func-filter=frist}' 2>&1 | filecheck %s --match-full-lines --check-prefix=FUNCTION
// FUNCTION: error: bufferize: no-analysis-func-filter: there is no function @frist; did you mean 'first'?

// RUN: not xdsl-opt %s -p 'bufferize{no-analysis-func-filter=other}' 2>&1 | filecheck %s --match-full-lines --check-prefix=NO-FUNCTION
// NO-FUNCTION: error: bufferize: no-analysis-func-filter: there is no function @other

// RUN: xdsl-opt -p 'canonicalize,one-shot-bufferize{help}' | filecheck %s --match-full-lines --check-prefix=HELP
// HELP:      one-shot-bufferize:
// HELP:        Rewrite ops on tensors to ops on memrefs, with as few copies as possible.
// HELP:        buffer-alignment
// HELP-NEXT:       The alignment of new buffers, in bytes; 0 leaves it out. (an integer; default: 64)

// RUN: xdsl-opt -t 'bufferization-report{help}' | filecheck %s --match-full-lines --check-prefix=TARGET
// TARGET:      bufferization-report:
// TARGET:        function
// TARGET-NEXT:       Report on this function only. (a name; default: none)

func.func @first() {
  func.return
}
