// RUN: sluice check %s | FileCheck %s
// Weft (2015), examples saxpy_single: one DMA warp per vector, a named barrier for `empty` and one
// for `full`. The compute warps arrive on `empty` and wait on `full`; each DMA warp does the
// opposite.
// CHECK: {{^}}proven
sluice.kernel @saxpy(%X: !sluice.tensor<?x64xf32> {sluice.name = "X"},
                     %Y: !sluice.tensor<?x64xf32> {sluice.name = "Y", sluice.inout})
    attributes {target = "sm_90a", phase = "barrier", warps = 6} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %rows = sluice.dim %X, 0 : <?x64xf32>
  %n = arith.ceildivsi %rows, %c16 : index
  %x = sluice.alloc "x" : !sluice.buffer<16x64xf32, smem, row>
  %y = sluice.alloc "y" : !sluice.buffer<16x64xf32, smem, row>
  sluice.role "dma_x" warps 4 to 5 {
    scf.for %t = %c0 to %n step %c1 {
      %row = arith.muli %t, %c16 : index
      sluice.bar.sync 1, 160 // the compute warps are through with the buffer
      sluice.load %X[%row, %c0] to %x : <?x64xf32>, <16x64xf32, smem, row>
      sluice.bar.arrive 2, 160
    }
  }
  sluice.role "dma_y" warps 5 to 6 {
    scf.for %t = %c0 to %n step %c1 {
      %row = arith.muli %t, %c16 : index
      sluice.bar.sync 3, 160 // the compute warps are through with the buffer
      sluice.load %Y[%row, %c0] to %y : <?x64xf32>, <16x64xf32, smem, row>
      sluice.bar.arrive 4, 160
    }
  }
  sluice.role "compute" warps 0 to 4 {
    %vx = sluice.alloc "vx" : !sluice.buffer<16x64xf32, reg, blocked>
    %vy = sluice.alloc "vy" : !sluice.buffer<16x64xf32, reg, blocked>
    scf.for %t = %c0 to %n step %c1 {
      %row = arith.muli %t, %c16 : index
      sluice.bar.arrive 1, 160
      sluice.bar.arrive 3, 160
      sluice.bar.sync 2, 160
      sluice.bar.sync 4, 160
      sluice.copy %x to %vx : <16x64xf32, smem, row>, <16x64xf32, reg, blocked>
      sluice.copy %y to %vy : <16x64xf32, smem, row>, <16x64xf32, reg, blocked>
      sluice.map ins(%vx, %vy
          : !sluice.buffer<16x64xf32, reg, blocked>, !sluice.buffer<16x64xf32, reg, blocked>)
          outs(%vy : !sluice.buffer<16x64xf32, reg, blocked>) {
      ^bb0(%p: f32, %q: f32):
        %alpha = arith.constant 2.5 : f32
        %r = math.fma %alpha, %p, %q : f32
        sluice.yield %r : f32
      }
      sluice.store %vy to %Y[%row, %c0] : <16x64xf32, reg, blocked>, <?x64xf32>
    } {sluice.name = "t", sluice.pipelined}
  }
}
