// What roles among tiles may not say, by name.
// RUN: sed 's/in_role = "convert"/in_role = "converts"/' %S/convert.mlir > %t.mlir
// RUN: not sluice check %t.mlir 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: {{.*}}: sluice.in_role: no role is called 'converts'; sluice.roles of the kernel has convert{{$}}
// RUN: sed 's/attributes {sluice.roles = {convert = 4}} //' %S/convert.mlir > %t.mlir
// RUN: not sluice check %t.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: {{.*}}: sluice.in_role: no role is called 'convert'; sluice.roles of the kernel gives roles their warps: {convert = 4}
// RUN: sed 's/ {sluice.in_role = "convert"}//' %S/convert.mlir > %t.mlir
// RUN: not sluice check %t.mlir 2>&1 | FileCheck %s --check-prefix=IDLE
// IDLE: error: {{.*}}: sluice.roles: role 'convert' has nothing to do; put statements there with sluice.in_role, or leave it out
//
// Warps: of a warpgroup, of the rows of a tile, of a CTA.
// RUN: sed 's/convert = 4/convert = 33/' %S/convert.mlir > %t.mlir
// RUN: not sluice check %t.mlir 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: error: {{.*}}sluice.roles: role 'convert' has 1 to 32 warps
// RUN: sed 's/convert = 4/convert = 2/' %S/convert.mlir > %t.mlir
// RUN: not sluice check %t.mlir 2>&1 | FileCheck %s --check-prefix=GROUP
// GROUP: error: {{.*}}: unsupported: role 'convert' has 2 warps and holds tile 'h' in registers, where a warpgroup of 4 holds 64 rows; take a multiple of 4
// RUN: sed 's/convert = 4/convert = 8/' %S/convert.mlir > %t.mlir
// RUN: not sluice check %t.mlir 2>&1 | FileCheck %s --check-prefix=ROWS
// ROWS: error: {{.*}}: unsupported: tile 'h' has 64 rows and waits in registers of the 8 warps of role 'convert', which hold 128; take a multiple of 128
// RUN: sed 's/convert = 4/convert = 4, load = 32/' %S/convert.mlir > %t.mlir
// RUN: not sluice check %t.mlir 2>&1 | FileCheck %s --check-prefix=CTA
// CTA: error: {{.*}}: unsupported: the roles have 40 warps; a CTA has 32 at most: give those of sluice.roles fewer
// RUN: sed 's/convert = 4/convert = {registers = 40}/' %S/convert.mlir > %t.mlir
// RUN: not sluice check %t.mlir 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: sed 's/convert = 4/convert = {warps = 4, registers = 44}/' %S/convert.mlir > %t.mlir
// RUN: not sluice check %t.mlir 2>&1 | FileCheck %s --check-prefix=EACH
// EACH: error: {{.*}}sluice.roles: role 'convert' has registers of a thread that setmaxnreg takes: 24 to 256 in steps of 8
// RUN: sed 's/convert = 4/convert = {warps = 4, leader = 1}/' %S/convert.mlir > %t.mlir
// RUN: not sluice check %t.mlir 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: error: {{.*}}sluice.roles: role 'convert' is of the leader CTA by the word alone: {warps = 4, leader}
// RUN: sed 's/convert = 4/convert = {warps = 4, lead}/' %S/convert.mlir > %t.mlir
// RUN: not sluice check %t.mlir 2>&1 | FileCheck %s --check-prefix=WORD
// WORD: error: {{.*}}sluice.roles: role 'convert' may say its warps, its registers and leader, not lead
//
// Names that mean something else.
// RUN: sed 's/convert = 4/convert = 4, scheduler = 1/' %S/convert.mlir > %t.mlir
// RUN: not sluice check %t.mlir 2>&1 | FileCheck %s --check-prefix=DRAWS
// DRAWS: error: {{.*}}: sluice.roles: role 'scheduler' is the one that draws tiles; take another name
// RUN: sed 's/convert = 4/V = 4/; s/"convert"/"V"/' %S/convert.mlir > %t.mlir
// RUN: not sluice check %t.mlir 2>&1 | FileCheck %s --check-prefix=PIPE
// PIPE: error: {{.*}}: sluice.roles: 'V' is a pipe of Ascend cores; take another name
//
// Where they stand.
// RUN: sed 's/sluice.name = "k"/sluice.name = "k", sluice.in_role = "convert"/' %S/convert.mlir > %t.mlir
// RUN: not sluice check %t.mlir 2>&1 | FileCheck %s --check-prefix=LOOP
// LOOP: error: {{.*}}sluice.in_role stands on a statement that moves or computes tiles, or asks a counter
// RUN: sed 's/in_role = "convert"/in_role = 4/' %S/convert.mlir > %t.mlir
// RUN: not sluice check %t.mlir 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: error: {{.*}}sluice.in_role is the name of a role
// RUN: sed 's/{convert = 4}/4/' %S/convert.mlir > %t.mlir
// RUN: not sluice check %t.mlir 2>&1 | FileCheck %s --check-prefix=MAP
// MAP: error: {{.*}}sluice.roles of a kernel gives roles their warps: {convert = 4}
// RUN: sed 's/sluice.roles =/target = "ascend910b", sluice.roles =/' %S/convert.mlir > %t.mlir
// RUN: not sluice check %t.mlir 2>&1 | FileCheck %s --check-prefix=ASCEND
// ASCEND: error: {{.*}}: unsupported: sluice.roles: an Ascend core has pipes, each with its own work, and no warps; leave it out
//
// Other plans of who does what.
// RUN: sed 's/%%gm, %%gn :/%%gm, %%gn {persistent, sluice.turns = 2} :/' %S/products.mlir > %t.mlir
// RUN: not sluice check %t.mlir 2>&1 | FileCheck %s --check-prefix=TURNS
// TURNS: error: {{.*}}: sluice.turns: two groups of role 'mma' take turns: it is to have whole warpgroups, and something to do; leave it out, or leave statements to that role
// RUN: sed 's/%%gm, %%gn :/%%gm, %%gn {sluice.load_ahead} :/' %S/graph.mlir > %t.mlir
// RUN: not sluice check %t.mlir 2>&1 | FileCheck %s --check-prefix=AHEAD
// AHEAD: error: {{.*}}: is a load of role 'load_a', and with sluice.load_ahead who computes with a tile loads it, some steps ahead; leave one of them out
// RUN: sed 's/%%gm, %%gn :/%%gm, %%gn {sluice.load_ahead} :/; s/convert = 4/convert = 4, load = 1/' %S/convert.mlir > %t.mlir
// RUN: not sluice check %t.mlir 2>&1 | FileCheck %s --check-prefix=LOADS
// LOADS: error: {{.*}}: sluice.roles: role 'load' beside sluice.load_ahead, with which no role loads; leave one of them out
// RUN: sed 's/%%gm, %%gn :/%%gm, %%gn {sluice.load_ahead} :/; s/ {sluice.in_role = "load_[ab]"}//; s/load_a = 1, load_b = 1, //' %S/graph.mlir > %t.mlir
// RUN: not sluice check %t.mlir 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: error: {{.*}}: unsupported: tile 'a' is read by role 'sums' and by role 'mma', and with sluice.load_ahead who computes with a tile loads it; leave it out, or let each load a tile of its own
// RUN: sed 's/phase = "pipeline"/phase = "pipeline", sluice.roles = {load = 1}/' %S/../../language/two_halves.mlir > %t.mlir
// RUN: not sluice check %t.mlir 2>&1 | FileCheck %s --check-prefix=HAND
// HAND: error: {{.*}}: unsupported: sluice.roles beside roles that are written by hand, with their warps; leave one of them out
//
// Registers are of one role; what crosses is a whole matrix or a number a row, written before it is
// read.
// RUN: sed 's/^    sluice.mma .*/&\n    sluice.copy %%h to %%acc {sluice.in_role = "convert"} : <64x128xf16>, <64x128xf32>/' %S/convert.mlir > %t.mlir
// RUN: not sluice check %t.mlir 2>&1 | FileCheck %s --check-prefix=WRITERS
// WRITERS: error: {{.*}}: unsupported: tile 'acc' is written by role 'mma' and by role 'convert', and registers are of one role; let one of them write it, or hand on a tile of its own
// RUN: sed 's/<?x1xf32>/<?x1xf32, minor 0>/; s/%%sum to %%S\[%%row, %%c0\]/& {sluice.in_role = "out"}/' %S/graph.mlir > %t.mlir
// RUN: not sluice check %t.mlir 2>&1 | FileCheck %s --check-prefix=STORED
// STORED: error: {{.*}}: unsupported: tile 'sum' waits in registers of role 'sums', and role 'out' stores it, whose rows the tensor does not have as rows: as a whole by way of shared memory it takes such; leave the store to role 'sums'
// RUN: sed 's/^  sluice.store .*/  %%one = sluice.alloc "one" : !sluice.buffer<1x128xf32>\n  sluice.fill %%one with 1.0 {sluice.in_role = "convert"} : <1x128xf32>\n  sluice.map ins(%%acc, %%one : !sluice.buffer<64x128xf32>, !sluice.buffer<1x128xf32>) outs(%%acc : !sluice.buffer<64x128xf32>) {\n  ^bb0(%%x: f32, %%y: f32):\n    %%z = arith.addf %%x, %%y : f32\n    sluice.yield %%z : f32\n  }\n&/' %S/convert.mlir > %t.mlir
// RUN: not sluice check %t.mlir 2>&1 | FileCheck %s --check-prefix=ROW
// ROW: error: {{.*}}: unsupported: tile 'one' goes from role to role, and is one row, of which every warp has a copy; compute it where it is read
// RUN: sed 's/to %%a : /to %%a {sluice.in_role = "mma"} : /; s/convert = 4/convert = 4, mma = 4/' %S/convert.mlir > %t.mlir
// RUN: not sluice check %t.mlir 2>&1 | FileCheck %s --check-prefix=OWN
// OWN: error: {{.*}}: unsupported: role 'mma' loads tile 'a' into shared memory and reads it itself; leave the load to role 'load', or name another role for it
// RUN: sed 's/^  sluice.store %%c to .*/&\n  sluice.map ins(%%acc : !sluice.buffer<64x128xf32>) outs(%%acc : !sluice.buffer<64x128xf32>) {\n  ^bb0(%%x: f32):\n    sluice.yield %%x : f32\n  }/' %S/graph.mlir > %t.mlir
// RUN: not sluice check %t.mlir 2>&1 | FileCheck %s --check-prefix=AGAIN
// AGAIN: error: {{.*}}: unsupported: fills tile 'acc' behind a statement in which role 'epilogue' reads it; give each value its own tile, declared where it is filled
// RUN: sed 's/^  %%c = sluice.alloc.*/&\n  %%left = sluice.subview %%acc[%%c0, %%c0] : <64x128xf32> to <64x64xf32>/; s/64x128xf16/64x64xf16/; s/ins(%%acc : !sluice.buffer<64x128xf32>)/ins(%%left : !sluice.buffer<64x64xf32>)/; /sluice.load/s/64x64xf16>$/64x128xf16>/; s/%%a {sluice.in_role = "load_a"} : \(.*\)64x128xf16/%%a {sluice.in_role = "load_a"} : \164x64xf16/; s/%%b = sluice.alloc "b" : !sluice.buffer<64x64xf16>/%%b = sluice.alloc "b" : !sluice.buffer<64x128xf16>/; /sluice.mma/s/<64x64xf16>$/<64x128xf16>/' %S/graph.mlir > %t.mlir
// RUN: not sluice check %t.mlir 2>&1 | FileCheck %s --check-prefix=PART
// PART: error: {{.*}}: unsupported: takes a part of tile 'acc', or turns it, which role 'mma' computes; make the part a tile of its own
//
// A store by another role is of the whole tile.
// RUN: sed 's/sluice.in_role = "out"/sluice.in_role = "out", sluice.staging = 2/' %S/graph.mlir > %t.mlir
// RUN: not sluice check %t.mlir 2>&1 | FileCheck %s --check-prefix=PARTS
// PARTS: error: {{.*}}: role 'out' stores the tile of role 'epilogue' as a whole: sluice.staging asks for parts in 2 slots; ask for one, or leave it out
// RUN: sed 's/sluice.stages = 4/sluice.stages = 8/' %S/graph.mlir > %t.mlir
// RUN: not sluice check %t.mlir 2>&1 | FileCheck %s --check-prefix=ROOM
// ROOM: error: {{.*}}: role 'out' stores the tile of role 'epilogue' as a whole: 16384 bytes, and there are 2048 beside the tiles in shared memory; use fewer stages
