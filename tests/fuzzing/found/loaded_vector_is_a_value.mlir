// bufferize
func.func @f7(%a: f32, %b: f32) -> (f32, f32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %v39 = vector.broadcast %a : f32 to vector<4xf32>
    %v40 = tensor.empty() : tensor<2xvector<4xf32>>
    %v41 = tensor.insert %v39 into %v40[%c0] : tensor<2xvector<4xf32>>
    %v42 = tensor.insert %v39 into %v41[%c1] : tensor<2xvector<4xf32>>
    %v43 = vector.broadcast %b : f32 to vector<4xf32>
    %v44 = tensor.insert %v43 into %v42[%c1] : tensor<2xvector<4xf32>>
    %v45 = tensor.extract %v44[%c1] : tensor<2xvector<4xf32>>
    %v46 = vector.extract %v45[1] : f32 from vector<4xf32>
    %v47 = tensor.extract %v42[%c1] : tensor<2xvector<4xf32>>
    %v48 = vector.extract %v47[1] : f32 from vector<4xf32>
    func.return %v48, %v46 : f32, f32
}
