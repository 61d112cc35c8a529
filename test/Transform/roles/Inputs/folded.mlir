// A sum of each row, which another role stores.
sluice.kernel @folded(%A: !sluice.tensor<?x?xbf16, align 16> {sluice.name = "A"},
    %S: !sluice.tensor<?x1xf32> {sluice.name = "S", sluice.out}) attributes {sluice.roles = {out = 1}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %m = sluice.dim %A, 0 : <?x?xbf16, align 16>
  %n = arith.ceildivsi %m, %c8 : index
  %i = sluice.grid %c1 : index
  scf.for %t = %c0 to %n step %c1 {
    %row = arith.muli %t, %c8 : index
    %a = sluice.alloc "a" : !sluice.buffer<8x256xbf16>
    sluice.load %A[%row, %c0] to %a : <?x?xbf16, align 16>, <8x256xbf16>
    %s = sluice.alloc "s" : !sluice.buffer<8x1xf32>
    sluice.reduce ins(%a : !sluice.buffer<8x256xbf16>) outs(%s : !sluice.buffer<8x1xf32>) axis 1 from [0.0] {
    ^bb0(%x: f32, %v: bf16):
      %f = arith.extf %v : bf16 to f32
      %r = arith.addf %x, %f : f32
      sluice.yield %r : f32
    }
    sluice.store %s to %S[%row, %c0] {sluice.in_role = "out"} : <8x1xf32>, <?x1xf32>
  } {sluice.stages = 3}
}
