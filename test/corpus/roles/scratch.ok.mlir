// RUN: sluice check %s | FileCheck %s
// A reduction over two groups of warps through a vector in shared memory: one barrier says that
// it is written, a second one that it has been read.
// CHECK: {{^}}proven
sluice.kernel @row_max(%X: !sluice.tensor<?x?xf32> {sluice.name = "X"},
                       %Y: !sluice.tensor<?x1xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 8} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %N = sluice.dim %X, 1 : <?x?xf32>
  %M = sluice.dim %X, 0 : <?x?xf32>
  %gm = arith.ceildivsi %M, %c64 : index
  %n = arith.ceildivsi %N, %c128 : index
  %i = sluice.grid %gm : index
  %row = arith.muli %i, %c64 : index
  // Two groups of warps take the halves of every tile and meet in shared memory.
  %part = sluice.alloc "part" : !sluice.buffer<64x1xf32, smem, row>

  sluice.role "left" warps 0 to 4 {
    %x = sluice.alloc "xl" : !sluice.buffer<64x64xf32, reg, acc>
    %m = sluice.alloc "ml" : !sluice.buffer<64x1xf32, reg, rowVector>
    %o = sluice.alloc "ol" : !sluice.buffer<64x1xf32, reg, rowVector>
    %best = sluice.alloc "best" : !sluice.buffer<64x1xf32, reg, rowVector>
    sluice.fill %best with -1.0e30 : <64x1xf32, reg, rowVector>
    scf.for %t = %c0 to %n step %c1 {
      %col = arith.muli %t, %c128 : index
      sluice.load %X[%row, %col] to %x : <?x?xf32>, <64x64xf32, reg, acc>
      sluice.reduce ins(%x : !sluice.buffer<64x64xf32, reg, acc>)
          outs(%m : !sluice.buffer<64x1xf32, reg, rowVector>) axis 1 from [-inf] {
      ^bb0(%s: f32, %v: f32):
        %w = arith.maximumf %s, %v : f32
        sluice.yield %w : f32
      }
      sluice.bar.sync 1, 256 // the other half is in shared memory
      sluice.copy %part to %o : <64x1xf32, smem, row>, <64x1xf32, reg, rowVector>
      sluice.bar.sync 2, 256 // and may be overwritten
      sluice.map ins(%best, %m, %o : !sluice.buffer<64x1xf32, reg, rowVector>,
              !sluice.buffer<64x1xf32, reg, rowVector>, !sluice.buffer<64x1xf32, reg, rowVector>)
          outs(%best : !sluice.buffer<64x1xf32, reg, rowVector>) {
      ^bb0(%a: f32, %b: f32, %c: f32):
        %d = arith.maximumf %a, %b : f32
        %e = arith.maximumf %d, %c : f32
        sluice.yield %e : f32
      }
    } {sluice.pipelined}
    sluice.store %best to %Y[%row, %c0] : <64x1xf32, reg, rowVector>, <?x1xf32>
  }
  sluice.role "right" warps 4 to 8 {
    %x = sluice.alloc "xr" : !sluice.buffer<64x64xf32, reg, acc>
    %m = sluice.alloc "mr" : !sluice.buffer<64x1xf32, reg, rowVector>
    scf.for %t = %c0 to %n step %c1 {
      %left = arith.muli %t, %c128 : index
      %col = arith.addi %left, %c64 : index
      sluice.load %X[%row, %col] to %x : <?x?xf32>, <64x64xf32, reg, acc>
      sluice.reduce ins(%x : !sluice.buffer<64x64xf32, reg, acc>)
          outs(%m : !sluice.buffer<64x1xf32, reg, rowVector>) axis 1 from [-inf] {
      ^bb0(%s: f32, %v: f32):
        %w = arith.maximumf %s, %v : f32
        sluice.yield %w : f32
      }
      sluice.copy %m to %part : <64x1xf32, reg, rowVector>, <64x1xf32, smem, row>
      sluice.bar.sync 1, 256
      sluice.bar.sync 2, 256
    } {sluice.pipelined}
  }
}
