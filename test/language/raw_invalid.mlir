// RUN: not sluice-opt %s -split-input-file 2>&1 | FileCheck %s
// CHECK: 'sluice.raw' op text for sm_90a: $z is no operand; there are: y, x
sluice.kernel @unknown() attributes {target = "sm_90a"} {
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf32>
  %y = sluice.alloc "y" : !sluice.buffer<64x64xf32>
  sluice.raw {sm_90a = "$=y = $x + $z;"} outs(%y : !sluice.buffer<64x64xf32>) ins(%x : !sluice.buffer<64x64xf32>) named ["y", "x"]
}
// -----
// CHECK: 'sluice.raw' op text for sm_90a: $=x writes an operand that is declared as read only; name it in outs too
sluice.kernel @undeclared() attributes {target = "sm_90a"} {
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf32>
  %y = sluice.alloc "y" : !sluice.buffer<64x64xf32>
  sluice.raw {sm_90a = "$=y = $=x = 1;"} outs(%y : !sluice.buffer<64x64xf32>) ins(%x : !sluice.buffer<64x64xf32>) named ["y", "x"]
}
// -----
// CHECK: 'sluice.raw' op text for sm_90a: $y reads an operand that is declared as written only; name it in ins too, or write $=y
sluice.kernel @read() attributes {target = "sm_90a"} {
  %y = sluice.alloc "y" : !sluice.buffer<64x64xf32>
  sluice.raw {sm_90a = "f($y);"} outs(%y : !sluice.buffer<64x64xf32>) named ["y"]
}
// -----
// CHECK: 'sluice.raw' op text for sm_90a: the text never writes 'y' ($=y), which it declares
sluice.kernel @never_written() attributes {target = "sm_90a"} {
  %y = sluice.alloc "y" : !sluice.buffer<64x64xf32>
  sluice.raw {sm_90a = "f($$y);"} outs(%y : !sluice.buffer<64x64xf32>) named ["y"]
}
// -----
// CHECK: 'sluice.raw' op text for sm_90a: the text never reads 'x' ($x), which it declares
sluice.kernel @never_read() attributes {target = "sm_90a"} {
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf32>
  sluice.raw {sm_90a = "f();"} ins(%x : !sluice.buffer<64x64xf32>) named ["x"]
}
// -----
// CHECK: 'sluice.raw' op names 1 of 2 operands; name those of outs, ins and with, in this order
sluice.kernel @names() attributes {target = "sm_90a"} {
  %c1 = arith.constant 1 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf32>
  sluice.raw {sm_90a = "f($x);"} ins(%x : !sluice.buffer<64x64xf32>) with(%c1) named ["x"]
}
// -----
// CHECK: 'sluice.raw' op 'x' names two operands
sluice.kernel @twice() attributes {target = "sm_90a"} {
  %c1 = arith.constant 1 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf32>
  sluice.raw {sm_90a = "f($x);"} ins(%x : !sluice.buffer<64x64xf32>) with(%c1) named ["x", "x"]
}
// -----
// CHECK: 'sluice.raw' op 'a b' is no name; letters, digits and _ make one
sluice.kernel @no_name() attributes {target = "sm_90a"} {
  %c1 = arith.constant 1 : index
  sluice.raw {sm_90a = "f();"} with(%c1) named ["a b"]
}
// -----
// CHECK: 'sluice.raw' op has no text; give one for a target: {sm_90a = "..."}
sluice.kernel @empty() attributes {target = "sm_90a"} {
  sluice.raw {} named []
}
// -----
// CHECK: 'sluice.raw' op no target is called 'sm_3'
sluice.kernel @target() attributes {target = "sm_90a"} {
  sluice.raw {sm_3 = "f();"} named []
}
// -----
// CHECK: 'sluice.raw' op input of shape 32x64 does not broadcast to 64x64
sluice.kernel @model() attributes {target = "sm_90a"} {
  %x = sluice.alloc "x" : !sluice.buffer<32x64xf32>
  %y = sluice.alloc "y" : !sluice.buffer<64x64xf32>
  sluice.raw {sm_90a = "f($x, $=y);"} outs(%y : !sluice.buffer<64x64xf32>) ins(%x : !sluice.buffer<32x64xf32>) named ["y", "x"] model {
  ^bb0(%e: f32):
    sluice.yield %e : f32
  }
}
