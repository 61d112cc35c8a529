// RUN: sluice check %s | FileCheck %s
// Weft (2015), examples saxpy_double: two buffers per vector, eight named barriers. Each buffer is
// read after its own `full` barrier.
// CHECK: {{^}}proven
sluice.kernel @saxpy(%X: !sluice.tensor<?x64xf32> {sluice.name = "X"},
                     %Y: !sluice.tensor<?x64xf32> {sluice.name = "Y"},
                     %Z: !sluice.tensor<?x64xf32> {sluice.name = "Z", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 6} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %rows = sluice.dim %X, 0 : <?x64xf32>
  %n = arith.ceildivsi %rows, %c32 : index
  %x = sluice.alloc "x" : !sluice.buffer<16x64xf32, smem, row, slots 2>
  %y = sluice.alloc "y" : !sluice.buffer<16x64xf32, smem, row, slots 2>
  %x0 = sluice.slot %x[%c0] : <16x64xf32, smem, row, slots 2>
  %x1 = sluice.slot %x[%c1] : <16x64xf32, smem, row, slots 2>
  %y0 = sluice.slot %y[%c0] : <16x64xf32, smem, row, slots 2>
  %y1 = sluice.slot %y[%c1] : <16x64xf32, smem, row, slots 2>
  sluice.role "dma_x" warps 4 to 5 {
    scf.for %t = %c0 to %n step %c1 {
      %even = arith.muli %t, %c32 : index
      %odd = arith.addi %even, %c16 : index
      sluice.bar.sync 1, 160
      sluice.load %X[%even, %c0] to %x0 : <?x64xf32>, <16x64xf32, smem, row>
      sluice.bar.arrive 2, 160
      sluice.bar.sync 3, 160
      sluice.load %X[%odd, %c0] to %x1 : <?x64xf32>, <16x64xf32, smem, row>
      sluice.bar.arrive 4, 160
    }
  }
  sluice.role "dma_y" warps 5 to 6 {
    scf.for %t = %c0 to %n step %c1 {
      %even = arith.muli %t, %c32 : index
      %odd = arith.addi %even, %c16 : index
      sluice.bar.sync 5, 160
      sluice.load %Y[%even, %c0] to %y0 : <?x64xf32>, <16x64xf32, smem, row>
      sluice.bar.arrive 6, 160
      sluice.bar.sync 7, 160
      sluice.load %Y[%odd, %c0] to %y1 : <?x64xf32>, <16x64xf32, smem, row>
      sluice.bar.arrive 8, 160
    }
  }
  sluice.role "compute" warps 0 to 4 {
    %vx = sluice.alloc "vx" : !sluice.buffer<16x64xf32, reg, blocked>
    %vy = sluice.alloc "vy" : !sluice.buffer<16x64xf32, reg, blocked>
    scf.for %t = %c0 to %n step %c1 {
      %even = arith.muli %t, %c32 : index
      %odd = arith.addi %even, %c16 : index
      sluice.bar.arrive 1, 160
      sluice.bar.arrive 5, 160
      sluice.bar.arrive 3, 160
      sluice.bar.arrive 7, 160
      sluice.bar.sync 2, 160
      sluice.bar.sync 6, 160
      sluice.copy %x0 to %vx : <16x64xf32, smem, row>, <16x64xf32, reg, blocked>
      sluice.copy %y0 to %vy : <16x64xf32, smem, row>, <16x64xf32, reg, blocked>
      sluice.map ins(%vx, %vy
          : !sluice.buffer<16x64xf32, reg, blocked>, !sluice.buffer<16x64xf32, reg, blocked>)
          outs(%vy : !sluice.buffer<16x64xf32, reg, blocked>) {
      ^bb0(%p: f32, %q: f32):
        %alpha = arith.constant 2.5 : f32
        %r = math.fma %alpha, %p, %q : f32
        sluice.yield %r : f32
      }
      sluice.store %vy to %Z[%even, %c0] : <16x64xf32, reg, blocked>, <?x64xf32>
      sluice.bar.sync 4, 160
      sluice.bar.sync 8, 160
      sluice.copy %x1 to %vx : <16x64xf32, smem, row>, <16x64xf32, reg, blocked>
      sluice.copy %y1 to %vy : <16x64xf32, smem, row>, <16x64xf32, reg, blocked>
      sluice.map ins(%vx, %vy
          : !sluice.buffer<16x64xf32, reg, blocked>, !sluice.buffer<16x64xf32, reg, blocked>)
          outs(%vy : !sluice.buffer<16x64xf32, reg, blocked>) {
      ^bb0(%p: f32, %q: f32):
        %alpha = arith.constant 2.5 : f32
        %r = math.fma %alpha, %p, %q : f32
        sluice.yield %r : f32
      }
      sluice.store %vy to %Z[%odd, %c0] : <16x64xf32, reg, blocked>, <?x64xf32>
    } {sluice.name = "t", sluice.pipelined}
  }
}
