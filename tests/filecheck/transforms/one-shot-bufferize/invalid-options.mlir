// An option that is not understood, or has no such value, is an error.

// RUN: not xdsl-opt %s -p 'one-shot-bufferize{no-such-option=true}' 2>&1 | filecheck %s --check-prefix=UNKNOWN
// UNKNOWN-NOT: Traceback
// UNKNOWN: error: one-shot-bufferize has no option 'no-such-option'; its options are allow-unknown-ops, buffer-alignment, bufferize-function-boundaries

// RUN: not xdsl-opt %s -p 'one-shot-bufferize{allow-unknown-ops=perhaps}' 2>&1 | filecheck %s --check-prefix=FLAG
// FLAG-NOT: Traceback
// FLAG: error: one-shot-bufferize: 'perhaps' is not a value of allow-unknown-ops; it takes true or false

// RUN: not xdsl-opt %s -p 'one-shot-bufferize{buffer-alignment=wide}' 2>&1 | filecheck %s --check-prefix=NUMBER
// NUMBER-NOT: Traceback
// NUMBER: error: one-shot-bufferize: 'wide' is not a value of buffer-alignment; it takes an integer

// RUN: not xdsl-opt %s -p 'one-shot-bufferize{buffer-alignment=-64}' 2>&1 | filecheck %s --check-prefix=NEGATIVE
// NEGATIVE-NOT: Traceback
// NEGATIVE: error: one-shot-bufferize: '-64' is not a value of buffer-alignment; it is a number of bytes

// RUN: not xdsl-opt %s -p 'one-shot-bufferize{function-boundary-type-conversion=identity}' 2>&1 | filecheck %s --check-prefix=BOUNDARY
// BOUNDARY-NOT: Traceback
// BOUNDARY: error: one-shot-bufferize: 'identity' is not a value of function-boundary-type-conversion; its values are infer-layout-map, identity-layout-map, fully-dynamic-layout-map

// The layout of a buffer that an unknown op defines can not be inferred.
// RUN: not xdsl-opt %s -p 'one-shot-bufferize{unknown-type-conversion=infer-layout-map}' 2>&1 | filecheck %s --check-prefix=UNKNOWN-TYPE
// UNKNOWN-TYPE-NOT: Traceback
// UNKNOWN-TYPE: error: one-shot-bufferize: 'infer-layout-map' is not a value of unknown-type-conversion; its values are identity-layout-map, fully-dynamic-layout-map

// RUN: not xdsl-opt %s -p 'one-shot-bufferize{print-conflicts=true}' 2>&1 | filecheck %s --check-prefix=PRINT
// PRINT-NOT: Traceback
// PRINT: error: one-shot-bufferize: print-conflicts requires test-analysis-only

// RUN: not xdsl-opt %s -p 'one-shot-bufferize{test-analysis-only=true copy-before-write=true}' 2>&1 | filecheck %s --check-prefix=NO-ANALYSIS
// NO-ANALYSIS-NOT: Traceback
// NO-ANALYSIS: error: one-shot-bufferize: copy-before-write skips the analysis

func.func @f() {
  func.return
}
