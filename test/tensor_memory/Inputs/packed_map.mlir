sluice.kernel @narrow(%A: !sluice.tensor<?x?xf6E2M3FN, align 32> {sluice.name = "A"},
                    %C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.out})
    attributes {target = "sm_100a"} {
  %c0 = arith.constant 0 : index
  %a = sluice.alloc "a" : !sluice.buffer<128x128xf6E2M3FN>
  %c = sluice.alloc "c" : !sluice.buffer<128x128xf32>
  sluice.load %A[%c0, %c0] to %a : <?x?xf6E2M3FN, align 32>, <128x128xf6E2M3FN>
  sluice.map ins(%a : !sluice.buffer<128x128xf6E2M3FN>) outs(%c : !sluice.buffer<128x128xf32>) {
  ^bb0(%x: f6E2M3FN):
    %y = arith.extf %x : f6E2M3FN to f32
    sluice.yield %y : f32
  }
  sluice.store %c to %C[%c0, %c0] : <128x128xf32>, <?x?xf32>
}
