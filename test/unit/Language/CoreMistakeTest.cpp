// Mistakes with roles of an Ascend machine's cores: the first one is reported, at the author's
// line.
#include "sluice/KernelBuilder.h"

#include <gtest/gtest.h>

namespace sluice::lang {
namespace {

struct CoreParts {
  KernelBuilder k{"broken"};
  Tensor A = k.input("A", f16, 2, {.align = 16}), C = k.output("C", f16, 2, {.align = 16});
  Buffer a = k.buffer(f16, {32, 64}, Space::ub, "a");
  Pipeline ring = k.pipeline("ring", stages(2), {a});
};

std::string mistake(KernelBuilder &k) {
  auto kernel = k.build();
  if (kernel)
    return "built";
  EXPECT_NE(kernel.error().location.file.find("CoreMistakeTest.cpp"), std::string::npos);
  return kernel.error().message;
}

/// What is wrong with statements in a role of the vector cores.
template <typename F> std::string inVector(F &&body) {
  CoreParts p;
  p.k.role("copy", Core::vector, [&] { body(p); });
  return mistake(p.k);
}

TEST(CoreMistake, NoneAtFirst) {
  EXPECT_EQ(inVector([](CoreParts &p) {
              Producer to = p.ring.producer(Pipe::mte2);
              Consumer from = p.ring.consumer(Pipe::mte3);
              to.acquire();
              p.k.load(p.A.at({0, 0}), p.a[to]);
              to.commit();
              from.wait();
              p.k.store(p.a[from], p.C.at({0, 0}));
              from.release();
            }),
            "built");
}

TEST(CoreMistake, EndOfNoPipe) {
  EXPECT_EQ(
      inVector([](CoreParts &p) { p.ring.producer(); }),
      "the producer of 'ring' in a role of the vector cores is one of its pipes: mte2, v, mte3");
}

TEST(CoreMistake, PipeOfTheOtherCore) {
  CoreParts p;
  p.k.role("cube", Core::cube, [&] { p.ring.consumer(Pipe::v); });
  EXPECT_EQ(mistake(p.k), "the consumer of 'ring' in a role of the cube core is one of its pipes: "
                          "mte2, mte1, m, fix");
}

TEST(CoreMistake, PipeOfARoleOfWarps) {
  CoreParts p;
  p.k.role("load", warps(1), [&] { p.ring.producer(Pipe::mte2); });
  EXPECT_EQ(mistake(p.k), "pipe MTE2 for the producer of 'ring' in role 'load', which is of warps");
}

TEST(CoreMistake, PipelineOfThreads) {
  KernelBuilder k("broken");
  Buffer a = k.buffer(f16, {32, 64}, Space::ub, "a");
  PipelineAsync ring(k, "ring", stages(2), {a});
  k.role("copy", Core::vector, [&] { ring.producer(Pipe::v); });
  EXPECT_EQ(mistake(k), "the producer of 'ring', whose name says how NVIDIA's threads and TMA "
                        "signal, in a role of the vector cores; declare it with pipeline()");
}

TEST(CoreMistake, TwoStreamsOfACore) {
  CoreParts p;
  p.k.role("one", Core::vector, [&] {});
  p.k.role("two", Core::vector, [&] {});
  EXPECT_EQ(mistake(p.k),
            "role 'two' of the vector cores, whose stream is role 'one'; a core runs one");
}

TEST(CoreMistake, TwoMachines) {
  CoreParts p;
  p.k.role("one", Core::vector, [&] {});
  p.k.role("two", warps(4), [&] {});
  EXPECT_EQ(mistake(p.k),
            "role 'two' of warps beside role 'one' of a core; a kernel is of one machine");
  CoreParts q;
  q.k.role("one", warps(4), [&] {});
  q.k.role("two", Core::cube, [&] {});
  EXPECT_EQ(mistake(q.k),
            "role 'two' of the cube core beside role 'one' of warps; a kernel is of one machine");
}

TEST(CoreMistake, MeetingOfACore) {
  EXPECT_EQ(inVector([](CoreParts &p) { p.k.meet(); }),
            "a meeting of threads in a role of the vector cores; it is for warps");
}

TEST(CoreMistake, TileOfACubeCore) {
  CoreParts p;
  p.k.role("cube", Core::cube, [&] { p.k.load(p.A.at({0, 0}), {32, 64}, "own"); });
  EXPECT_EQ(mistake(p.k),
            "tile 'own' in a role of the cube core, which has several memories; declare "
            "it with buffer(), which says where it is");
}

TEST(CoreMistake, BufferInNoMemoryOfACore) {
  KernelBuilder k("broken");
  k.buffer(f16, {32, 64}, Space::reg, "a");
  EXPECT_EQ(mistake(k), "buffer 'a' in 'reg'; one of smem, tmem, l1, l0a, l0b, l0c, ub, global");
}

TEST(CoreMistake, SubblockOfACubeCore) {
  CoreParts p;
  p.k.role("cube", Core::cube, [&] { p.k.subblock(); });
  EXPECT_EQ(mistake(p.k), "the number of a vector core outside of a role of the vector cores");
}

TEST(CoreMistake, PartBeyondATile) {
  EXPECT_EQ(inVector([](CoreParts &p) {
              Producer to = p.ring.producer(Pipe::mte2);
              part(p.a[to], {16, 0}, {32, 64});
            }),
            "a part of 32 x 64 elements is not within tile 'a'");
}

TEST(CoreMistake, ConditionOfAProductOutsideOfRoles) {
  KernelBuilder k("broken");
  Tile a = k.tile(f16, {64, 64}, "a"), d = k.accumulator(f32, {64, 64}, "d");
  k.mma(d, a, a, {.accumulates = Condition(true)});
  EXPECT_EQ(mistake(k),
            "a product that accumulates where a condition says so outside of the roles; "
            "it belongs to one");
}

} // namespace
} // namespace sluice::lang
