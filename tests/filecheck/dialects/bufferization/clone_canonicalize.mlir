// RUN: xdsl-opt %s -p canonicalize | filecheck %s

// CHECK-LABEL: func.func @unused(%m: memref<4xf32>) {
// CHECK-NEXT:    func.return
func.func @unused(%m: memref<4xf32>) {
  %0 = bufferization.clone %m : memref<4xf32> to memref<4xf32>
  func.return
}

// The source is freed: the clone takes its place.
// CHECK-LABEL: func.func @moved() -> memref<4xf32> {
// CHECK-NEXT:    %a = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    func.return %a : memref<4xf32>
func.func @moved() -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  %0 = bufferization.clone %a : memref<4xf32> to memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  func.return %0 : memref<4xf32>
}

// The clone is freed: the source does as well.
// CHECK-LABEL: func.func @temporary(%a: memref<4xf32>, %i: index) -> f32 {
// CHECK-NEXT:    %f = memref.load %a[%i] : memref<4xf32>
// CHECK-NEXT:    func.return %f : f32
func.func @temporary(%a: memref<4xf32>, %i: index) -> f32 {
  %0 = bufferization.clone %a : memref<4xf32> to memref<4xf32>
  %f = memref.load %0[%i] : memref<4xf32>
  memref.dealloc %0 : memref<4xf32>
  func.return %f : f32
}

// CHECK-LABEL: func.func @moved_as_other_type(%a: memref<?xf32>) -> memref<4xf32> {
// CHECK-NEXT:    %0 = "memref.cast"(%a) : (memref<?xf32>) -> memref<4xf32>
// CHECK-NEXT:    func.return %0 : memref<4xf32>
func.func @moved_as_other_type(%a: memref<?xf32>) -> memref<4xf32> {
  %0 = bufferization.clone %a : memref<?xf32> to memref<4xf32>
  memref.dealloc %a : memref<?xf32>
  func.return %0 : memref<4xf32>
}

// Which of the two lives longer is not asked.
// CHECK-LABEL: func.func @both_freed(%i: index) -> f32 {
// CHECK-NEXT:    %a = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    %0 = bufferization.clone %a : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:    memref.dealloc %0 : memref<4xf32>
// CHECK-NEXT:    %f = memref.load %a[%i] : memref<4xf32>
// CHECK-NEXT:    memref.dealloc %a : memref<4xf32>
// CHECK-NEXT:    func.return %f : f32
func.func @both_freed(%i: index) -> f32 {
  %a = memref.alloc() : memref<4xf32>
  %0 = bufferization.clone %a : memref<4xf32> to memref<4xf32>
  memref.dealloc %0 : memref<4xf32>
  %f = memref.load %a[%i] : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  func.return %f : f32
}

// %b might be %a.
// CHECK-LABEL: func.func @other_freed(%a: memref<4xf32>, %b: memref<4xf32>) -> memref<4xf32> {
// CHECK-NEXT:    %0 = bufferization.clone %a : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:    memref.dealloc %b : memref<4xf32>
// CHECK-NEXT:    memref.dealloc %a : memref<4xf32>
// CHECK-NEXT:    func.return %0 : memref<4xf32>
func.func @other_freed(%a: memref<4xf32>, %b: memref<4xf32>) -> memref<4xf32> {
  %0 = bufferization.clone %a : memref<4xf32> to memref<4xf32>
  memref.dealloc %b : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  func.return %0 : memref<4xf32>
}

// CHECK-LABEL: func.func @freed_in_branch(%a: memref<4xf32>, %c: i1) -> memref<4xf32> {
// CHECK-NEXT:    %0 = bufferization.clone %a : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:    scf.if %c {
// CHECK-NEXT:      memref.dealloc %a : memref<4xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %0 : memref<4xf32>
func.func @freed_in_branch(%a: memref<4xf32>, %c: i1) -> memref<4xf32> {
  %0 = bufferization.clone %a : memref<4xf32> to memref<4xf32>
  scf.if %c {
    memref.dealloc %a : memref<4xf32>
  }
  func.return %0 : memref<4xf32>
}

// CHECK-LABEL: func.func @of_cast(%a: memref<4xf32>) -> memref<?xf32> {
// CHECK-NEXT:    %0 = bufferization.clone %a : memref<4xf32> to memref<?xf32>
// CHECK-NEXT:    func.return %0 : memref<?xf32>
func.func @of_cast(%a: memref<4xf32>) -> memref<?xf32> {
  %c = "memref.cast"(%a) : (memref<4xf32>) -> memref<?xf32>
  %0 = bufferization.clone %c : memref<?xf32> to memref<?xf32>
  func.return %0 : memref<?xf32>
}

// CHECK-LABEL: func.func @of_cast_from_unranked(%a: memref<*xf32>) -> memref<?xf32> {
// CHECK-NEXT:    %c = "memref.cast"(%a) : (memref<*xf32>) -> memref<?xf32>
// CHECK-NEXT:    %0 = bufferization.clone %c : memref<?xf32> to memref<?xf32>
// CHECK-NEXT:    func.return %0 : memref<?xf32>
func.func @of_cast_from_unranked(%a: memref<*xf32>) -> memref<?xf32> {
  %c = "memref.cast"(%a) : (memref<*xf32>) -> memref<?xf32>
  %0 = bufferization.clone %c : memref<?xf32> to memref<?xf32>
  func.return %0 : memref<?xf32>
}
