// A tile is stored before, in and after a loop of a persistent grid. Results on their way to the role that stores have one
// ring for each of the three: those outside of the loop would wait for each other around it (R9).
// RUN: sluice check %s | FileCheck %s
// CHECK: proven: every launch
// RUN: sluice emit %s | FileCheck %s --check-prefix=TEXT
// TEXT: mbarrierWait(full_s_staging
// TEXT: for (int
// TEXT: mbarrierWait(full_s_staging
// TEXT: mbarrierWait(full_s_staging
sluice.kernel @b(%X: !sluice.tensor<?x?xf32, align 16> {sluice.name = "X"},
    %Y: !sluice.tensor<?x?xf32, align 16> {sluice.name = "Y", sluice.out},
    %Z: !sluice.tensor<?x?xf32, align 16> {sluice.name = "Z", sluice.out},
    %W: !sluice.tensor<?x?xf32, align 16> {sluice.name = "W", sluice.out}) attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %X, 0 : <?x?xf32, align 16>
  %N = sluice.dim %X, 1 : <?x?xf32, align 16>
  %gm = arith.ceildivsi %M, %c64 : index
  %gn = arith.ceildivsi %N, %c64 : index
  %i = sluice.grid %gm {persistent} : index
  %row = arith.muli %i, %c64 : index
  %s = sluice.alloc "s" : !sluice.buffer<64x64xf32>
  sluice.load %X[%row, %c0] to %s : <?x?xf32, align 16>, <64x64xf32>
  sluice.store %s to %Y[%row, %c0] : <64x64xf32>, <?x?xf32, align 16>
  scf.for %t = %c0 to %gn step %c1 {
    %k = arith.muli %t, %c64 : index
    %x = sluice.alloc "x" : !sluice.buffer<64x64xf32>
    sluice.load %X[%row, %k] to %x : <?x?xf32, align 16>, <64x64xf32>
    sluice.map ins(%s, %x : !sluice.buffer<64x64xf32>, !sluice.buffer<64x64xf32>) outs(%s : !sluice.buffer<64x64xf32>) {
    ^bb0(%u: f32, %v: f32):
      %w = arith.addf %u, %v : f32
      sluice.yield %w : f32
    }
    sluice.store %s to %W[%row, %k] : <64x64xf32>, <?x?xf32, align 16>
  }
  sluice.store %s to %Z[%row, %c0] : <64x64xf32>, <?x?xf32, align 16>
}
