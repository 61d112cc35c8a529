// RUN: sluice check %s | FileCheck %s
// Ascend: of each tile of rows every one of eight cube cores multiplies an eighth of K and puts its
// sums into a workspace; then all vector cores of the launch meet, and each adds the parts of its
// rows of every tile.
// CHECK: {{^}}proven
// CHECK: co-resident: all blocks of the grid run at the same time
sluice.kernel @parts(%A: !sluice.tensor<?x512xf16> {sluice.name = "A"},
                     %B: !sluice.tensor<512x64xf16> {sluice.name = "B"},
                     %W: !sluice.tensor<?x512x64xf32> {sluice.name = "W", sluice.inout},
                     %C: !sluice.tensor<?x64xf32> {sluice.name = "C", sluice.out})
    attributes {target = "ascend910b", phase = "barrier"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %no = arith.constant false
  %M = sluice.dim %A, 0 : <?x512xf16>
  %rows_of_c = sluice.dim %C, 0 : <?x64xf32>
  %as_long = arith.cmpi eq, %rows_of_c, %M : index
  sluice.assume %as_long, "C has the rows of A"
  %n = arith.ceildivsi %M, %c64 : index
  %parts = sluice.dim %W, 0 : <?x512x64xf32>
  %hold_all = arith.cmpi sge, %parts, %n : index
  sluice.assume %hold_all, "W has room for all tiles of rows"
  %part = sluice.grid %c8 : index
  %first = arith.muli %part, %c64 : index

  sluice.role "cube" core "aic" {
    %a = sluice.alloc "a_l1" : !sluice.buffer<64x64xf16, l1, zN>
    %b = sluice.alloc "b_l1" : !sluice.buffer<64x64xf16, l1, zN>
    %l0a = sluice.alloc "l0a" : !sluice.buffer<64x64xf16, l0a, zZ>
    %l0b = sluice.alloc "l0b" : !sluice.buffer<64x64xf16, l0b, nZ>
    %l0c = sluice.alloc "l0c" : !sluice.buffer<64x64xf32, l0c, zN>
    sluice.load %B[%first, %c0] to %b on MTE2 : <512x64xf16>, <64x64xf16, l1, zN>
    sluice.set_flag MTE2 to MTE1[%c1]
    sluice.wait_flag MTE2 to MTE1[%c1]
    sluice.copy %b to %l0b on MTE1 : <64x64xf16, l1, zN>, <64x64xf16, l0b, nZ>
    sluice.set_flag MTE1 to MTE2[%c0]
    sluice.set_flag M to MTE1[%c0]
    sluice.set_flag FIX to M[%c0]
    scf.for %t = %c0 to %n step %c1 {
      %row = arith.muli %t, %c64 : index
      sluice.wait_flag MTE1 to MTE2[%c0]
      sluice.load %A[%row, %first] to %a on MTE2 : <?x512xf16>, <64x64xf16, l1, zN>
      sluice.set_flag MTE2 to MTE1[%c0]
      sluice.wait_flag MTE2 to MTE1[%c0]
      sluice.wait_flag M to MTE1[%c0]
      sluice.copy %a to %l0a on MTE1 : <64x64xf16, l1, zN>, <64x64xf16, l0a, zZ>
      sluice.set_flag MTE1 to MTE2[%c0]
      sluice.set_flag MTE1 to M[%c0]
      sluice.wait_flag MTE1 to M[%c0]
      sluice.wait_flag FIX to M[%c0]
      sluice.mmad %l0c, %l0a, %l0b accumulate %no : <64x64xf32, l0c, zN>,
          <64x64xf16, l0a, zZ>, <64x64xf16, l0b, nZ>
      sluice.set_flag M to MTE1[%c0]
      sluice.set_flag M to FIX[%c0]
      sluice.wait_flag M to FIX[%c0]
      sluice.store %l0c to %W[%t, %first, %c0] on FIX : <64x64xf32, l0c, zN>, <?x512x64xf32>
      sluice.set_flag FIX to M[%c0]
    } {sluice.pipelined}
    sluice.wait_flag MTE1 to MTE2[%c0]
    sluice.wait_flag M to MTE1[%c0]
    sluice.wait_flag FIX to M[%c0]
    sluice.cross.set mode 2 on FIX[%c0]
  }

  sluice.role "vector" core "aiv" {
    %sum = sluice.alloc "sum" : !sluice.buffer<4x64xf32, ub, row>
    %x = sluice.alloc "x" : !sluice.buffer<4x64xf32, ub, row>
    %half = sluice.subblock
    %twice = arith.muli %part, %c2 : index
    %vector = arith.addi %twice, %half : index
    %mine = arith.muli %vector, %c4 : index
    // What the cube core of this block has stored is told to all.
    sluice.cross.wait on MTE3[%c0]
    sluice.cross.set mode 0 on MTE3[%c1]
    sluice.cross.wait on MTE2[%c1]
    sluice.set_flag MTE3 to V[%c0]
    sluice.set_flag V to MTE2[%c0]
    scf.for %t = %c0 to %n step %c1 {
      %row = arith.muli %t, %c64 : index
      %to = arith.addi %row, %mine : index
      sluice.wait_flag MTE3 to V[%c0]
      sluice.pipe_barrier V
      sluice.fill %sum with 0.0 on V : <4x64xf32, ub, row>
      scf.for %p = %c0 to %c8 step %c1 {
        %down = arith.muli %p, %c64 : index
        %at = arith.addi %down, %mine : index
        sluice.wait_flag V to MTE2[%c0]
        sluice.load %W[%t, %at, %c0] to %x on MTE2 : <?x512x64xf32>, <4x64xf32, ub, row>
        sluice.set_flag MTE2 to V[%c0]
        sluice.wait_flag MTE2 to V[%c0]
        sluice.pipe_barrier V
        sluice.map ins(%sum, %x : !sluice.buffer<4x64xf32, ub, row>,
                !sluice.buffer<4x64xf32, ub, row>)
            outs(%sum : !sluice.buffer<4x64xf32, ub, row>) on V {
        ^bb0(%s: f32, %v: f32):
          %w = arith.addf %s, %v : f32
          sluice.yield %w : f32
        }
        sluice.set_flag V to MTE2[%c0]
      }
      sluice.set_flag V to MTE3[%c0]
      sluice.wait_flag V to MTE3[%c0]
      sluice.store %sum to %C[%to, %c0] on MTE3 : <4x64xf32, ub, row>, <?x64xf32>
      sluice.set_flag MTE3 to V[%c0]
    } {sluice.pipelined}
    sluice.wait_flag MTE3 to V[%c0]
    sluice.wait_flag V to MTE2[%c0]
  }
}
