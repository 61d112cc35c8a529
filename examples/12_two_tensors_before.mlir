// Y = X + Z as nvFuser's issue 2197 found it: TMA loads a tile of each tensor, all wait for both,
// compute and store, and then the next two are loaded. One mbarrier, one slot, by hand.
sluice.kernel @two_tensors(%X: !sluice.tensor<?x1024xf32, align 16> {sluice.name = "X"},
                           %Z: !sluice.tensor<?x1024xf32, align 16> {sluice.name = "Z"},
                           %Y: !sluice.tensor<?x1024xf32, align 16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %sms = arith.constant 132 : index
  %rows = sluice.dim %X, 0 : <?x1024xf32, align 16>
  %tiles = arith.ceildivsi %rows, %c4 : index
  %cta = sluice.grid %sms : index
  %x = sluice.alloc "x" : !sluice.buffer<4x1024xf32, smem, panels>
  %z = sluice.alloc "z" : !sluice.buffer<4x1024xf32, smem, panels>
  %rx = sluice.alloc "rx" : !sluice.buffer<4x1024xf32, reg, blocked>
  %rz = sluice.alloc "rz" : !sluice.buffer<4x1024xf32, reg, blocked>
  %loaded = sluice.mbarrier.alloc "loaded" : !sluice.mbarrier<1>
  sluice.mbarrier.init %loaded count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 128
  %start = sluice.cursor : !sluice.cursor<1>
  scf.for %t = %cta to %tiles step %sms iter_args(%at = %start) -> (!sluice.cursor<1>) {
    %row = arith.muli %t, %c4 : index
    sluice.mbarrier.arrive_expect_tx %loaded[%c0] bytes 32768 by one : <1>
    sluice.tma.load %X[%row, %c0] to %x, %loaded[%c0]
        : <?x1024xf32, align 16>, <4x1024xf32, smem, panels>, <1>
    sluice.tma.load %Z[%row, %c0] to %z, %loaded[%c0]
        : <?x1024xf32, align 16>, <4x1024xf32, smem, panels>, <1>
    %phase = sluice.cursor.phase %at : <1>
    sluice.mbarrier.wait %loaded[%c0], %phase : <1>
    sluice.copy %x to %rx : <4x1024xf32, smem, panels>, <4x1024xf32, reg, blocked>
    sluice.copy %z to %rz : <4x1024xf32, smem, panels>, <4x1024xf32, reg, blocked>
    sluice.fence proxy_async
    sluice.bar.sync 0, 128 // before the next tiles overwrite these
    sluice.map ins(%rx, %rz : !sluice.buffer<4x1024xf32, reg, blocked>,
            !sluice.buffer<4x1024xf32, reg, blocked>)
        outs(%rx : !sluice.buffer<4x1024xf32, reg, blocked>) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      sluice.yield %s : f32
    }
    sluice.store %rx to %Y[%row, %c0] : <4x1024xf32, reg, blocked>, <?x1024xf32, align 16>
    %next = sluice.cursor.advance %at : <1>
    scf.yield %next : !sluice.cursor<1>
  } {sluice.pipelined, sluice.name = "t"}
}
