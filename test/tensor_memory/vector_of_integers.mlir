// Whole numbers of all bits beside sums: those of a vector, of which each lane has some, cross the warp as they are.
// RUN: sluice check %s | FileCheck %s
// CHECK: proven: every launch
// RUN: %python -c "import npy; npy.write('%t.npy', '<i4', (1, 64), [(n * 2654435761) %% 2**32 - 2**31 for n in range(64)])"
// RUN: %if nvcc %{ sluice run %s --device host --random 1 --in V=%t.npy --set A=128x64 B=64x64 C=128x64 | FileCheck %s --check-prefix=HOST %}
// HOST: are the virtual machine's, bit by bit
sluice.kernel @intv(%A: !sluice.tensor<?x?xi8, align 16> {sluice.name = "A"}, %B: !sluice.tensor<?x?xi8, align 16, minor 0> {sluice.name = "B"},
    %V: !sluice.tensor<?x?xi32, align 16> {sluice.name = "V"}, %C: !sluice.tensor<?x?xi32, align 16> {sluice.name = "C", sluice.out})
    attributes {target = "sm_100a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %k = sluice.dim %A, 1 : <?x?xi8, align 16>
  %parts = arith.ceildivsi %k, %c64 : index
  %steps = arith.maxsi %parts, %c1 : index
  %i = sluice.grid %c1 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<128x64xi32>
  scf.for %t = %c0 to %steps step %c1 {
    %o = arith.muli %t, %c64 : index
    %a = sluice.alloc "a" : !sluice.buffer<128x64xi8>
    sluice.load %A[%c0, %o] to %a : <?x?xi8, align 16>, <128x64xi8>
    %b = sluice.alloc "b" : !sluice.buffer<64x64xi8, minor 0>
    sluice.load %B[%o, %c0] to %b : <?x?xi8, align 16, minor 0>, <64x64xi8, minor 0>
    %more = arith.cmpi ne, %t, %c0 : index
    sluice.mma %acc, %a, %b accumulate %more : <128x64xi32>, <128x64xi8>, <64x64xi8, minor 0>
  } {sluice.name = "k", sluice.stages = 2 : i64}
  %v = sluice.alloc "v" : !sluice.buffer<1x64xi32>
  sluice.load %V[%c0, %c0] to %v : <?x?xi32, align 16>, <1x64xi32>
  %c = sluice.alloc "c" : !sluice.buffer<128x64xi32>
  sluice.map ins(%acc, %v : !sluice.buffer<128x64xi32>, !sluice.buffer<1x64xi32>) outs(%c : !sluice.buffer<128x64xi32>) {
  ^bb0(%x: i32, %r: i32):
    %e = arith.addi %x, %r : i32
    sluice.yield %e : i32
  }
  sluice.store %c to %C[%c0, %c0] : <128x64xi32>, <?x?xi32, align 16>
}
