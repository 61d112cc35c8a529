// RUN: sluice check %s --set A=0x0 | FileCheck %s
// (n - n % 64) / 64 and ceildiv(n, 64) rounds, where n / 64 * 64 == n is assumed.
// CHECK: {{^}}proven: every launch
sluice.kernel @k(%A: !sluice.tensor<?x?xf32> {sluice.name = "A"})
    attributes {target = "sm_90a", phase = "barrier", warps = 3} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %N = sluice.dim %A, 0 : <?x?xf32>
  %cta = sluice.grid %c1 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %q0 = arith.divsi %N, %c64 : index
  %q1 = arith.muli %q0, %c64 : index
  %ok = arith.cmpi eq, %q1, %N : index
  sluice.assume %ok, "N / 64 * 64 == N"
  %p = arith.divsi %N, %c64 : index
  %q = arith.ceildivsi %N, %c64 : index
  %s0 = arith.addi %N, %c63 : index
  %s = arith.divsi %s0, %c64 : index
  %w = arith.remsi %N, %c64 : index
  %v0 = arith.subi %N, %w : index
  %v = arith.divsi %v0, %c64 : index
  %sh = arith.shrsi %N, %c6 : index
  %xf = sluice.mbarrier.alloc "xf" : !sluice.mbarrier<3>
  sluice.mbarrier.init %xf count 1 by one : <3>
  %xe = sluice.mbarrier.alloc "xe" : !sluice.mbarrier<3>
  sluice.mbarrier.init %xe count 1 by one : <3>
  %xc = sluice.cursor : !sluice.cursor<3>
  %yf = sluice.mbarrier.alloc "yf" : !sluice.mbarrier<1>
  sluice.mbarrier.init %yf count 1 by one : <1>
  %ye = sluice.mbarrier.alloc "ye" : !sluice.mbarrier<1>
  sluice.mbarrier.init %ye count 1 by one : <1>
  %yc = sluice.cursor : !sluice.cursor<1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 96
  sluice.role "load" warps 0 to 1 {
    %end = scf.for %t = %c0 to %v step %c1 iter_args(%at = %xc) -> (!sluice.cursor<3>) {
      %kslot = sluice.cursor.slot %at : <3>
      %kphase = sluice.cursor.phase %at : <3>
      %kfree = arith.xori %kphase, %c1 : index
      sluice.mbarrier.wait %xe[%kslot], %kfree : <3>
      sluice.mbarrier.arrive %xf[%kslot] by warp : <3>
      %knext = sluice.cursor.advance %at : <3>
      scf.yield %knext : !sluice.cursor<3>
    }
  }
  sluice.role "x" warps 1 to 2 {
    %end = scf.for %t = %c0 to %q step %c1 iter_args(%at = %xc) -> (!sluice.cursor<3>) {
      %kslot = sluice.cursor.slot %at : <3>
      %kphase = sluice.cursor.phase %at : <3>
      sluice.mbarrier.wait %xf[%kslot], %kphase : <3>
      sluice.mbarrier.arrive %xe[%kslot] by warp : <3>
      %knext = sluice.cursor.advance %at : <3>
      scf.yield %knext : !sluice.cursor<3>
    }
  }
}
