// D = relu(A B) C: what a product gives is computed on and multiplied by the next, by way of tensor
// memory, from the role that computes to the one that multiplies.
// RUN: sluice check %s | FileCheck %s
// CHECK: {{^}}proven: every launch
// RUN: sluice run %s --random 5 --set A=200x72 B=72x64 C=64x200 D=200x200 --chaos 10 --out D=%t.npy
// RUN: sed 's/sm_100a/sm_90a/' %s > %t.mlir
// RUN: sluice run %t.mlir --random 5 --set A=200x72 B=72x64 C=64x200 D=200x200 --expect D=%t.npy
// RUN: %if nvcc %{ sluice run %s --random 5 --set A=200x72 B=72x64 C=64x200 D=200x200 --device host | FileCheck %s --check-prefix=HOST %}
// HOST: are the virtual machine's, bit by bit
// RUN: sluice emit %s -o %t.one/
// RUN: FileCheck %s --check-prefix=CODE < %t.one/chained.cu
// CODE: tmemStore(tmem + 128, p, warp);
// CODE-NEXT: tmemWaitStores();
// CODE: tcgen05Mma<64, 64>(tmem + 64, tmemOperand<bf16>(tmem + 128), mnMajor(c, 0), false);
// RUN: %if nvcc %{ %nvcc100 -cubin -I %t.one -o %t.cubin %t.one/chained.cu %}
sluice.kernel @chained(%A: !sluice.tensor<?x?xbf16, align 16> {sluice.name = "A"}, %B: !sluice.tensor<?x64xbf16, align 16> {sluice.name = "B"},
    %C: !sluice.tensor<64x?xbf16, align 16> {sluice.name = "C"}, %D: !sluice.tensor<?x?xf32, align 16> {sluice.name = "D", sluice.out})
    attributes {target = "sm_100a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %rows = sluice.dim %D, 0 : <?x?xf32, align 16>
  %columns = sluice.dim %D, 1 : <?x?xf32, align 16>
  %depth = sluice.dim %A, 1 : <?x?xbf16, align 16>
  %down = arith.ceildivsi %rows, %c128 : index
  %across = arith.ceildivsi %columns, %c64 : index
  %steps = arith.ceildivsi %depth, %c64 : index
  %i, %j = sluice.grid %down, %across {persistent} : index, index
  %row = arith.muli %i, %c128 : index
  %col = arith.muli %j, %c64 : index
  %s = sluice.alloc "s" : !sluice.buffer<128x64xf32>
  sluice.fill %s with 0.0 : <128x64xf32>
  scf.for %t = %c0 to %steps step %c1 {
    %k = arith.muli %t, %c64 : index
    %a = sluice.alloc "a" : !sluice.buffer<128x64xbf16>
    sluice.load %A[%row, %k] to %a : <?x?xbf16, align 16>, <128x64xbf16>
    %b = sluice.alloc "b" : !sluice.buffer<64x64xbf16>
    sluice.load %B[%k, %c0] to %b : <?x64xbf16, align 16>, <64x64xbf16>
    sluice.mma %s, %a, %b : <128x64xf32>, <128x64xbf16>, <64x64xbf16>
  } {sluice.name = "k", sluice.stages = 2 : i64}
  %p = sluice.alloc "p" : !sluice.buffer<128x64xbf16>
  sluice.map ins(%s : !sluice.buffer<128x64xf32>) outs(%p : !sluice.buffer<128x64xbf16>) {
  ^bb0(%x: f32):
    %zero = arith.constant 0.0 : f32
    %y = arith.maxnumf %x, %zero : f32
    %z = arith.truncf %y : f32 to bf16
    sluice.yield %z : bf16
  }
  %c = sluice.alloc "c" : !sluice.buffer<64x64xbf16>
  sluice.load %C[%c0, %col] to %c : <64x?xbf16, align 16>, <64x64xbf16>
  %d = sluice.alloc "d" : !sluice.buffer<128x64xf32>
  sluice.fill %d with 0.0 : <128x64xf32>
  sluice.mma %d, %p, %c : <128x64xf32>, <128x64xbf16>, <64x64xbf16>
  sluice.store %d to %D[%row, %col] : <128x64xf32>, <?x?xf32, align 16>
}
