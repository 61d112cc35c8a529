#include "Emit/Kernels.h"
#include "Emit/ProgramBuilder.h"

#include <cmath>

namespace sluice::test {
namespace {

constexpr int64_t rows = 64, cols = 64;

/// x s + t + (row - col) / 128, in f32 and in f16
ElementFn scaled() {
  auto argument = [](int i, DType type) {
    return ElementNode{ElementOp::argument, type, {}, i, 0};
  };
  DType f = DType::f32, n = DType::index;
  return {3,
          true,
          {argument(0, f),
           argument(1, f),
           argument(2, f),
           argument(3, n),
           argument(4, n),
           {ElementOp::sub, n, {3, 4}, 0, 0},
           {ElementOp::cast, f, {5}, 0, 0},
           {ElementOp::constant, f, {}, 0, 1.0 / 128},
           {ElementOp::fma, f, {0, 1, 2}, 0, 0},
           {ElementOp::fma, f, {6, 7, 8}, 0, 0},
           {ElementOp::cast, DType::f16, {9}, 0, 0}},
          {9, 10}};
}

} // namespace

Program elements() {
  ProgramBuilder k("elements", 4);
  int X = k.tensor("X", DType::f32, 3, 2, false, 4), s = k.tensor("s", DType::f32, 1, 0, false, 4);
  int t = k.tensor("t", DType::f32, 1, 0, false, 4), Y = k.tensor("Y", DType::f16, 3, 2, true, 2);
  int m = k.tensor("m", DType::f32, 2, 1, true, 4);
  int in = k.shared("in", DType::f32, rows, cols, Layout::row, 1, 1);
  int staging = k.shared("staging", DType::f16, rows, cols, Layout::sw128, 1, 1);
  auto tile = [&](const char *name, DType type, int64_t r, int64_t c, Layout layout) {
    return k.registers(name, type, r, c, layout, "compute");
  };
  int x = tile("x", DType::f32, rows, cols, Layout::acc);
  int y = tile("y", DType::f16, rows, cols, Layout::fragA);
  int scale = tile("scale", DType::f32, rows, 1, Layout::rowVector);
  int shift = tile("shift", DType::f32, 1, cols, Layout::colVector);
  int largest = tile("largest", DType::f32, rows, 1, Layout::rowVector);

  auto place = k.grid({k.dim(X, 0, "B"), k.ceilDiv(k.dim(X, 1, "R"), rows)}, {"b", "i"});
  Index batch{place[0]}, row{k.mul(place[1], rows)};
  k.role("compute", 0, 4, 0, [&] {
    k.add(Fill{k.tile(in), -1});
    k.add(NamedBarrier{{kNone, 1}, 128});
    k.add(Copy{k.tile(in), k.box(X, {batch, row, {}}, {1, rows, cols})});
    k.add(NamedBarrier{{kNone, 1}, 128});
    k.add(Copy{k.tile(x), k.tile(in)});
    k.add(Copy{k.tile(scale), k.box(s, {row}, {rows})});
    k.add(Copy{k.tile(shift), k.box(t, {{}}, {cols})});
    for (int h : {0, 1}) { // by halves: coordinates count from the start of the view
      auto part = [&](int buffer, int64_t r, int64_t c) {
        return k.part(buffer, {{}, {kNone, h * c}}, {r, c});
      };
      View half = part(x, rows, cols / 2);
      k.add(Map{{half, part(y, rows, cols / 2)},
                {half, k.tile(scale), part(shift, 1, cols / 2)},
                scaled()});
    }
    k.add(Reduce{k.tile(largest), k.tile(x), 1, -INFINITY, ElementOp::max});
    k.add(Copy{k.box(m, {batch, row}, {1, rows}), k.tile(largest)});
    k.add(Copy{k.tile(staging), k.tile(y)});
    k.add(NamedBarrier{{kNone, 1}, 128});
    k.add(Copy{k.box(Y, {batch, row, {}}, {1, rows, cols}), k.tile(staging)});
  });
  return std::move(k.program);
}

} // namespace sluice::test
