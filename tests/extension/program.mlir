func.func @smooth(%signal: tensor<?xf32>, %half: f32, %n: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %window = "dsp.window"(%n) : (index) -> tensor<?xf32>
  %smooth = "dsp.repeat"(%n, %window) ({
  ^bb0(%w: tensor<?xf32>):
    %scaled = "dsp.scale"(%w, %half, %w) : (tensor<?xf32>, f32, tensor<?xf32>) -> tensor<?xf32>
    "dsp.yield"(%scaled) : (tensor<?xf32>) -> ()
  }) : (index, tensor<?xf32>) -> tensor<?xf32>
  %louder = "dsp.scale"(%signal, %half, %signal) : (tensor<?xf32>, f32, tensor<?xf32>) -> tensor<?xf32>
  func.return %smooth, %louder : tensor<?xf32>, tensor<?xf32>
}
