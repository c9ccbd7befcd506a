// REQUIRES: mlir-opt-22
//
// mlir-opt refuses each part but the last, too.
//
// RUN: not %mlir-opt %S/../attributes.mlir --split-input-file --allow-unregistered-dialect 2>&1 | grep -c '^[^ ].* error: ' | filecheck %s --check-prefix=ERRORS
//
// ERRORS: 12
