// RUN: xdsl-opt %s -p stencil-bufferize | filecheck %s

// CHECK:      stencil.apply(%{{.*}} = %{{.*}} : !stencil.field<[0,64]xf64>) outs (%{{.*}} : !stencil.field<[0,64]xf64>)
func.func @copy(%in: !stencil.field<[0,64]xf64>, %out: !stencil.field<[0,64]xf64>) {
  %t = stencil.load %in : !stencil.field<[0,64]xf64> -> !stencil.temp<[0,64]xf64>
  %r = stencil.apply(%a = %t : !stencil.temp<[0,64]xf64>) -> (!stencil.temp<[0,64]xf64>) {
    %v = stencil.access %a[0] : !stencil.temp<[0,64]xf64>
    stencil.return %v : f64
  }
  stencil.store %r to %out(<[0], [64]>) : !stencil.temp<[0,64]xf64> to !stencil.field<[0,64]xf64>
  func.return
}
