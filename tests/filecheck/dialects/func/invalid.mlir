// RUN: xdsl-opt %s --verify-diagnostics --split-input-file | filecheck %s

"func.func"() <{sym_name = "f", function_type = () -> (), sym_visibility = "secret"}> ({}) : () -> ()
// CHECK: the visibility of a symbol is one of public, private, nested, not "secret"

// -----

// CHECK: func.func nested @fine()
"func.func"() <{sym_name = "fine", function_type = () -> (), sym_visibility = "nested"}> ({
  func.return
}) : () -> ()
