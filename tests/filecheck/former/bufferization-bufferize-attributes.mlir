// RUN: xdsl-opt --allow-unregistered-dialect -p bufferization-bufferize %s | filecheck %s

// What ops of other dialects keep under the names of functions' attributes is theirs.

// CHECK: "third.function"() <{arg_attrs = [1 : i64]}> : () -> ()
"third.function"() <{arg_attrs = [1]}> : () -> ()
