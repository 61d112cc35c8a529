// Scalars of every operation: what is printed computes what the virtual machine does (run in host mode by
// test/unit/Emit/HostModeTests.cpp; docs/semantics.md, Scalars). Each result is added to a counter, which tells it.
// RUN: sluice check %s --set large=2147483647 | FileCheck %s
// CHECK: proven: every launch
// RUN: sluice emit %s | FileCheck %s --check-prefix=TEXT
// TEXT: const int v3 = quotient(a, b);
// TEXT: const i64 w = i64(a) * large;
// TEXT: const i64 v27w = ceilDiv(w, i64(b));
sluice.kernel @scalars(%n: !sluice.tensor<1xi32> {sluice.name = "n", sluice.inout}, %large: index {sluice.name = "large"})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %c20 = arith.constant 20 : index
  %prime = arith.constant 1000003 : index
  %i = sluice.grid %c1 : index
  scf.for %p = %c0 to %c7 step %c1 {
    %a = arith.subi %p, %c3 : index
    scf.for %q = %c0 to %c7 step %c1 {
      %b = arith.subi %q, %c3 : index
      %v0 = arith.addi %a, %b : index
      %v1 = arith.subi %a, %b : index
      %v2 = arith.muli %a, %b : index
      %v3 = arith.divsi %a, %b : index
      %v4 = arith.remsi %a, %b : index
      %v5 = arith.ceildivsi %a, %b : index
      %v6 = arith.subi %b, %a : index
      %v7 = arith.minsi %a, %b : index
      %v8 = arith.maxsi %a, %b : index
      %v9 = arith.andi %a, %b : index
      %v10 = arith.ori %a, %b : index
      %v11 = arith.xori %a, %b : index
      %by = arith.addi %q, %q : index
      %v12 = arith.shli %a, %by : index
      %v13 = arith.shrsi %a, %by : index
      %far = arith.muli %q, %c20 : index
      %v29 = arith.shrsi %a, %far : index
      %is_eq = arith.cmpi eq, %a, %b : index
      %v14 = arith.index_castui %is_eq : i1 to index
      %is_ne = arith.cmpi ne, %a, %b : index
      %v15 = arith.index_castui %is_ne : i1 to index
      %is_slt = arith.cmpi slt, %a, %b : index
      %v16 = arith.index_castui %is_slt : i1 to index
      %is_sle = arith.cmpi sle, %a, %b : index
      %v17 = arith.index_castui %is_sle : i1 to index
      %is_sgt = arith.cmpi sgt, %a, %b : index
      %v18 = arith.index_castui %is_sgt : i1 to index
      %is_sge = arith.cmpi sge, %a, %b : index
      %v19 = arith.index_castui %is_sge : i1 to index
      %v20 = arith.select %is_slt, %a, %b : index
      %v21 = arith.minsi %v14, %a : index
      %w = arith.muli %a, %large : index
      %v22w = arith.addi %w, %b : index
      %v22 = arith.remsi %v22w, %prime : index
      %v23w = arith.subi %w, %b : index
      %v23 = arith.remsi %v23w, %prime : index
      %v24w = arith.muli %w, %b : index
      %v24 = arith.remsi %v24w, %prime : index
      %v25w = arith.divsi %w, %b : index
      %v25 = arith.remsi %v25w, %prime : index
      %v26w = arith.remsi %w, %b : index
      %v26 = arith.remsi %v26w, %prime : index
      %v27w = arith.ceildivsi %w, %b : index
      %v27 = arith.remsi %v27w, %prime : index
      %v28w = arith.minsi %w, %b : index
      %v28 = arith.remsi %v28w, %prime : index
      sluice.counter.add %n[%c0], %v29 scope gpu relaxed by one : <1xi32>
      sluice.counter.add %n[%c0], %v0 scope gpu relaxed by one : <1xi32>
      sluice.counter.add %n[%c0], %v1 scope gpu relaxed by one : <1xi32>
      sluice.counter.add %n[%c0], %v2 scope gpu relaxed by one : <1xi32>
      sluice.counter.add %n[%c0], %v3 scope gpu relaxed by one : <1xi32>
      sluice.counter.add %n[%c0], %v4 scope gpu relaxed by one : <1xi32>
      sluice.counter.add %n[%c0], %v5 scope gpu relaxed by one : <1xi32>
      sluice.counter.add %n[%c0], %v6 scope gpu relaxed by one : <1xi32>
      sluice.counter.add %n[%c0], %v7 scope gpu relaxed by one : <1xi32>
      sluice.counter.add %n[%c0], %v8 scope gpu relaxed by one : <1xi32>
      sluice.counter.add %n[%c0], %v9 scope gpu relaxed by one : <1xi32>
      sluice.counter.add %n[%c0], %v10 scope gpu relaxed by one : <1xi32>
      sluice.counter.add %n[%c0], %v11 scope gpu relaxed by one : <1xi32>
      sluice.counter.add %n[%c0], %v12 scope gpu relaxed by one : <1xi32>
      sluice.counter.add %n[%c0], %v13 scope gpu relaxed by one : <1xi32>
      sluice.counter.add %n[%c0], %v14 scope gpu relaxed by one : <1xi32>
      sluice.counter.add %n[%c0], %v15 scope gpu relaxed by one : <1xi32>
      sluice.counter.add %n[%c0], %v16 scope gpu relaxed by one : <1xi32>
      sluice.counter.add %n[%c0], %v17 scope gpu relaxed by one : <1xi32>
      sluice.counter.add %n[%c0], %v18 scope gpu relaxed by one : <1xi32>
      sluice.counter.add %n[%c0], %v19 scope gpu relaxed by one : <1xi32>
      sluice.counter.add %n[%c0], %v20 scope gpu relaxed by one : <1xi32>
      sluice.counter.add %n[%c0], %v21 scope gpu relaxed by one : <1xi32>
      sluice.counter.add %n[%c0], %v22 scope gpu relaxed by one : <1xi32>
      sluice.counter.add %n[%c0], %v23 scope gpu relaxed by one : <1xi32>
      sluice.counter.add %n[%c0], %v24 scope gpu relaxed by one : <1xi32>
      sluice.counter.add %n[%c0], %v25 scope gpu relaxed by one : <1xi32>
      sluice.counter.add %n[%c0], %v26 scope gpu relaxed by one : <1xi32>
      sluice.counter.add %n[%c0], %v27 scope gpu relaxed by one : <1xi32>
      sluice.counter.add %n[%c0], %v28 scope gpu relaxed by one : <1xi32>
    }
  }
}
