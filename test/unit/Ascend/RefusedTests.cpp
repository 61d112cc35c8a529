// What the printer of Ascend C refuses, by name and with a place: gemm, changed in one thing. What
// no call takes the checker refuses (R50).
#include "Ascend/Kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace sluice::test {
namespace {

/// The first operation of this kind.
template <typename Op> Op *find(Block &b) {
  for (Stmt &s : b.stmts) {
    if (auto *op = std::get_if<Op>(&s.op))
      return op;
    Op *inner = nullptr;
    if (auto *loop = std::get_if<For>(&s.op))
      inner = find<Op>(loop->body);
    else if (auto *role = std::get_if<Role>(&s.op))
      inner = find<Op>(role->body);
    if (inner)
      return inner;
  }
  return nullptr;
}

Role &cube(Program &p) {
  return *find<Role>(p.body);
}

int bufferOf(const Program &p, const std::string &name) {
  const auto found = std::ranges::find(p.buffers, name, &Buffer::name);
  return int(found - p.buffers.begin());
}

Buffer &buffer(Program &p, const std::string &name) {
  return p.buffers[bufferOf(p, name)];
}

/// Behind the place and the kernel's name.
std::string refusal(const std::function<void(Program &)> &change) {
  auto program = ascendProgram("gemm", {});
  if (!program)
    return program.error().message;
  change(*program);
  const auto source = emitAscend(*program);
  if (source)
    return "";
  EXPECT_GT(source.error().location.line, 0);
  const std::string message = source.error().message, start = "kernel gemm: ";
  return message.starts_with(start) ? message.substr(start.size()) : message;
}

TEST(RefusedAscend, NothingOfGemm) {
  EXPECT_EQ(refusal([](Program &) {}), "");
}

TEST(RefusedAscend, Buffers) {
  EXPECT_EQ(refusal([](Program &p) { buffer(p, "a").shape[0] = 120; }),
            "buffer a is no tile of whole fractals of 16 x 16, which are printed for Ascend");
  EXPECT_EQ(refusal([](Program &p) { buffer(p, "a").type = DType::i32; }),
            "buffer a holds i32; f16, bf16, f32 and s8, and f32 and i32 in L0C, are printed for "
            "Ascend");
  EXPECT_EQ(refusal([](Program &p) { buffer(p, "a").space = Space::ub; }),
            "buffer a is no tile of rows");
  EXPECT_EQ(refusal([](Program &p) { buffer(p, "a").layout = Layout::row; }),
            "buffer a has layout row in L1; fractals are printed for Ascend");
}

TEST(RefusedAscend, Flags) {
  EXPECT_EQ(refusal([](Program &p) {
              find<SetFlag>(p.body)->id = {kNone, 6};
            }),
            "flag FIX->M id 6: static-tensor mode has ids 0 to 5");
  EXPECT_EQ(refusal([](Program &p) {
              find<SetFlag>(p.body)->id = {kNone, -1};
            }),
            "flag FIX->M id -1: static-tensor mode has ids 0 to 5");
}

TEST(RefusedAscend, Copies) {
  EXPECT_EQ(refusal([](Program &p) {
              find<Copy>(p.body)->source.clips = {{0, {kNone, 5}}};
            }),
            "a box of tensor A that ends before the tensor does, or in joined dimensions, is not "
            "printed for Ascend yet");
  EXPECT_EQ(refusal([](Program &p) { find<Copy>(p.body)->source.offset[0].constant = -1; }),
            "a box of tensor A that may begin in front of it, or further than 32 bits count, is "
            "not printed for Ascend yet");
  EXPECT_EQ(refusal([](Program &p) { p.tensors[0].minor = 0; }),
            "tensor A is contiguous along the other dimension of the tile; that is not printed "
            "for Ascend yet");
  EXPECT_EQ(refusal([](Program &p) { p.tensors[0].type = DType::bf16; }),
            "a load that converts is not printed for Ascend yet");
  EXPECT_EQ(refusal([](Program &p) { p.tensors[2].type = DType::i32; }),
            "a store of i32 is not printed for Ascend yet");
}

TEST(RefusedAscend, Operations) {
  const auto withFirst = [](const std::function<Operation(Program &)> &operation) {
    return refusal([&](Program &p) {
      const Operation op = operation(p);
      Block &body = cube(p).body;
      body.stmts.insert(body.stmts.begin(), body.stmts.front());
      body.stmts.front().op = op;
    });
  };
  EXPECT_EQ(withFirst([](Program &) {
              return CrossSet{1, Pipe::fix, {kNone, 0}};
            }),
            "a flag between cores of mode 1; modes 2, a cube core and its vector cores, and 0, all "
            "cores of a kind, are printed for Ascend");
  EXPECT_EQ(withFirst([](Program &p) {
              return CrossSet{2, Pipe::fix, {find<For>(p.body)->iv, 0}};
            }),
            "a flag between cores whose id is computed is not printed for Ascend yet");
  EXPECT_EQ(withFirst([](Program &p) {
              return Fill{find<Mmad>(p.body)->d, 0};
            }),
            "an element function on buffer acc in l0c is not printed for Ascend yet");
  EXPECT_EQ(refusal([](Program &p) {
              Grid &grid = *find<Grid>(p.body);
              grid.results.push_back(grid.results[0]);
              grid.extents.push_back(grid.extents[0]);
            }),
            "a grid of more than one dimension is not printed for Ascend yet");
  EXPECT_EQ(refusal([](Program &p) { p.target = Target::ascend950; }),
            "Ascend C is printed for ascend910b, not yet for ascend950, where loads to L0A and "
            "copies between the cores are other calls");
}

} // namespace
} // namespace sluice::test
