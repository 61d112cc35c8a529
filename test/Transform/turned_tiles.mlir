// Ascend: rows of tiles that are columns of a tensor. Copies move rows; V turns what they bring, and
// what they store.
// RUN: split-file %s %t
// RUN: sluice check %t/turned.mlir | FileCheck %s --check-prefix=PROOF --implicit-check-not=rest-unused
// RUN: sed 's/ascend910b/ascend950/' %t/turned.mlir > %t/turned_950.mlir
// RUN: sluice check %t/turned_950.mlir | FileCheck %s --check-prefix=PROOF --implicit-check-not=rest-unused
// RUN: sluice emit %t/turned.mlir | FileCheck %s
// RUN: sed 's/64x48/48x48/g; s/48x64/48x48/; s/c64 = arith.constant 64/c64 = arith.constant 48/' %t/turned.mlir > %t/rows.mlir
// RUN: not sluice check %t/rows.mlir 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: not sluice check %t/twice.mlir 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not sluice check %t/outer.mlir 2>&1 | FileCheck %s --check-prefix=OUTER
// PROOF: {{^}}proven: every launch
// CHECK: loadRows<48, 32>(x_lines[at_x_lines.slot], X, {0, XExtent1, M, XStride1}, 0, n);
// CHECK: turnRows<48, 32>(x, x_lines[at_x_lines.slot]);
// CHECK: fillColumns<32, 48, 0>(x, XExtent1, bfloat16_t(0.0f));
// CHECK: fillRows<32, 48>(x, M - n, bfloat16_t(0.0f));
// CHECK: turnRows<32, 48>(y_lines[at_y_lines.slot], y);
// CHECK: storeRows<48, 32>(Y, {0, YExtent1, YExtent0, YStride1}, 0, n, y_lines[at_y_lines.slot]);
// CHECK: turnRows<32, 48>(z_lines[at_z_lines.slot], z);
// CHECK: storeRows<48, 32>(Z, {0, ZExtent0, ZExtent1, ZStride0}, 0, n, z_lines[at_z_lines.slot]);
// ROWS: rows.mlir:12:3: unsupported: tile 'x' has rows where the tensor has columns, and is turned by pieces of 16 x 16 numbers of 16 or 32 bits; each vector core has 24 x 48
// TWICE: twice.mlir:14:3: unsupported: transposes tile 'y' to a tensor whose columns are contiguous; declare it the other way round
// OUTER: outer.mlir:7:3: unsupported: rows or columns of a tile on the vector cores of ascend910b must be contiguous in memory; store the tensor so

//--- turned.mlir
sluice.kernel @turned(%X: !sluice.tensor<?x?xbf16, minor 0> {sluice.name = "X"},
                      %Y: !sluice.tensor<?x?xbf16, minor 0> {sluice.name = "Y", sluice.out},
                      %Z: !sluice.tensor<?x?xf32> {sluice.name = "Z", sluice.out})
    attributes {target = "ascend910b"} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %X, 0 : <?x?xbf16, minor 0>
  %tiles = arith.ceildivsi %M, %c64 : index
  %i = sluice.grid %tiles : index
  %row = arith.muli %i, %c64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x48xbf16>
  sluice.load %X[%row, %c0] to %x : <?x?xbf16, minor 0>, <64x48xbf16>
  %y = sluice.alloc "y" : !sluice.buffer<64x48xbf16>
  %z = sluice.alloc "z" : !sluice.buffer<64x48xf32>
  sluice.map ins(%x : !sluice.buffer<64x48xbf16>)
      outs(%y, %z : !sluice.buffer<64x48xbf16>, !sluice.buffer<64x48xf32>) {
  ^bb0(%a: bf16):
    %w = arith.extf %a : bf16 to f32
    %e = math.exp %w : f32
    %b = arith.truncf %e : f32 to bf16
    sluice.yield %b, %e : bf16, f32
  }
  sluice.store %y to %Y[%row, %c0] : <64x48xbf16>, <?x?xbf16, minor 0>
  %t = sluice.transpose %z : <64x48xf32>
  sluice.store %t to %Z[%c0, %row] : <48x64xf32, minor 0>, <?x?xf32>
}

//--- twice.mlir
sluice.kernel @twice(%X: !sluice.tensor<64x64xf16> {sluice.name = "X"},
                     %Y: !sluice.tensor<64x64xf16, minor 0> {sluice.name = "Y", sluice.out})
    attributes {target = "ascend910b"} {
  %c0 = arith.constant 0 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf16>
  sluice.load %X[%c0, %c0] to %x : <64x64xf16>, <64x64xf16>
  %y = sluice.alloc "y" : !sluice.buffer<64x64xf16>
  sluice.map ins(%x : !sluice.buffer<64x64xf16>) outs(%y : !sluice.buffer<64x64xf16>) {
  ^bb0(%a: f16):
    %b = arith.addf %a, %a : f16
    sluice.yield %b : f16
  }
  %t = sluice.transpose %y : <64x64xf16>
  sluice.store %t to %Y[%c0, %c0] : <64x64xf16, minor 0>, <64x64xf16, minor 0>
}

//--- outer.mlir
// Neither rows nor columns of the tile are contiguous.
sluice.kernel @outer(%X: !sluice.tensor<8x64x64xf16, minor 0> {sluice.name = "X"},
                     %Y: !sluice.tensor<64x64xf16> {sluice.name = "Y", sluice.out})
    attributes {target = "ascend910b"} {
  %c0 = arith.constant 0 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf16>
  sluice.load %X[%c0, %c0, %c0] to %x : <8x64x64xf16, minor 0>, <64x64xf16>
  %y = sluice.alloc "y" : !sluice.buffer<64x64xf16>
  sluice.map ins(%x : !sluice.buffer<64x64xf16>) outs(%y : !sluice.buffer<64x64xf16>) {
  ^bb0(%a: f16):
    %b = arith.addf %a, %a : f16
    sluice.yield %b : f16
  }
  sluice.store %y to %Y[%c0, %c0] : <64x64xf16>, <64x64xf16>
}
