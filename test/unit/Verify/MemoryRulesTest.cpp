// R21 to R28: races, fences, provenance.
#include "Ring.h"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

TEST(MemoryRules, R21_AcceptsAFilledAccumulator) {
  EXPECT_EQ(text(ring({.trips = 1}).check()), "proven");
}

TEST(MemoryRules, R21_RefusesReadsOfBytesThatNothingWrote) {
  Builder b;
  const int C = b.tensor("C", DType::f16, {64, 64}, true);
  const int a = b.buffer("a", Space::smem, DType::f16, {64, 64}, Layout::sw128);
  b.grid(1);
  b.role("store", 0, 1, [&] {
    b.emit(TmaStore{b.box(C, {zero, zero}, {64, 64}), b.tile(a)}, Exec::one);
    b.emit(BulkCommit{}, Exec::one);
    b.emit(BulkWait{0, true}, Exec::one);
  });
  EXPECT_EQ(text(b.check()),
            "R21: TMA store of store warp 0 of CTA (0) at t:4:1 reads a (shared memory bytes 0 to "
            "8191), which nothing has written. Fill or load it first; check that producer and "
            "consumer count the same slots");
}

TEST(MemoryRules, R22_AcceptsARingWithDelayedRelease) {
  EXPECT_EQ(text(ring({.drain = false}).check()), "proven"); // the loop's own wait is enough
}

TEST(MemoryRules, R22_RefusesAReleaseBeforeTheWgmmaHasEnded) {
  EXPECT_EQ(
      text(ring({.waitBeforeRelease = false}).check()),
      "R22: TMA load of load warp 4 of CTA (0) at t:21:1 writes a[0] (shared memory bytes 0 to "
      "8191) while wgmma of mma warp 0 of CTA (0) at t:36:1 may still read it: nothing orders "
      "the two. Put wgmma.wait_group before the arrive that releases the bytes, in every warp");
}

TEST(MemoryRules, R22_RefusesReadsBeforeTheLoadHasEnded) {
  EXPECT_EQ(
      text(ring({.waitFull = false}).check()),
      "R22: wgmma of mma warp 0 of CTA (0) at t:35:1 reads a[0] (shared memory bytes 0 to 8191)"
      " while TMA load of load warp 4 of CTA (0) at t:21:1 may still write it: nothing orders "
      "the two. Wait for the phase of full that the load completes");
}

TEST(MemoryRules, R22_RefusesAccumulatorsReadBeforeTheWait) {
  EXPECT_EQ(
      text(
          ring({.trips = 2, .release = false, .waitBeforeRelease = false, .drain = false}).check()),
      "R22: copy of mma warp 0 of CTA (0) at t:39:1 reads registers of acc while wgmma of mma "
      "warp 0 of CTA (0) at t:36:1 may still write it: nothing orders the two. Put "
      "wgmma.commit_group and wgmma.wait_group before it");
}

TEST(MemoryRules, R22_RefusesBuffersThatOverlap) {
  Builder b = ring({.stages = 2});
  b.program.buffers[1].offset = b.program.buffers[0].offset;
  EXPECT_EQ(
      text(b.check()),
      "R22: TMA load of load warp 4 of CTA (0) at t:22:1 writes b[0] (shared memory bytes 0 to "
      "8191) while TMA load of load warp 4 of CTA (0) at t:21:1 may still write it: nothing "
      "orders the two. a and b share these bytes: give each its own, or order all their "
      "uses");
}

/// A warp reads a loaded tile by all lanes; one lane releases it to the load warp.
Builder lanes(bool warpSync) {
  Builder b;
  const int A = b.tensor("A", DType::f32, {64, 32});
  const int a = b.buffer("a", Space::smem, DType::f32, {32, 32}, Layout::row);
  const int r = b.buffer("r", Space::reg, DType::f32, {32, 32}, Layout::blocked, 1, "use");
  const int full = b.barriers("full", 1), empty = b.barriers("empty", 1);
  b.grid(1);
  b.initAll({{full, 1}, {empty, 1}}, 2);
  b.role("load", 0, 1, [&] {
    b.loop(2, 1, 1, [&](Index i, Index slot, Index parity) {
      const Index row{b.scalar(ScalarOp::mul, {i.value, b.number(32)}), 0};
      b.wait(empty, slot, parity, Exec::one);
      b.expect(full, slot, 4096);
      b.load(b.tile(a), b.box(A, {row, zero}, {32, 32}), full, slot);
    });
  });
  b.role("use", 1, 1, [&] {
    b.loop(2, 1, 0, [&](Index, Index slot, Index parity) {
      b.wait(full, slot, parity);
      b.emit(Copy{b.tile(r), b.tile(a)});
      if (warpSync)
        b.emit(WarpSync{});
      b.arrive(empty, slot, Exec::one);
    });
  });
  return b;
}

TEST(MemoryRules, R22_AcceptsOneLaneThatSignalsAfterAWarpSync) {
  EXPECT_EQ(text(lanes(true).check()), "proven");
}

TEST(MemoryRules, R22_RefusesOneLaneThatSignalsForAll) {
  EXPECT_EQ(text(lanes(false).check()),
            "R22: TMA load of load warp 0 of CTA (0) at t:21:1 writes a (shared memory bytes 0 to "
            "4095) while copy of use warp 1 of CTA (0) at t:33:1 may still read it: nothing orders "
            "the two. All lanes did the first, one lane signalled for them: put a warp sync before "
            "that lane's arrive");
}

struct Staging {
  bool fence = true, fenceAfterBarrier = false, barrier = true, waitRead = true;
  int tiles = 2;
};

/// Four warps write a tile to shared memory, one lane stores it; again for the next tile.
Builder staged(const Staging &o) {
  Builder b;
  const int C = b.tensor("C", DType::f32, {64 * o.tiles, 32}, true);
  const int s = b.buffer("s", Space::smem, DType::f32, {64, 32}, Layout::sw128);
  const int r = b.buffer("r", Space::reg, DType::f32, {64, 32}, Layout::acc, 1, "all");
  b.grid(1);
  b.role("all", 0, 4, [&] {
    b.emit(Fill{b.tile(r), 1});
    for (int64_t t = 0; t < o.tiles; ++t) {
      b.emit(Copy{b.tile(s), b.tile(r)});
      if (o.fence && !o.fenceAfterBarrier)
        b.emit(Fence{Fence::proxyAsync});
      if (o.barrier)
        b.sync(1, 4);
      if (o.fence && o.fenceAfterBarrier)
        b.emit(Fence{Fence::proxyAsync}, Exec::one);
      b.emit(TmaStore{b.box(C, {constant(64 * t), zero}, {64, 32}), b.tile(s)}, Exec::one);
      b.emit(BulkCommit{}, Exec::one);
      if (o.waitRead || t + 1 == o.tiles)
        b.emit(BulkWait{0, true}, Exec::one);
      b.sync(1, 4);
    }
  });
  return b;
}

TEST(MemoryRules, R23_AcceptsAFenceOnEitherSideOfTheBarrier) {
  EXPECT_EQ(text(staged({}).check()), "proven");
  EXPECT_EQ(text(staged({.fenceAfterBarrier = true}).check()), "proven");
}

TEST(MemoryRules, R23_RefusesAStoreWithoutAFence) {
  EXPECT_EQ(
      text(staged({.fence = false}).check()),
      "R23: TMA store of all warp 0 of CTA (0) at t:7:1 reads s (shared memory bytes 0 to 2047)"
      " that copy of all warp 0 of CTA (0) at t:5:1 wrote through the generic proxy, and no "
      "fence.proxy.async lies between. Put the fence after the write, before the barrier that "
      "publishes it");
}

/// The warp writes a tile of a tensor by ordinary stores, then one lane loads it back by TMA.
Builder workspace(bool fence) {
  Builder b;
  const int W = b.tensor("W", DType::f32, {32, 32}, true);
  const int r = b.buffer("r", Space::reg, DType::f32, {32, 32}, Layout::blocked, 1, "all");
  const int s = b.buffer("s", Space::smem, DType::f32, {32, 32}, Layout::row);
  const int full = b.barriers("full", 1);
  b.grid(1);
  b.initAll({{full, 1}}, 1);
  b.role("all", 0, 1, [&] {
    b.emit(Fill{b.tile(r), 1});
    b.emit(Copy{b.box(W, {zero, zero}, {32, 32}), b.tile(r)});
    if (fence)
      b.emit(Fence{Fence::proxyAsyncGlobal});
    b.emit(WarpSync{});
    b.expect(full, zero, 4096);
    b.load(b.tile(s), b.box(W, {zero, zero}, {32, 32}), full, zero);
    b.wait(full, zero, zero);
  });
  return b;
}

TEST(MemoryRules, R23_AcceptsATensorThatIsFencedBeforeItsLoad) {
  EXPECT_EQ(text(workspace(true).check()), "proven");
}

TEST(MemoryRules, R23_RefusesATensorWrittenByStoresAndLoadedByTma) {
  EXPECT_EQ(
      text(workspace(false).check()),
      "R23: TMA load of all warp 0 of CTA (0) at t:12:1 reads elements of W that copy of all "
      "warp 0 of CTA (0) at t:9:1 wrote through the generic proxy, and no fence.proxy.async.global "
      "lies between. Put the fence after the write, before the barrier that publishes it");
}

/// Both CTAs clear their tile; then CTA 0 loads into both. Each fences its own writes, or CTA 0
/// alone fences.
Builder clearedPair(bool both) {
  Builder b;
  const int A = b.tensor("A", DType::f16, {64, 64});
  const int s = b.buffer("s", Space::smem, DType::f16, {64, 64}, Layout::sw128);
  const int full = b.barriers("full", 1);
  b.program.cluster[0] = 2;
  b.grid(2);
  b.role("all", 0, 1, [&] {
    const ValueId rank = b.scalar(ScalarOp::clusterRank);
    const ValueId first = b.scalar(ScalarOp::eq, {rank, b.number(0)});
    b.init(full, 1);
    b.emit(Fence{Fence::mbarrierInit}, Exec::one);
    b.emit(Fill{b.tile(s), 0});
    if (both)
      b.emit(Fence{Fence::proxyAsync});
    b.expect(full, zero, 8192);
    b.emit(ClusterBarrier{ClusterBarrier::sync});
    b.when(first, [&] {
      b.emit(Fence{Fence::proxyAsync});
      b.emit(WarpSync{});
      b.emit(TmaLoad{b.tile(s), b.box(A, {zero, zero}, {64, 64}), Builder::at(full, zero), 3},
             Exec::one);
    });
    b.wait(full, zero, zero);
    b.emit(ClusterBarrier{ClusterBarrier::sync});
  });
  return b;
}

TEST(MemoryRules, R23_AcceptsAFenceInEveryCta) {
  EXPECT_EQ(text(clearedPair(true).check()), "proven");
}

TEST(MemoryRules, R23_RefusesAFenceThatSpeaksForAnotherCta) {
  EXPECT_EQ(text(clearedPair(false).check()),
            "R23: TMA load of all warp 0 of CTA (0) at t:15:1 overwrites s (shared memory bytes 0 "
            "to 8191) that fill of all warp 0 of CTA (1) at t:9:1 wrote through the generic proxy, "
            "and no fence.proxy.async lies between. Put the fence after the write, before the "
            "barrier that publishes it");
}

TEST(MemoryRules, R22_RefusesAStoreWithoutABarrier) {
  EXPECT_EQ(
      text(staged({.barrier = false}).check()),
      "R22: TMA store of all warp 0 of CTA (0) at t:7:1 reads s (shared memory bytes 0 to 2047)"
      " while copy of all warp 0 of CTA (0) at t:5:1 may still write it: nothing orders the "
      "two. All lanes did the first, one lane does the second: put a warp sync between");
}

TEST(MemoryRules, R22_RefusesStagingReusedBeforeTheStoreHasRead) {
  EXPECT_EQ(
      text(staged({.waitRead = false}).check()),
      "R22: copy of all warp 2 of CTA (0) at t:11:1 writes s (shared memory bytes 4096 to 6143)"
      " while TMA store of all warp 0 of CTA (0) at t:8:1 may still read it: nothing orders the"
      " two. Put cp.async.bulk.wait_group.read, then a barrier, before it");
}

TEST(MemoryRules, R10_RefusesAStoreThatStillReadsAtExit) {
  Builder b = staged({.tiles = 1});
  Role &r = std::get<Role>(b.program.body.stmts.back().op);
  r.body.stmts.erase(r.body.stmts.end() - 2);
  EXPECT_EQ(text(b.check()),
            "R10: TMA store of all warp 0 of CTA (0) at t:8:1 may still be under way when CTA (0) "
            "exits. Commit it and put cp.async.bulk.wait_group.read 0 before the end");
}

TEST(MemoryRules, R24_AcceptsSlotsOfTheRing) {
  EXPECT_EQ(text(ring({.stages = 3, .trips = 7}).check()), "proven");
}

TEST(MemoryRules, R24_RefusesSlotsPastTheRing) {
  Builder b = ring({.stages = 4});
  b.program.mbarriers[0].slots = 3;
  EXPECT_EQ(
      text(b.check()),
      "R24: arrive.expect_tx of load warp 4 of CTA (0) at t:20:1 names full[3]; the array has 3"
      " barriers and the cluster 1 CTAs. Take the slot from a cursor of the ring");
  Builder c = ring({.stages = 4});
  c.program.buffers[1].slots = 3;
  EXPECT_EQ(
      text(c.check()),
      "R24: TMA load of load warp 4 of CTA (0) at t:22:1 touches b out of its bounds: slot 3 of"
      " 3. Take the slot from a cursor of the ring and the offset from the tile");
}

TEST(MemoryRules, R24_AcceptsAMaskOfTheCluster) {
  EXPECT_EQ(text(clearedPair(true).check()), "proven");
}

TEST(MemoryRules, R24_RefusesAMaskBeyondTheCluster) {
  Builder b = clearedPair(true);
  walk(b.program.body, [](const Stmt &s) {
    if (auto *load = std::get_if<TmaLoad>(&s.op))
      const_cast<TmaLoad *>(load)->multicast = 7;
  });
  EXPECT_EQ(
      text(b.check()),
      "R24: TMA load of all warp 0 of CTA (0) at t:16:1 names CTAs by the multicast mask 7 that "
      "the cluster of 2 has not. Give one bit for each CTA of the cluster that receives the tile");
}

TEST(MemoryRules, R25_AcceptsAFenceBeforeTheWgmma) {
  EXPECT_EQ(text(ring({}).check()), "proven");
}

TEST(MemoryRules, R25_RefusesAWgmmaWithoutAFence) {
  EXPECT_EQ(text(ring({.fence = false}).check()),
            "R25: wgmma of mma warp 0 of CTA (0) at t:35:1 has no wgmma.fence before it: the first "
            "wgmma of a warpgroup needs one. Put wgmma.fence before the wgmma");
}

TEST(MemoryRules, R25_RefusesRegistersTouchedAfterTheFence) {
  Builder b = ring({.trips = 1});
  walk(b.program.body, [&](const Stmt &s) {
    if (auto *loop = std::get_if<For>(&s.op)) {
      auto &stmts = const_cast<For *>(loop)->body.stmts;
      for (size_t i = 0; i < stmts.size(); ++i)
        if (std::holds_alternative<WgmmaFence>(stmts[i].op)) {
          Stmt fill;
          fill.op = Fill{b.tile(2), 0};
          fill.loc = {"t", 99, 1};
          stmts.insert(stmts.begin() + i + 1, fill);
          return;
        }
    }
  });
  EXPECT_EQ(
      text(b.check()),
      "R25: wgmma of mma warp 0 of CTA (0) at t:36:1 uses registers of acc that fill of mma "
      "warp 0 of CTA (0) at t:99:1 touched, without wgmma.fence between. Put wgmma.fence before"
      " the wgmma");
}

/// Every warp writes rows of C: its own, or all warps the same.
Builder stores(bool own, int64_t ctas, bool sameTile) {
  Builder b;
  const int C = b.tensor("C", DType::f32, {64 * ctas, 32}, true);
  const int r = b.buffer("r", Space::reg, DType::f32, {64, 32},
                         own ? Layout::acc : Layout::colVector, 1, "all");
  const ValueId cta = b.grid(ctas);
  b.role("all", 0, 4, [&] {
    const Index row{sameTile ? b.number(0) : b.scalar(ScalarOp::mul, {cta, b.number(64)}), 0};
    b.emit(Fill{b.tile(r), 1});
    b.emit(Copy{b.box(C, {row, zero}, {64, 32}), b.tile(r)});
  });
  return b;
}

TEST(MemoryRules, R26_AcceptsOwnRows) {
  EXPECT_EQ(text(stores(true, 3, false).check()), "proven");
}

TEST(MemoryRules, R26_RefusesWarpsThatWriteTheSameRows) {
  EXPECT_EQ(
      text(stores(false, 1, false).check()),
      "R26: copy of all warp 1 of CTA (0) at t:7:1 writes elements of C that copy of all warp 0"
      " of CTA (0) at t:7:1 writes, and nothing orders the two. Order them with a barrier, or "
      "give every warp its own part of the tensor");
}

TEST(MemoryRules, R27_AcceptsTilesOfTheirOwn) {
  EXPECT_EQ(stores(true, 3, false).check().tripCounts, "this launch: 0 iterations; all 3 CTAs");
}

TEST(MemoryRules, R27_RefusesCtasThatWriteOneTile) {
  EXPECT_EQ(
      text(stores(true, 2, true).check()),
      "R27: copy of all warp 0 of CTA (0) at t:6:1 writes elements of C that copy of all warp 0"
      " of CTA (1) at t:6:1 writes: nothing orders two CTAs. Give every CTA its own tile of C, "
      "or use a reducing store");
}

/// CTAs add to one tile by TMA, or overwrite it.
Builder adds(bool reduce) {
  Builder b;
  const int C = b.tensor("C", DType::f32, {64, 32}, true);
  const int s = b.buffer("s", Space::smem, DType::f32, {64, 32}, Layout::sw128);
  b.grid(4);
  b.role("all", 0, 1, [&] {
    b.emit(Fill{b.tile(s), 1});
    b.emit(Fence{Fence::proxyAsync});
    b.emit(WarpSync{});
    b.emit(TmaStore{b.box(C, {zero, zero}, {64, 32}), b.tile(s), reduce}, Exec::one);
    b.emit(BulkCommit{}, Exec::one);
    b.emit(BulkWait{0, true}, Exec::one);
  });
  return b;
}

TEST(MemoryRules, R27_AcceptsReducingStores) {
  EXPECT_EQ(text(adds(true).check()), "proven");
  EXPECT_EQ(rule(adds(false).check()), "R27");
}

/// Warp 0 reads C, or overwrites it, and then adds to it; warp 1 adds to it. `ordered`: later.
std::string addedTo(bool overwrites, bool ordered) {
  Builder b;
  const int C = b.tensor("C", DType::f32, {64, 32}, true);
  b.program.tensors[C].input = true;
  const int s = b.buffer("s", Space::smem, DType::f32, {64, 32}, Layout::sw128, 2);
  const View box = b.box(C, {zero, zero}, {64, 32});
  const auto store = [&](int64_t slot, bool adds) {
    b.emit(TmaStore{box, b.tile(s, constant(slot)), adds}, Exec::one);
    b.emit(BulkCommit{}, Exec::one);
    b.emit(BulkWait{0, false}, Exec::one);
  };
  b.grid(1);
  for (int w = 0; w < 2; ++w) {
    const std::string name = "warp" + std::to_string(w);
    const int r = b.buffer("r" + name, Space::reg, DType::f32, {64, 32}, Layout::blocked, 1, name);
    b.role(name, w, 1, [&] {
      b.emit(Fill{b.tile(s, constant(w)), 1});
      b.emit(Fence{Fence::proxyAsync});
      b.emit(WarpSync{});
      if (w == 0 && overwrites)
        store(0, false);
      else if (w == 0)
        b.emit(Copy{b.tile(r), box});
      b.emit(WarpSync{});
      if (ordered)
        b.sync(1, 2);
      store(w, true);
    });
  }
  return rule(b.check());
}

TEST(MemoryRules, R26_RefusesAnAddThatOvertakesWhatCameBeforeOthers) {
  EXPECT_EQ(addedTo(false, false), "R26");
  EXPECT_EQ(addedTo(true, false), "R26");
}

TEST(MemoryRules, R26_AcceptsAddsAfterTheBarrier) {
  EXPECT_EQ(addedTo(false, true), "proven");
  EXPECT_EQ(addedTo(true, true), "proven");
}

TEST(MemoryRules, R28_AcceptsTilesOfOneDistance) {
  EXPECT_EQ(text(ring({.trips = 9}).check()), "proven");
}

TEST(MemoryRules, R28_RefusesOperandsThatDriftApart) {
  // No race: the producer loads the same rows of B for every step of K.
  Builder b = ring({.stages = 2, .trips = 4});
  walk(b.program.body, [&](const Stmt &s) {
    auto *load = std::get_if<TmaLoad>(&s.op);
    if (load && load->destination.object == 1)
      const_cast<TmaLoad *>(load)->source.offset[0] = constant(64);
  });
  EXPECT_EQ(
      text(b.check()),
      "R28: wgmma of mma warp 0 of CTA (0) at t:36:1 multiplies columns of A from 64 by rows of"
      " B from 64; earlier steps of the same sum were -64 apart: one operand is a stale or a "
      "wrong slot. Producer and consumer of both must count the same slots; if these are meant, "
      "mark "
      "the product {sluice.any_tiles}");
}

/// The ring with K counted from another place in steps of `step`, for both operands alike.
Builder alongK(int64_t first, int64_t step) {
  Builder b = ring({.stages = 2, .trips = 4});
  walk(b.program.body, [&](const Stmt &s) {
    auto *load = std::get_if<TmaLoad>(&s.op);
    if (!load)
      return;
    View &from = const_cast<TmaLoad *>(load)->source;
    for (Index &at : from.offset)
      if (at.value != kNone) {
        at.constant = first;
        walk(b.program.body, [&](const Stmt &inner) {
          auto *scalar = std::get_if<Scalar>(&inner.op);
          if (!scalar || scalar->result != at.value)
            return;
          walk(b.program.body, [&](const Stmt &factor) {
            auto *number = std::get_if<Scalar>(&factor.op);
            if (number && number->result == scalar->operands[1])
              const_cast<Scalar *>(number)->imm = step;
          });
        });
      }
  });
  return b;
}

TEST(MemoryRules, R28_AcceptsASumThatGoesDownAlongK) {
  EXPECT_EQ(text(alongK(192, -64).check()), "proven");
}

TEST(MemoryRules, R28_RefusesATileThatCountsTwice) {
  EXPECT_EQ(
      text(alongK(64, 0).check()),
      "R28: wgmma of mma warp 0 of CTA (0) at t:36:1 multiplies columns of A from 64 again: the "
      "same sum was at 64 before and goes up. Every step of a sum takes the next tile along K; if "
      "these are meant, as in a convolution, mark the product {sluice.any_tiles}");
}

TEST(MemoryRules, R28_LeavesAMarkedProductToItsAuthor) {
  Builder b = alongK(64, 0);
  walk(b.program.body, [](const Stmt &s) {
    if (auto *product = std::get_if<Wgmma>(&s.op))
      const_cast<Wgmma *>(product)->anyTiles = true;
  });
  const Verdict verdict = b.check();
  EXPECT_EQ(text(verdict), "proven");
  EXPECT_TRUE(std::count(verdict.assumptions.begin(), verdict.assumptions.end(),
                         "any-tiles: the product at t:36:1 multiplies the tiles that its "
                         "author means"));
}

} // namespace
} // namespace sluice::test
