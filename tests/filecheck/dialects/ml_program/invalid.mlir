// RUN: xdsl-opt %s --verify-diagnostics --split-input-file | filecheck %s

"ml_program.func"() <{sym_name = "f", function_type = () -> (), sym_visibility = "secret"}> ({
  ml_program.return
}) : () -> ()
// CHECK: the visibility of a symbol is one of public, private, nested, not "secret"

// -----

"ml_program.global"() <{sym_name = "f", type = tensor<4xf32>, sym_visibility = ""}> : () -> ()
// CHECK: the visibility of a symbol is one of public, private, nested, not ""
