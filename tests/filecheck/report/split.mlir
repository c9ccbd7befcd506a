// RUN: xdsl-opt %s --split-input-file -t 'bufferization-report{format=json}' | python -c "import json, sys; print(*(f['name'] for part in json.load(sys.stdin) for f in part['functions']))" | filecheck %s --check-prefix JSON
// RUN: xdsl-opt %s --split-input-file -t 'bufferization-report{format=sarif}' | python -c "import json, sys; print(*(r['locations'][0]['physicalLocation']['region']['startLine'] for run in json.load(sys.stdin)['runs'] for r in run['results']))" | filecheck %s --check-prefix SARIF
// RUN: xdsl-opt %s --split-input-file -t 'bufferization-report{format=sarif}' -o %t && python -m json.tool %t | filecheck %s --check-prefix FILE
// RUN: not xdsl-opt %s --split-input-file -t 'bufferization-report{format=json max-bytes-copied=0}' 2>/dev/null | python -c "import json, sys; print(len(json.load(sys.stdin)), 'parts')" | filecheck %s --check-prefix LIMIT
// RUN: not xdsl-opt %s --split-input-file -t 'bufferization-report{format=html}' 2>&1 | filecheck %s --check-prefix HTML
// RUN: xdsl-opt %s --split-input-file -t 'bufferization-report{format=remarks}' | filecheck %s --check-prefix REMARKS

// JSON: first second

// SARIF: 24 24 25 25 31 31 32 32

// FILE: "runs": [
// FILE-NOT: "runs"

// LIMIT: 2 parts

// HTML: error: bufferization-report: format=html is a page on one program

// REMARKS: split.mlir:25:3: remark: allocated
// REMARKS: // {{-----}}
// REMARKS-NEXT: {{.*}}split.mlir:31:

func.func @first(%t: tensor<8xf32>, %x: f32, %i: index) -> (tensor<8xf32>, tensor<8xf32>) {
  %r = tensor.insert %x into %t[%i] : tensor<8xf32>
  func.return %r, %t : tensor<8xf32>, tensor<8xf32>
}

// -----

func.func @second(%t: tensor<8xf32>, %x: f32, %i: index) -> (tensor<8xf32>, tensor<8xf32>) {
  %r = tensor.insert %x into %t[%i] : tensor<8xf32>
  func.return %r, %t : tensor<8xf32>, tensor<8xf32>
}
