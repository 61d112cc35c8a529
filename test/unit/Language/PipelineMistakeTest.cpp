// Mistakes with roles and pipelines: the first one is reported, at the author's line, with the fix.
#include "sluice/Compile.h"
#include "sluice/KernelBuilder.h"

#include <gtest/gtest.h>

namespace sluice::lang {
namespace {

/// What a mistake may be made with: a ring over a tile of A between two roles.
struct Parts {
  KernelBuilder k{"broken"};
  Tensor A = k.input("A", f16, 2, {.align = 16}), C = k.output("C", f16, 2, {.align = 16});
  Buffer a = k.shared(f16, {64, 64}, "a"), other = k.shared(f16, {64, 64}, "other");
};

/// The roles of a copy by way of `ring`, each a step; a test puts its mistake behind them.
struct Copy : Parts {
  Pipeline ring = k.pipeline("ring", stages(2), {a});

  void load() {
    k.role("load", warps(1), [&] {
      Producer to = ring.producer();
      to.acquire();
      k.load(A.at({0, 0}), a[to]);
      to.commit();
    });
  }
  void store() {
    k.role("store", warps(4), [&] {
      Consumer from = ring.consumer();
      from.wait();
      k.store(a[from], C.at({0, 0}));
      from.release();
    });
  }
};

/// "lines below `line`: message" of the first mistake.
std::string mistake(KernelBuilder &k, int line) {
  auto kernel = k.build();
  if (kernel)
    return "built";
  const Error &e = kernel.error();
  EXPECT_NE(e.location.file.find("PipelineMistakeTest.cpp"), std::string::npos);
  return std::to_string(e.location.line - line) + ": " + e.message;
}

TEST(PipelineMistake, NoneAtFirst) {
  Copy copy;
  copy.load();
  copy.store();
  EXPECT_EQ(mistake(copy.k, 0), "built");
}

TEST(PipelineMistake, LeaderWithoutACluster) {
  Copy copy;
  copy.load();
  copy.store();
  const int line = __LINE__;
  copy.k.role("lead", warps(4).leader(), [&] {});
  EXPECT_EQ(mistake(copy.k, line),
            "1: role 'lead' is of the leader CTA, but the grid has no cluster");
}

TEST(PipelineMistake, PeersWithoutACluster) {
  Parts parts;
  const int line = __LINE__;
  Pipeline ring = parts.k.pipeline("ring", stages(2), {parts.a}, {.peer = 1});
  parts.k.role("send", warps(4), [&] {
    Tile a = parts.k.load(parts.A.at({0, 0}), {64, 64}, "a");
    Producer to = ring.producer();
    to.acquire();
    parts.k.copy(a, parts.a[to]);
    to.commit();
  });
  parts.k.role("take", warps(4), [&] {
    Consumer from = ring.consumer();
    from.wait();
    parts.k.store(parts.a[from], parts.C.at({0, 0}));
    from.release();
  });
  EXPECT_EQ(mistake(parts.k, line),
            "1: pipeline 'ring' goes to peers, but the grid has no cluster");
}

TEST(PipelineMistake, ReleasedWithoutAWait) {
  Copy copy;
  copy.load();
  const int line = __LINE__;
  copy.k.role("store", warps(4), [&] {
    Consumer from = copy.ring.consumer();
    from.release();
  });
  EXPECT_EQ(mistake(copy.k, line),
            "3: role 'store' releases a slot of 'ring' that it has not waited for");
}

TEST(PipelineMistake, HalfAProducer) {
  Copy copy;
  copy.store();
  int line = __LINE__;
  copy.k.role("load", warps(1), [&] {
    Producer to = copy.ring.producer();
    to.acquire();
  });
  EXPECT_EQ(mistake(copy.k, line), "3: role 'load' acquires slots of 'ring' and commits none");
  Copy another;
  another.store();
  line = __LINE__;
  another.k.role("load", warps(1), [&] { another.ring.producer().commit(); });
  EXPECT_EQ(mistake(another.k, line),
            "1: role 'load' commits a slot of 'ring' that it has not acquired");
}

TEST(PipelineMistake, RingsWithOneSide) {
  Parts parts;
  int line = __LINE__;
  Pipeline ring = parts.k.pipeline("ring", stages(2), {parts.a});
  parts.k.role("store", warps(4), [&] { ring.consumer().wait(); });
  EXPECT_EQ(mistake(parts.k, line),
            "1: pipeline 'ring' has no producer; no role commits its slots");
  Parts more;
  line = __LINE__;
  Pipeline full = more.k.pipeline("full", stages(2), {more.a});
  more.k.role("load", warps(1), [&] {
    Producer to = full.producer();
    to.acquire();
    to.commit();
  });
  EXPECT_EQ(mistake(more.k, line),
            "1: pipeline 'full' has no consumer; no role waits for its slots");
}

TEST(PipelineMistake, EndsOutsideTheirRole) {
  Copy copy;
  int line = __LINE__;
  copy.ring.producer();
  EXPECT_EQ(mistake(copy.k, line),
            "1: a producer of 'ring' outside of the roles; it belongs to one");
  Copy looped;
  looped.k.role("load", warps(1), [&] {
    looped.k.loop(4, "t", [&](Index) {
      line = __LINE__;
      looped.ring.producer();
    });
  });
  EXPECT_EQ(mistake(looped.k, line), "1: a producer of 'ring' inside a loop or branch, where it "
                                     "would begin at the first slot again; make it before");
  Copy twice;
  twice.k.role("load", warps(1), [&] {
    twice.ring.producer();
    line = __LINE__;
    twice.ring.producer();
  });
  EXPECT_EQ(mistake(twice.k, line),
            "1: a second producer of 'ring' in role 'load', which would begin at the first slot "
            "again; go on with the first, or copy it");
}

TEST(PipelineMistake, EndsOfAnotherRole) {
  Copy copy;
  std::optional<Producer> kept;
  copy.k.role("load", warps(1), [&] { kept = copy.ring.producer(); });
  int line = 0;
  copy.k.role("store", warps(4), [&] {
    line = __LINE__;
    kept->acquire();
  });
  EXPECT_EQ(mistake(copy.k, line),
            "1: an end of 'ring' is used outside of the role, loop or branch "
            "in which it was made");
}

TEST(PipelineMistake, Tokens) {
  int line = 0;
  Copy unused;
  unused.load();
  unused.k.role("store", warps(4), [&] {
    Consumer from = unused.ring.consumer();
    line = __LINE__;
    from.tryWait();
  });
  EXPECT_EQ(mistake(unused.k, line), "1: role 'store' asks for slots of 'ring' and waits for none");
  Copy sides;
  Pipeline back = sides.k.pipeline("back", stages(2));
  sides.k.role("load", warps(1), [&] {
    Producer to = sides.ring.producer();
    Consumer from = back.consumer();
    const Token full = from.tryWait();
    line = __LINE__;
    to.acquire(full);
  });
  EXPECT_EQ(mistake(sides.k, line), "1: the token is of the consumer of 'back'; this is the "
                                    "producer of 'ring'");
  Copy inside;
  inside.k.role("store", warps(4), [&] {
    Consumer from = inside.ring.consumer();
    std::optional<Token> made;
    inside.k.loop(2, "t", [&](Index) { made = from.tryWait(); });
    line = __LINE__;
    from.wait(*made);
  });
  EXPECT_EQ(mistake(inside.k, line), "1: a token of 'ring' is used outside of the role, loop or "
                                     "branch in which it was made");
}

TEST(PipelineMistake, Stages) {
  Parts parts;
  parts.k.pipeline("ring", stages(2), {parts.a});
  int line = __LINE__;
  parts.k.pipeline("again", stages(3), {parts.other, parts.a});
  EXPECT_EQ(mistake(parts.k, line), "1: pipeline 'again' over 'a', which has 2 slots in pipeline "
                                    "'ring'; stages are as many");
  Parts none;
  line = __LINE__;
  none.k.pipeline("ring", stages(0), {none.a});
  EXPECT_EQ(mistake(none.k, line), "1: pipeline 'ring': 0 stages; 1 to 64 is possible");
  Parts split;
  line = __LINE__;
  split.k.pipeline("ring", stages(2).split(2), {split.a});
  EXPECT_EQ(mistake(split.k, line), "1: pipeline 'ring': it takes stages(n) alone");
}

TEST(PipelineMistake, Slots) {
  Copy copy;
  int line = 0;
  copy.k.role("load", warps(1), [&] {
    line = __LINE__;
    copy.k.load(copy.A.at({0, 0}), copy.a);
  });
  EXPECT_EQ(mistake(copy.k, line),
            "1: tile 'a' has 2 slots; an end of its pipeline names one of them: buffer[end]");
  Copy strange;
  strange.k.role("load", warps(1), [&] {
    Producer to = strange.ring.producer();
    line = __LINE__;
    strange.k.load(strange.A.at({0, 0}), strange.other[to]);
  });
  EXPECT_EQ(mistake(strange.k, line),
            "1: tile 'other' is no buffer of pipeline 'ring', whose end this is");
  Copy back;
  back.k.role("load", warps(1), [&] {
    Producer to = back.ring.producer();
    line = __LINE__;
    to.advance(-1);
  });
  EXPECT_EQ(mistake(back.k, line), "1: goes back by 1 slots; an end only advances");
}

TEST(PipelineMistake, Roles) {
  Parts parts;
  int line = __LINE__;
  parts.k.role("load", warps(33), [] {});
  EXPECT_EQ(mistake(parts.k, line), "1: role 'load': 33 warps; a CTA has 1 to 32");
  Parts odd;
  line = __LINE__;
  odd.k.role("load", warps(4).registers(41), [] {});
  EXPECT_EQ(mistake(odd.k, line),
            "1: role 'load': 41 registers a thread; setmaxnreg takes 24 to 256 in steps of 8");
  Parts nested;
  nested.k.role("outer", warps(4), [&] {
    line = __LINE__;
    nested.k.role("inner", warps(4), [] {});
  });
  EXPECT_EQ(mistake(nested.k, line),
            "1: role 'inner' inside role 'outer'; roles stand side by side");
  Parts same;
  same.k.role("load", warps(4), [] {});
  line = __LINE__;
  same.k.role("load", warps(4), [] {});
  EXPECT_EQ(mistake(same.k, line), "1: a second role 'load'; pipelines tell roles by their names");
  Parts many;
  line = __LINE__;
  many.k.role("a", warps(20), [] {});
  many.k.role("b", warps(20), [] {});
  EXPECT_EQ(mistake(many.k, line), "1: the roles have 40 warps; a CTA has 32");
}

TEST(PipelineMistake, RolesInLoops) {
  Copy copy;
  copy.load();
  copy.store();
  int line = 0;
  copy.k.loop(4, "t", [&](Index) {
    line = __LINE__;
    copy.k.role("inner", warps(4), [] {});
  });
  EXPECT_EQ(mistake(copy.k, line), "1: role 'inner' inside a loop or branch; beside pipelines it "
                                   "stands directly in the kernel");
}

/// A kernel of tiles, without rings: its roles name who does what.
struct Among {
  KernelBuilder k{"among"};
  Tensor A = k.input("A", f16, 2, {.align = 16}), C = k.output("C", f16, 2, {.align = 16});
  Tile x = k.load(A.at({0, 0}), {64, 64}, "x");

  void in(Warps warps) {
    k.role("copy", warps, [&] { k.store(x, C.at({0, 0})); });
  }
};

TEST(PipelineMistake, RolesAmongTiles) {
  Among right;
  right.in(warps(4));
  right.in(warps(4));
  EXPECT_EQ(mistake(right.k, 0), "built");
  Among two;
  two.in(warps(4));
  int line = __LINE__;
  two.k.role("copy", warps(8), [] {});
  EXPECT_EQ(mistake(two.k, line),
            "1: role 'copy' has warps(8) here, and warps(4) before; it has the same everywhere");
  Among more;
  more.in(warps(4).registers(96));
  line = __LINE__;
  more.k.role("copy", warps(4).leader(), [] {});
  EXPECT_EQ(mistake(more.k, line), "1: role 'copy' has warps(4).leader() here, and "
                                   "warps(4).registers(96) before; it has the same everywhere");
  Among counts;
  const Tensor turn = counts.k.inout("turn", i32, 1);
  counts.k.role("copy", warps(4), [&] { counts.k.addToCounter(turn.at({0}), 1); });
  EXPECT_EQ(mistake(counts.k, 0), "built");
  Among meets;
  line = __LINE__;
  meets.k.role("copy", warps(4), [&] { meets.k.meet(); });
  EXPECT_EQ(mistake(meets.k, line),
            "1: stands in role 'copy' among tiles, where roles load, store, "
            "compute and multiply these, and ask counters");
}

TEST(PipelineMistake, TilesOutsideOfRoles) {
  Copy copy;
  const int line = __LINE__;
  copy.k.tile(f32, {64, 64}, "x");
  copy.load();
  copy.store();
  EXPECT_EQ(mistake(copy.k, line), "1: tile 'x' outside of the roles: registers are of one role; "
                                   "make it there, or declare a buffer with shared()");
  Parts inside;
  int inner = 0;
  inside.k.role("load", warps(4), [&] {
    inner = __LINE__;
    inside.k.shared(f16, {64, 64}, "c");
  });
  EXPECT_EQ(mistake(inside.k, inner),
            "1: buffer 'c' inside a role, loop or branch; roles share it, "
            "so it stands directly in the kernel");
}

// ---- Names that say who signals how -----------------------------------------------------------

TEST(PipelineMistake, KindsOfProducers) {
  Parts parts;
  Tensor B = parts.k.input("B", f16, 2);
  PipelineTmaAsync ring(parts.k, "ring", stages(2), {parts.a});
  int line = 0;
  parts.k.role("load", warps(1), [&] {
    Producer to = ring.producer();
    to.acquire();
    line = __LINE__;
    parts.k.load(B.at({0, 0}), parts.a[to]);
    to.commit();
  });
  parts.k.role("store", warps(4), [&] { ring.consumer().wait(); });
  EXPECT_EQ(
      mistake(parts.k, line),
      "1: PipelineTmaAsync 'ring' is filled by TMA, which cannot load tile 'a' so: it takes "
      "tensors with align = 16 that are contiguous as the tile is; PipelineAsync is filled by "
      "threads");
  Parts written;
  PipelineTmaAsync filled(written.k, "filled", stages(2), {written.a});
  written.k.role("fill", warps(4), [&] {
    Producer to = filled.producer();
    to.acquire();
    line = __LINE__;
    written.k.fill(written.a[to], 1);
    to.commit();
  });
  written.k.role("store", warps(4), [&] { filled.consumer().wait(); });
  EXPECT_EQ(mistake(written.k, line), "1: PipelineTmaAsync 'filled' is filled by TMA, and threads "
                                      "write tile 'a'; that is PipelineAsync");
  Parts tma;
  PipelineAsync threads(tma.k, "threads", stages(2), {tma.a});
  tma.k.role("load", warps(1), [&] {
    Producer to = threads.producer();
    to.acquire();
    line = __LINE__;
    tma.k.load(tma.A.at({0, 0}), tma.a[to]);
    to.commit();
  });
  tma.k.role("store", warps(4), [&] { threads.consumer().wait(); });
  EXPECT_EQ(mistake(tma.k, line), "1: PipelineAsync 'threads' is filled by threads, and TMA loads "
                                  "tile 'a'; that is PipelineTmaAsync");
}

TEST(PipelineMistake, CpAsync) {
  Parts parts;
  PipelineCpAsync ring(parts.k, "ring", stages(2), {parts.a});
  int line = 0;
  parts.k.role("fill", warps(4), [&] {
    Producer to = ring.producer();
    to.acquire();
    line = __LINE__;
    parts.k.fill(parts.a[to], 1);
    to.commit();
  });
  parts.k.role("store", warps(4), [&] { ring.consumer().wait(); });
  EXPECT_EQ(mistake(parts.k, line), "1: PipelineCpAsync 'ring' is filled by cp.async, and threads "
                                    "write tile 'a'; that is PipelineAsync");
}

TEST(PipelineMistake, KindsOfConsumers) {
  Parts parts;
  const int line = __LINE__;
  PipelineTmaMultiConsumersAsync ring(parts.k, "ring", stages(2), {parts.a});
  parts.k.role("load", warps(1), [&] {
    Producer to = ring.producer();
    to.acquire();
    parts.k.load(parts.A.at({0, 0}), parts.a[to]);
    to.commit();
  });
  parts.k.role("read", warps(4), [&] {
    Consumer from = ring.consumer();
    from.wait();
    parts.k.read(parts.a[from], f32);
    from.release();
  });
  EXPECT_EQ(mistake(parts.k, line),
            "1: PipelineTmaMultiConsumersAsync 'ring' is taken by products and by threads; no role "
            "multiplies what is in it, that is PipelineTmaAsync");
}

TEST(PipelineMistake, StoresByTma) {
  Parts parts;
  PipelineTmaStore out(parts.k, "out", stages(2), parts.a);
  Tensor D = parts.k.output("D", f16, 2);
  int line = 0;
  parts.k.role("store", warps(4), [&] {
    StoreProducer to = out.producer();
    to.acquire();
    line = __LINE__;
    to.commit(parts.a[to], D.at({0, 0}));
  });
  EXPECT_EQ(mistake(parts.k, line), "1: TMA cannot store tile 'a' to 'D': it takes tensors with "
                                    "align = 16 that are contiguous as the tile is");
  Parts other;
  PipelineTmaStore stored(other.k, "stored", stages(2), other.a);
  other.k.role("store", warps(4), [&] {
    StoreProducer to = stored.producer();
    line = __LINE__;
    to.commit(other.other, other.C.at({0, 0}));
  });
  EXPECT_EQ(mistake(other.k, line),
            "1: tile 'other' is no buffer of pipeline 'stored', whose end this is");
}

/// The mistake of a ring "more" of three stages, beside "ring" of two and "whole" of three.
std::string wrongRing(const RingOptions &options) {
  Parts parts;
  parts.k.pipeline("ring", stages(2), {parts.other});
  parts.k.pipeline("whole", stages(3));
  parts.k.pipeline("joined", stages(3), {}, {.merge = "whole"});
  const int line = __LINE__;
  parts.k.pipeline("more", stages(3), {parts.a}, options);
  return mistake(parts.k, line);
}

TEST(PipelineMistake, Options) {
  const std::string more = "1: pipeline 'more': ";
  EXPECT_EQ(wrongRing({.full = false, .empty = false}),
            more + "neither side has a barrier; use the buffers without a pipeline");
  EXPECT_EQ(wrongRing({.primed = 4}), more + "4 of 3 slots start full");
  EXPECT_EQ(wrongRing({.first = 4}), more + "4 of 3 slots start empty");
  EXPECT_EQ(wrongRing({.primed = 2, .first = 2}), more + "2 of 3 slots start empty, and 2 full");
  EXPECT_EQ(wrongRing({.full = false, .primed = 1}),
            more + "slots that start full, and nobody waits until they are");
  EXPECT_EQ(wrongRing({.empty = false, .first = 1}),
            more + "slots that start empty, and nobody waits until they are");
  EXPECT_EQ(wrongRing({.merge = "none"}),
            more + "merges with 'none'; no pipeline of that name is declared before");
  EXPECT_EQ(wrongRing({.full = false, .merge = "whole"}),
            more + "merges the full side, which one of the two does not have");
  EXPECT_EQ(wrongRing({.merge = "joined"}),
            more + "merges with 'joined', which merges with 'whole'; name that one");
  EXPECT_EQ(wrongRing({.merge = "ring"}), more + "merges with 'ring' of other stages");
}

TEST(PipelineMistake, Orders) {
  Parts parts;
  int line = __LINE__;
  PipelineOrder alone(parts.k, "order", {"one"});
  EXPECT_EQ(mistake(parts.k, line),
            "1: pipeline 'order': an order of 1 roles; two or more take turns");
  Parts twice;
  line = __LINE__;
  PipelineOrder again(twice.k, "order", {"one", "two", "one"});
  EXPECT_EQ(mistake(twice.k, line),
            "1: pipeline 'order': an order in which role 'one' has two turns; it has one");
  Parts third;
  PipelineOrder order(third.k, "order", {"one", "two"});
  third.k.role("three", warps(4), [&] {
    line = __LINE__;
    order.turn();
  });
  EXPECT_EQ(mistake(third.k, line), "1: pipeline 'order' has no turn for role 'three'");
}

TEST(PipelineMistake, DrawnByOneOfSeveralWarps) {
  KernelBuilder k("drawn");
  Tensor next = k.inout("next", i32, 1), C = k.output("C", f16, 2);
  int line = 0;
  k.role("all", warps(4), [&] {
    Tile tile = k.tile(f16, {64, 64}, "tile");
    k.fill(tile, 0);
    Index row = k.addToCounter(next.at({0}), 1);
    line = __LINE__ + 1;
    k.store(tile, C.at({row, 0}));
  });
  auto kernel = k.build();
  ASSERT_TRUE(kernel);
  auto program = compile(*kernel, {});
  ASSERT_FALSE(program);
  EXPECT_EQ(program.error().location.line, line);
  EXPECT_EQ(
      program.error().message,
      "'sluice.store' op takes, or stands under, the old value of a counter, which the adding "
      "warp alone knows, in a role of several warps: in the others it is 0. Hand it on "
      "through shared memory (sluice.scalar_write, sluice.scalar_read), or draw in a role of "
      "one warp");
}

} // namespace
} // namespace sluice::lang
