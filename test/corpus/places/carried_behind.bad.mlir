// RUN: not sluice check %s | FileCheck %s
// A role reads what another has written nine iterations before, at a row that it has carried along;
// nothing orders the two.
// CHECK: {{^}}violated
// CHECK: R26
sluice.kernel @k(%X: !sluice.tensor<?x64xf16> {sluice.name = "X"},
                 %W: !sluice.tensor<?x64xf16> {sluice.name = "W", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %lag = arith.constant 9 : index
  %rows = sluice.dim %X, 0 : <?x64xf16>
  %n = arith.ceildivsi %rows, %c64 : index
  %i = sluice.grid %c1 : index
  sluice.role "w" warps 0 to 1 {
    %v = sluice.alloc "v" : !sluice.buffer<64x64xf16, reg, blocked>
    scf.for %t = %c0 to %n step %c1 {
      %row = arith.muli %t, %c64 : index
      sluice.load %X[%row, %c0] to %v : <?x64xf16>, <64x64xf16, reg, blocked>
      sluice.store %v to %W[%row, %c0] : <64x64xf16, reg, blocked>, <?x64xf16>
    } {sluice.name = "t", sluice.pipelined}
  }
  sluice.role "r" warps 1 to 2 {
    %u = sluice.alloc "u" : !sluice.buffer<64x64xf16, reg, blocked>
    %last = scf.for %t = %c0 to %n step %c1 iter_args(%behind = %c0) -> (index) {
      %some = arith.cmpi sgt, %t, %lag : index
      scf.if %some {
        %row = arith.muli %behind, %c64 : index
        sluice.load %W[%row, %c0] to %u : <?x64xf16>, <64x64xf16, reg, blocked>
      }
      %next = arith.subi %t, %lag : index
      scf.yield %next : index
    } {sluice.name = "t"}
  }
}
