"""A kernel of argv[1] loops with four stages that follow one another and add up A B each; what is
stored is the sum times argv[2]."""

import sys

loops, factor = int(sys.argv[1]), float(sys.argv[2])
a, b = "<?x?xf16, align 16>", "<64x64xf16>"

print(f"""sluice.kernel @in_turn(%A: !sluice.tensor{a} {{sluice.name = "A"}},
    %B: !sluice.tensor{a} {{sluice.name = "B"}},
    %C: !sluice.tensor<?x?xf32> {{sluice.name = "C", sluice.out}})
    attributes {{target = "sm_90a"}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %f = arith.constant {factor} : f32
  %M = sluice.dim %A, 0 : {a}
  %K = sluice.dim %A, 1 : {a}
  %N = sluice.dim %B, 1 : {a}
  %gm = arith.ceildivsi %M, %c64 : index
  %gn = arith.ceildivsi %N, %c64 : index
  %n = arith.ceildivsi %K, %c64 : index
  %i, %j = sluice.grid %gm, %gn : index, index
  %row = arith.muli %i, %c64 : index
  %col = arith.muli %j, %c64 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32>
  sluice.fill %acc with 0.0 : <64x64xf32>""")
for l in range(loops):
    print(f"""  scf.for %t{l} = %c0 to %n step %c1 {{
    %k{l} = arith.muli %t{l}, %c64 : index
    %a{l} = sluice.alloc "a{l}" : !sluice.buffer{b}
    %b{l} = sluice.alloc "b{l}" : !sluice.buffer{b}
    sluice.load %A[%row, %k{l}] to %a{l} : {a}, {b}
    sluice.load %B[%k{l}, %col] to %b{l} : {a}, {b}
    sluice.mma %acc, %a{l}, %b{l} : <64x64xf32>, {b}, {b}
  }} {{sluice.stages = 4}}""")
print("""  %c = sluice.alloc "c" : !sluice.buffer<64x64xf32>
  sluice.map ins(%acc : !sluice.buffer<64x64xf32>) outs(%c : !sluice.buffer<64x64xf32>) {
  ^bb0(%x: f32):
    %y = arith.mulf %x, %f : f32
    sluice.yield %y : f32
  }
  sluice.store %c to %C[%row, %col] : <64x64xf32>, <?x?xf32>
}""")
