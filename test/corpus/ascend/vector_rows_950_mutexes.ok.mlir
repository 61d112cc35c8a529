// RUN: sluice check %s | FileCheck %s
// By mutexes, one for each slot, which its three pipes lock in the order of the text: nothing is
// primed, and nothing drained.
// CHECK: {{^}}proven
sluice.kernel @normalise(%X: !sluice.tensor<?x64xf32> {sluice.name = "X"},
                         %Y: !sluice.tensor<?x64xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "ascend950", phase = "barrier"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %M = sluice.dim %X, 0 : <?x64xf32>
  %rows_of_y = sluice.dim %Y, 0 : <?x64xf32>
  %as_long = arith.cmpi eq, %rows_of_y, %M : index
  sluice.assume %as_long, "Y has the rows of X"
  %c64 = arith.constant 64 : index
  %n = arith.ceildivsi %M, %c64 : index
  %i = sluice.grid %c1 : index

  sluice.role "vector" core "aiv" {
    %x = sluice.alloc "x" : !sluice.buffer<32x64xf32, ub, row, slots 2>
    %m = sluice.alloc "m" : !sluice.buffer<32x1xf32, ub, row>
    %half = sluice.subblock
    %mine = arith.muli %half, %c32 : index
    scf.for %t = %c0 to %n step %c1 {
      %slot = arith.remsi %t, %c2 : index
      %down = arith.muli %t, %c64 : index
      %row = arith.addi %down, %mine : index
      %tile = sluice.slot %x[%slot] : <32x64xf32, ub, row, slots 2>
      sluice.mutex.lock MTE2[%slot]
      sluice.load %X[%row, %c0] to %tile on MTE2 : <?x64xf32>, <32x64xf32, ub, row>
      sluice.mutex.unlock MTE2[%slot]
      sluice.mutex.lock V[%slot]
      sluice.reduce ins(%tile : !sluice.buffer<32x64xf32, ub, row>)
          outs(%m : !sluice.buffer<32x1xf32, ub, row>) axis 1 from [-inf] on V {
      ^bb0(%s: f32, %v: f32):
        %w = arith.maximumf %s, %v : f32
        sluice.yield %w : f32
      }
      sluice.map ins(%tile, %m : !sluice.buffer<32x64xf32, ub, row>,
              !sluice.buffer<32x1xf32, ub, row>)
          outs(%tile : !sluice.buffer<32x64xf32, ub, row>) on V {
      ^bb0(%v: f32, %most: f32):
        %w = arith.subf %v, %most : f32
        %e = math.exp %w : f32
        sluice.yield %e : f32
      }
      sluice.mutex.unlock V[%slot]
      sluice.mutex.lock MTE3[%slot]
      sluice.store %tile to %Y[%row, %c0] on MTE3 : <32x64xf32, ub, row>, <?x64xf32>
      sluice.mutex.unlock MTE3[%slot]
    } {sluice.pipelined}
  }
}
