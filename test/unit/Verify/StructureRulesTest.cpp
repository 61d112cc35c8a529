// R15 to R20: limits that need no run.
#include "Ring.h"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

/// A ring's program after a change.
template <typename Change> std::string afterwards(Change change) {
  Builder b = ring({});
  b.place();
  change(b.program);
  return text(checkStructure(b.program, defaultArch(Target::sm_90a)));
}

TEST(StructureRules, R15_AcceptsTheRing) {
  EXPECT_EQ(afterwards([](Program &) {}), "none");
}

TEST(StructureRules, R15_RefusesStridesThatAreNotAligned) {
  EXPECT_EQ(
      afterwards([](Program &p) { p.tensors[0].align = 2; }),
      "R15: TMA load at t:21:1: tensor A promises an alignment of 2 bytes; TMA needs 16 for the"
      " base and every stride. Copy by threads instead");
}

TEST(StructureRules, R15_RefusesATransposingLoad) {
  EXPECT_EQ(afterwards([](Program &p) { p.tensors[0].minor = 0; }),
            "R15: TMA load at t:21:1: the contiguous dimension of A is not that of a; TMA does not "
            "transpose");
}

/// Loads a box of rows x columns of f16 into a tile of that shape and layout; `part`: columns of it
/// alone.
std::string load(int64_t rows, int64_t columns, Layout layout, int64_t part = 0) {
  Builder b;
  const int A = b.tensor("A", DType::f16, {1024, 1024});
  const int a = b.buffer("a", Space::smem, DType::f16, {rows, columns}, layout);
  const int full = b.barriers("full", 1);
  b.grid(1);
  b.role("r", 0, 1, [&] {
    View tile = b.tile(a);
    tile.shape[1] = part ? part : columns;
    b.load(tile, b.box(A, {zero, zero}, tile.shape), full, zero);
  });
  return text(b.structure());
}

TEST(StructureRules, R15_AcceptsBoxesUpTo256) {
  EXPECT_EQ(load(256, 256, Layout::row), "none");
  EXPECT_EQ(load(64, 512, Layout::sw128), "none"); // several boxes side by side
  EXPECT_EQ(load(4, 1024, Layout::panels), "none");
}

TEST(StructureRules, R15_RefusesBoxesAbove256) {
  EXPECT_EQ(
      load(320, 64, Layout::sw128),
      "R15: TMA load at t:4:1: the box has 320 elements in dimension 0; TMA takes at most 256");
}

TEST(StructureRules, R15_RefusesNarrowBoxes) {
  EXPECT_EQ(load(64, 4, Layout::row),
            "R15: TMA load at t:4:1: the box is 8 bytes wide; TMA needs a multiple of 16");
}

TEST(StructureRules, R15_RefusesPartsOfPanels) {
  EXPECT_EQ(load(8, 512, Layout::panels, 64),
            "R15: TMA load at t:4:1: the box has 64 elements along the panels of a; it takes whole "
            "ones, of 256");
}

TEST(StructureRules, R15_RefusesLayoutsThatTmaDoesNotWrite) {
  EXPECT_EQ(load(64, 64, Layout::zN),
            "R15: TMA load at t:4:1: buffer a has layout zN; TMA writes rows, panels or a "
            "swizzle of 32, 64 or 128 bytes");
}

/// A box of 64 x 64 f16 at these coordinates, loaded or stored.
std::string boxAt(int64_t row, int64_t column, bool store) {
  Builder b;
  const int A = b.tensor("A", DType::f16, {1024, 1024});
  const int a = b.buffer("a", Space::smem, DType::f16, {64, 64}, Layout::sw128);
  const int full = b.barriers("full", 1);
  b.grid(1);
  b.role("r", 0, 1, [&] {
    const View box = b.box(A, {{kNone, row}, {kNone, column}}, {64, 64});
    if (store)
      b.emit(TmaStore{box, b.tile(a)}, Exec::one);
    else
      b.load(b.tile(a), box, full, zero);
  });
  return text(b.structure());
}

TEST(StructureRules, R40_AcceptsBoxesAtMultiplesOf16Bytes) {
  EXPECT_EQ(boxAt(3, 8, false), "none");
  EXPECT_EQ(boxAt(-5, -64, false), "none");
  EXPECT_EQ(boxAt(3, 8, true), "none");
}

TEST(StructureRules, R40_RefusesBoxesElsewhere) {
  EXPECT_EQ(boxAt(0, 12, false),
            "R40: TMA load at t:4:1: the box starts in dimension 1 of A at multiples of 24 bytes, "
            "as far as is known; TMA needs 16. Copy by threads instead");
}

TEST(StructureRules, R40_RefusesStoresBeforeTheTensor) {
  EXPECT_EQ(boxAt(-1, 0, true),
            "R40: TMA store at t:4:1: the box may start before dimension 0 of A, at -1; TMA stores "
            "from 0 on. Copy by threads, or assume what keeps it from there");
}

/// A store of 64 columns to lines of so many f16, which their type fixes.
std::string storedInLinesOf(int64_t columns) {
  Builder b;
  const int A = b.tensor("A", DType::f16, {64, columns});
  b.program.tensors[A].extents = {-1, columns};
  const int a = b.buffer("a", Space::smem, DType::f16, {64, 64}, Layout::sw128);
  b.grid(1);
  b.role("r", 0, 1, [&] {
    b.emit(TmaStore{b.box(A, {zero, zero}, {64, 64}), b.tile(a)}, Exec::one);
  });
  return text(b.structure());
}

TEST(StructureRules, R40_AcceptsLinesOfWholePieces) {
  EXPECT_EQ(storedInLinesOf(72), "none");
}

TEST(StructureRules, R40_RefusesLinesThatEndWithinAPiece) {
  EXPECT_EQ(storedInLinesOf(68),
            "R40: TMA store at t:4:1: dimension 1 of A has 136 bytes; TMA stores multiples of 16. "
            "Copy by threads instead");
}

TEST(StructureRules, R16_AcceptsAllOfSharedMemory) {
  EXPECT_EQ(afterwards([](Program &p) { p.sharedBytes = 232448; }), "none");
}

TEST(StructureRules, R16_RefusesMoreThanThereIs) {
  EXPECT_EQ(
      text(ring({.stages = 15}).structure()),
      "R16: buffer b ends at byte 245760 of shared memory; h100 has 232448. Use fewer slots or "
      "smaller tiles");
  Builder b(Target::ascend910b);
  b.buffer("a0", Space::l0a, DType::f16, {128, 256}, Layout::zZ, 2);
  EXPECT_EQ(text(b.structure()),
            "R16: buffer a0 ends at byte 131072 of L0A; ascend910b2 has 65536. Use fewer slots or "
            "smaller tiles");
}

TEST(StructureRules, R16_AcceptsCtasThatHaveRoom) {
  EXPECT_EQ(afterwards([](Program &p) { p.ctasPerSm = 2, p.sharedBytes = 115712; }), "none");
}

TEST(StructureRules, R16_RefusesCtasWithoutRoom) {
  EXPECT_EQ(afterwards([](Program &p) { p.ctasPerSm = 2, p.sharedBytes = 115840; }),
            "R16: 2 CTAs on an SM take 233728 bytes of shared memory, 1024 of each for the system; "
            "h100 has 233472");
  EXPECT_EQ(afterwards([](Program &p) { p.ctasPerSm = 3, p.warps = 22; }),
            "R16: 3 CTAs on an SM are 66 warps; h100 has room for 64");
}

TEST(StructureRules, R16_RefusesMbarriersInABuffer) {
  EXPECT_EQ(afterwards([](Program &p) { p.mbarriers[1].offset = 64; }),
            "R16: mbarrier array empty and buffer a overlap in shared memory");
}

TEST(StructureRules, R16_RefusesSlotsThatOverlap) {
  EXPECT_EQ(afterwards([](Program &p) { p.buffers[0].slotBytes = 4096; }),
            "R16: the slots of a overlap: they are 4096 bytes apart and hold 8192");
}

TEST(StructureRules, R17_AcceptsWholeSwizzlePatterns) {
  EXPECT_EQ(text(ring({.stages = 3}).structure()), "none");
}

TEST(StructureRules, R17_RefusesATileInsideAPattern) {
  EXPECT_EQ(
      afterwards([](Program &p) { p.buffers[0].offset = 512; }),
      "R17: buffer a starts at byte 512 with slots of 8192; both must be multiples of 1024 (a "
      "swizzle of 128 bytes repeats every 1024)");
  EXPECT_EQ(afterwards([](Program &p) { p.mbarriers[0].offset += 4; }).substr(0, 3), "R17");
}

/// A prefetch by one thread of a box at column `from` of a tensor.
std::string prefetched(std::vector<int64_t> shape, int64_t from, int64_t align = 16) {
  Builder b;
  const int A = b.tensor("A", DType::f16, {1024, 1024});
  b.program.tensors[A].align = align;
  b.grid(1);
  b.program.warps = 1;
  b.emit(Prefetch{b.box(A, {zero, constant(from)}, std::move(shape))}, Exec::one);
  b.place();
  return text(checkStructure(b.program, defaultArch(Target::sm_90a)));
}

TEST(StructureRules, R15_AcceptsPrefetchesOfBoxes) {
  EXPECT_EQ(prefetched({64, 64}, 0), "none");
  EXPECT_EQ(prefetched({256, 512}, 8), "none"); // two boxes side by side
}

TEST(StructureRules, R15_RefusesPrefetchesThatNoMapHas) {
  const std::string at = "R15: prefetch at t:3:1: ";
  EXPECT_EQ(prefetched({512, 64}, 0),
            at + "the box has 512 elements in dimension 0; TMA takes at most 256");
  EXPECT_EQ(prefetched({64, 300}, 0), at + "the box is 600 bytes wide; TMA needs a multiple of 16");
  EXPECT_EQ(prefetched({64, 64}, 0, 2),
            at + "tensor A has rank 2 and an alignment of 2 bytes; a tensor map has at most 5 "
                 "dimensions, and 16 bytes. Prefetch by threads");
}

TEST(StructureRules, R40_RefusesPrefetchesBetweenPieces) {
  EXPECT_EQ(prefetched({64, 64}, 4).substr(0, 3), "R40");
}

/// A tile without swizzle at byte `offset`, filled from its row `row` on by TMA or by threads.
std::string plainTile(int64_t offset, int64_t columns, int64_t row, bool tma) {
  Builder b;
  const int A = b.tensor("A", DType::f16, {64, columns});
  const int a = b.buffer("a", Space::smem, DType::f16, {64, columns}, Layout::row);
  const int full = b.barriers("full", 1);
  b.grid(1);
  b.program.warps = 1;
  const View box = b.box(A, {zero, zero}, {8, columns});
  View part = b.tile(a);
  part.offset[0] = constant(row);
  part.shape[0] = 8;
  if (tma)
    b.emit(TmaLoad{part, box, b.at(full), 0}, Exec::one);
  else
    b.emit(Copy{part, box});
  b.place();
  b.program.buffers[a].offset = offset;
  b.program.mbarriers[0].offset = 65536;
  b.program.sharedBytes = 65544;
  return text(checkStructure(b.program, defaultArch(Target::sm_90a)));
}

TEST(StructureRules, R17_AcceptsBoxesAtMultiplesOf128) {
  EXPECT_EQ(plainTile(128, 64, 0, true), "none");
  EXPECT_EQ(plainTile(128, 48, 4, true), "none"); // 4 rows of 96 bytes
  EXPECT_EQ(plainTile(16, 48, 1, false), "none"); // threads need 16
}

TEST(StructureRules, R17_RefusesBoxesElsewhere) {
  EXPECT_EQ(plainTile(16, 64, 0, true), "R17: TMA load at t:3:1: buffer a starts at byte 16 with "
                                        "slots of 8192; TMA needs multiples of "
                                        "128 for both");
  EXPECT_EQ(plainTile(128, 48, 1, true), "R17: TMA load at t:3:1: the box starts at element 1 of "
                                         "dimension 0 of a, in steps of 96 bytes; "
                                         "TMA needs a multiple of 128");
}

/// A tile of these elements that TMA adds to a tensor.
std::string sumOf(DType type) {
  Builder b;
  const int A = b.tensor("A", type, {64, 64});
  const int a = b.buffer("a", Space::smem, type, {64, 64}, Layout::row);
  b.grid(1);
  b.program.warps = 1;
  b.emit(TmaStore{b.box(A, {zero, zero}, {64, 64}), b.tile(a), true}, Exec::one);
  return text(b.structure());
}

TEST(StructureRules, R15_AcceptsSumsOf16And32Bits) {
  EXPECT_EQ(sumOf(DType::bf16), "none");
  EXPECT_EQ(sumOf(DType::i32), "none");
}

TEST(StructureRules, R15_RefusesSumsOf8Bits) {
  EXPECT_EQ(sumOf(DType::e4m3), "R15: TMA reduce at t:3:1: TMA adds elements of 16 and 32 bits; "
                                "those of A are e4m3");
}

TEST(StructureRules, R18_AcceptsAccumulatorsInF16) {
  EXPECT_EQ(afterwards([](Program &p) { p.buffers[2].type = DType::f16; }), "none");
}

TEST(StructureRules, R18_RefusesTypesWithoutAnInstruction) {
  EXPECT_EQ(afterwards([](Program &p) {
              p.buffers[0].type = p.buffers[1].type = DType::bf16;
              p.buffers[2].type = DType::f16;
            }),
            "R18: wgmma at t:36:1: no instruction multiplies bf16 by bf16 into f16");
}

TEST(StructureRules, R18_RefusesRowsThatAreNoMultipleOf64) {
  EXPECT_EQ(afterwards([](Program &p) {
              p.buffers[0].shape[0] = p.buffers[2].shape[0] = 32;
              eachOf<Wgmma>(p, [](Wgmma &w) { w.a.shape[0] = w.d.shape[0] = 32; });
              eachOf<TmaLoad>(p, [](TmaLoad &l) {
                if (l.destination.object == 0)
                  l.destination.shape[0] = l.source.shape[0] = 32;
              });
              eachOf<Fill>(p, [](Fill &f) { f.destination.shape[0] = 32; });
              eachOf<Copy>(p, [](Copy &c) { c.source.shape[0] = c.destination.shape[0] = 32; });
            }),
            "R18: wgmma at t:36:1: D is 32 x 64; rows come in 64, columns in 8 up to 256");
}

TEST(StructureRules, R18_RefusesOperandsWithoutASwizzle) {
  EXPECT_EQ(
      afterwards([](Program &p) { p.buffers[1].layout = Layout::row; }),
      "R18: wgmma at t:36:1: operand b has layout row; the descriptor needs a swizzled layout "
      "(sw32, sw64, sw128)");
}

Role *roleOf(Program &p, const std::string &name) {
  for (Stmt &s : p.body.stmts)
    if (auto *r = std::get_if<Role>(&s.op); r && r->name == name)
      return r;
  return nullptr;
}

TEST(StructureRules, R19_AcceptsRegistersThatFit) {
  EXPECT_EQ(afterwards([](Program &p) { roleOf(p, "mma")->registers = 240; }), "none");
}

TEST(StructureRules, R19_RefusesCountsThatSetmaxnregDoesNotTake) {
  EXPECT_EQ(
      afterwards([](Program &p) { roleOf(p, "mma")->registers = 100; }),
      "R19: role mma at t:24:1 asks for 100 registers a thread; setmaxnreg takes multiples of 8"
      " from 24 to 256");
  EXPECT_EQ(afterwards([](Program &p) { roleOf(p, "load")->registers = 40; }),
            "R19: role load at t:8:1 changes its registers but is not made of whole warpgroups; "
            "setmaxnreg is executed by all warps of a warpgroup");
}

TEST(StructureRules, R19_RefusesRolesThatChangeRegistersBesideOtherCtas) {
  EXPECT_EQ(
      afterwards([](Program &p) { roleOf(p, "mma")->registers = 104, p.ctasPerSm = 2; }),
      "R19: role mma at t:24:1 changes its registers, of a kernel of which an SM has room for "
      "2 CTAs; leave out the one or sluice.ctas_per_sm");
}

/// Two roles in the last warpgroup of twelve warps, with these registers.
std::string registersOfTwo(int one, int other) {
  Builder b;
  b.role("mma", 0, 8, [] {});
  b.role("load", 8, 1, [] {});
  b.role("store", 9, 1, [] {});
  b.program.warps = 12;
  const std::array registers{232, one, other};
  for (int i = 0; i < 3; ++i)
    std::get<Role>(b.program.body.stmts[i].op).registers = registers[i];
  return text(b.structure());
}

TEST(StructureRules, R19_AcceptsRolesThatChangeTheirWarpgroupTogether) {
  EXPECT_EQ(registersOfTwo(40, 40), "none");
}

TEST(StructureRules, R19_RefusesRolesThatChangeTheirWarpgroupApart) {
  const std::string last = "; setmaxnreg is executed by all warps of a warpgroup";
  EXPECT_EQ(registersOfTwo(40, 0),
            "R19: role load at t:2:1 changes its registers but role store of the same warpgroup "
            "does not ask for as many" +
                last);
}

/// A role that gives registers back, one that takes them, and what `between` puts there.
std::string registersAround(const std::function<void(Builder &)> &between, int of = 8) {
  Builder b;
  b.program.warps = 12;
  b.role("mma", 0, of, [] {});
  std::get<Role>(b.program.body.stmts.back().op).registers = 232;
  between(b);
  b.role("load", 8, 4, [] {});
  std::get<Role>(b.program.body.stmts.back().op).registers = 40;
  return text(b.structure());
}

TEST(StructureRules, R19_AcceptsWhatWaitsForNobodyBetweenRoles) {
  EXPECT_EQ(registersAround([](Builder &b) {
              b.emit(NamedBarrier{{kNone, 1}, 384, true});
            }),
            "none");
}

TEST(StructureRules, R19_RefusesABarrierBetweenWhoTakesAndWhoGives) {
  EXPECT_EQ(registersAround([](Builder &b) {
              b.emit(NamedBarrier{{kNone, 0}, 384});
            }),
            "R19: bar.sync at t:2:1 stands between roles that change registers; those that take "
            "some wait for those that give some back. Put it in front of them or behind them");
}

TEST(StructureRules, R19_RefusesWarpsThatChangeTheirRegistersTwice) {
  EXPECT_EQ(registersAround([](Builder &b) {
              b.role("store", 8, 4, [] {});
              std::get<Role>(b.program.body.stmts.back().op).registers = 40;
            }),
            "R19: role store at t:2:1 changes its registers, and so does role load of the same "
            "warps; a warpgroup changes them once. Make the two one role");
}

TEST(StructureRules, R19_RefusesMoreRegistersThanTheFileHas) {
  Builder b;
  for (int i = 0; i < 3; ++i)
    b.role("r" + std::to_string(i), 4 * i, 4, [] {});
  for (Stmt &s : b.program.body.stmts)
    std::get<Role>(s.op).registers = 240;
  EXPECT_EQ(
      text(b.structure()),
      "R19: the roles ask for 92160 registers; a CTA of 12 warps starts with 64512 (168 a thread), "
      "and setmaxnreg would wait for ever. Lower the registers of the largest role");
}

/// A warpgroup with few registers, two with many.
std::string registersOf(int few, int many) {
  Builder b;
  for (int i = 0; i < 3; ++i)
    b.role("r" + std::to_string(i), 4 * i, 4, [] {});
  int i = 0;
  for (Stmt &s : b.program.body.stmts)
    std::get<Role>(s.op).registers = i++ == 0 ? few : many;
  return text(b.structure());
}

TEST(StructureRules, R19_AcceptsAllThatTheCtaStartsWith) {
  EXPECT_EQ(registersOf(24, 240), "none");
  EXPECT_EQ(registersOf(40, 232), "none");
}

TEST(StructureRules, R19_RefusesTheFileWhereTheCtaStartsWithLess) {
  EXPECT_EQ(registersOf(48, 232), // 65536: the file, but 384 threads start with 168 each
            "R19: the roles ask for 65536 registers; a CTA of 12 warps starts with 64512 (168 a "
            "thread), and setmaxnreg would wait for ever. Lower the registers of the largest role");
}

TEST(StructureRules, R19_RefusesATileThatNoThreadCanHold) {
  Builder b;
  b.buffer("acc", Space::reg, DType::f32, {256, 256}, Layout::acc, 1, "mma");
  b.role("mma", 0, 4, [] {});
  EXPECT_EQ(
      text(b.structure()),
      "R19: register tile acc takes 512 registers a thread of 128; there are 255. Use a smaller"
      " tile or more warpgroups");
}

TEST(StructureRules, R20_AcceptsOperandsThatAgree) {
  EXPECT_EQ(afterwards([](Program &) {}), "none");
}

TEST(StructureRules, R20_RefusesOperandsThatDoNot) {
  EXPECT_EQ(afterwards([](Program &p) {
              eachOf<Wgmma>(p, [](Wgmma &w) { w.b.shape = {32, 64}; });
            }),
            "R20: wgmma at t:36:1: A is 64 x 64, B is 32 x 64. The operands of an operation must "
            "agree in rank, shape and type");
  EXPECT_EQ(afterwards([](Program &p) {
              eachOf<TmaLoad>(p, [](TmaLoad &l) { l.destination.shape = {64, 32}; });
            }),
            "R20: TMA load at t:21:1: the destination has 2048 elements, the source 4096. The "
            "operands of an operation must agree in rank, shape and type");
}

TEST(StructureRules, R20_RefusesObjectsThatDoNotExist) {
  EXPECT_EQ(afterwards([](Program &p) { p.mbarriers.pop_back(); }),
            "R20: mbarrier init at t:5:1: it names no mbarrier of the program. The operands of an "
            "operation must agree in rank, shape and type");
  EXPECT_EQ(afterwards([](Program &p) { p.buffers.pop_back(); }).substr(0, 3), "R20");
}

} // namespace
} // namespace sluice::test
