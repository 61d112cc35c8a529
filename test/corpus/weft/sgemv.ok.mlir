// RUN: sluice check %s | FileCheck %s
// Weft (2015), examples sgemv: the vector is loaded once, rows of the matrix by a DMA warp. The
// vector is loaded, then its barrier is signalled.
// CHECK: {{^}}proven
sluice.kernel @sgemv(%A: !sluice.tensor<?x64xf32> {sluice.name = "A"},
                     %V: !sluice.tensor<?x64xf32> {sluice.name = "V"},
                     %Y: !sluice.tensor<?x1xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 5} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %A, 0 : <?x64xf32>
  %n = arith.ceildivsi %rows, %c64 : index
  %a = sluice.alloc "a" : !sluice.buffer<64x64xf32, smem, row>
  %v = sluice.alloc "v" : !sluice.buffer<1x64xf32, smem, row>
  sluice.role "dma" warps 4 to 5 {
    sluice.load %V[%c0, %c0] to %v : <?x64xf32>, <1x64xf32, smem, row>
    sluice.bar.arrive 1, 160 // the vector is there
    scf.for %t = %c0 to %n step %c1 {
      %row = arith.muli %t, %c64 : index
      sluice.bar.sync 2, 160
      sluice.load %A[%row, %c0] to %a : <?x64xf32>, <64x64xf32, smem, row>
      sluice.bar.arrive 3, 160
    }
  }
  sluice.role "compute" warps 0 to 4 {
    %m = sluice.alloc "m" : !sluice.buffer<64x64xf32, reg, blocked>
    %x = sluice.alloc "x" : !sluice.buffer<1x64xf32, reg, colVector>
    %sum = sluice.alloc "sum" : !sluice.buffer<64x1xf32, reg, rowVector>
    sluice.bar.sync 1, 160
    sluice.copy %v to %x : <1x64xf32, smem, row>, <1x64xf32, reg, colVector>
    scf.for %t = %c0 to %n step %c1 {
      %row = arith.muli %t, %c64 : index
      sluice.bar.arrive 2, 160
      sluice.bar.sync 3, 160
      sluice.copy %a to %m : <64x64xf32, smem, row>, <64x64xf32, reg, blocked>
      sluice.map ins(%m, %x
          : !sluice.buffer<64x64xf32, reg, blocked>, !sluice.buffer<1x64xf32, reg, colVector>)
          outs(%m : !sluice.buffer<64x64xf32, reg, blocked>) {
      ^bb0(%p: f32, %q: f32):
        %r = arith.mulf %p, %q : f32
        sluice.yield %r : f32
      }
      sluice.reduce ins(%m : !sluice.buffer<64x64xf32, reg, blocked>)
          outs(%sum : !sluice.buffer<64x1xf32, reg, rowVector>) axis 1 from [0.0] {
      ^bb0(%p: f32, %q: f32):
        %r = arith.addf %p, %q : f32
        sluice.yield %r : f32
      }
      sluice.store %sum to %Y[%row, %c0] : <64x1xf32, reg, rowVector>, <?x1xf32>
    } {sluice.name = "t", sluice.pipelined}
  }
}
