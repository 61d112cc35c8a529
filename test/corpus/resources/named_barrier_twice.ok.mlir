// RUN: sluice check %s | FileCheck %s
// PTX ISA, barrier{.cta} (no thread). The warp arrives once, by waiting.
// CHECK: {{^}}proven
sluice.kernel @pair(%X: !sluice.tensor<?x64xf16> {sluice.name = "X"},
                    %Y: !sluice.tensor<?x64xf16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %X, 0 : <?x64xf16>
  %n = arith.ceildivsi %rows, %c64 : index
  sluice.role "first" warps 0 to 1 {
    %v = sluice.alloc "v" : !sluice.buffer<64x64xf16, reg, blocked>
    scf.for %t = %c0 to %n step %c1 {
      %row = arith.muli %t, %c64 : index
      sluice.load %X[%row, %c0] to %v : <?x64xf16>, <64x64xf16, reg, blocked>
      sluice.bar.sync 1, 64
      sluice.store %v to %Y[%row, %c0] : <64x64xf16, reg, blocked>, <?x64xf16>
    } {sluice.name = "t", sluice.pipelined}
  }
  sluice.role "second" warps 1 to 2 {
    scf.for %t = %c0 to %n step %c1 {
      sluice.bar.sync 1, 64
    }
  }
}
