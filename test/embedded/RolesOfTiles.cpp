// Kernels of tiles in which the author says who does some of it: no ring is written here.
#include "Embedded.h"

namespace sluice::lang {

/// C = A W, W of 8 bits: one role makes 16-bit tiles of it, another one multiplies.
Result<Kernel> convertedByRole() {
  Gemm g("converted_by_role", {64, 128}, 64, s8);
  auto &k = g.k;
  g.grid();
  Tile acc = k.accumulator(f32, {64, 128});
  k.loop(g.steps, stages(4), "k", [&](Index t) {
    Tile a = k.load(g.A.at({g.row, t * 64}), {64, 64}, "a");
    Tile w = k.load(g.B.at({t * 64, g.col}), {64, 128}, "w");
    Tile h = k.tile(f16, {64, 128}, "h");
    k.role("convert", warps(4), [&] { k.copy(w, h); });
    k.mma(acc, a, h);
  });
  k.store(acc, g.C.at({g.row, g.col}));
  return k.build();
}

/// The attention of Attention.cpp for one item of each CTA: products by one role, softmax by
/// another. Scores and products with values go one way, weights the other. What a row that was
/// added up is worth at a new maximum goes to the role that corrects it.
static Result<Kernel> attentionByRoles(const std::string &name, Warps of,
                                       const std::string &corrects) {
  KernelBuilder k(name);
  const Tensor Q = k.input("Q", f16, 2, {.align = 16}), K = k.input("K", f16, 2, {.align = 16});
  const Tensor V = k.input("V", f16, 2, {.align = 16}), O = k.output("O", f16, 2, {.align = 16});
  Index count = K.dim(0);
  auto [item] = k.grid(ceilDiv(Q.dim(0), 64));
  Tile q = k.load(Q.at({item * 64, 0}), {64, 64}, "q");
  Tile sum = k.tile(f32, {64, 1}, "sum"), most = k.tile(f32, {64, 1}, "most");
  Tile out = k.tile(f32, {64, 64}, "out");
  k.role("softmax", of, [&] {
    k.fill(sum, 0);
    k.fill(most, -1e30);
  });
  k.role(corrects, corrects == "softmax" ? of : warps(4), [&] { k.fill(out, 0); });
  k.loop(min(item + 1, ceilDiv(count, 64)), stages(2), "t", [&](Index t) {
    Tile keys = k.load(K.at({t * 64, 0}), {64, 64}, "k");
    Tile values = k.load(V.at({t * 64, 0}), {64, 64}, "v");
    Tile s = k.product(q, transpose(keys), "s");
    Tile keep = k.tile(f32, {64, 1}, "keep"), p = k.tile(f16, {64, 64}, "p");
    k.role("softmax", of, [&] {
      const Element firstKey(t * 64), firstQuery(item * 64), all(count);
      Tile seen = k.mapWithCoordinates({s}, f32, [&](Element x, Element row, Element column) {
        Element key = column + firstKey, query = row + firstQuery;
        return select((key <= query) & (key < all), x, -1e30);
      });
      Tile now = k.map({most, k.rowMax(seen)}, f32, [](Element a, Element b) { return max(a, b); });
      k.update(keep, {most, now}, [](Element a, Element b) { return exp2((a - b) * 0.18033688f); });
      k.copy(now, most);
      Tile e =
          k.map({seen, now}, f32, [](Element x, Element m) { return exp2((x - m) * 0.18033688f); });
      k.update(sum, {sum, keep, k.rowSum(e)},
               [](Element x, Element f, Element y) { return x * f + y; });
      k.update(p, {e}, [](Element x) { return x; });
    });
    Tile part = k.product(p, values, "part");
    k.role(corrects, corrects == "softmax" ? of : warps(4), [&] {
      k.update(out, {out, keep, part}, [](Element x, Element f, Element y) { return x * f + y; });
    });
  });
  k.role(corrects, corrects == "softmax" ? of : warps(4), [&] {
    k.store(k.map(
                {out, sum}, f16, [](Element x, Element total) { return x / total; }, "o"),
            O.at({item * 64, 0}));
  });
  return k.build();
}

Result<Kernel> softmaxByRole() {
  return attentionByRoles("softmax_by_role", warps(4), "softmax");
}

/// As FlashAttention-4 has it: factors and sums of rows are vectors that go from role to role, and
/// softmax has more registers than the others.
Result<Kernel> correctionByRole() {
  return attentionByRoles("correction_by_role", warps(4).registers(168), "correction");
}

/// The sums of GridWide.cpp: the role that multiplies waits for its turn at a counter, adds what
/// the CTAs before have left, and passes the turn. Who loads for it is not named.
Result<Kernel> turnsByRole() {
  KernelBuilder k("turns_by_role");
  Tensor A = k.input("A", f16, 2, {.align = 16}), B = k.input("B", f16, 2, {.align = 16});
  Tensor part = k.inout("part", f32, 2), turn = k.inout("turn", i32, 2), C = k.output("C", f16, 2);
  Index splits = k.argument("splits"), steps = ceilDiv(A.dim(1), 64);
  auto [i, j, split] = k.grid(ceilDiv(A.dim(0), 128), ceilDiv(B.dim(1), 128), splits);
  Index row = i * 128, col = j * 128, share = ceilDiv(steps, splits), from = split * share;
  const Warps math = warps(8).registers(208);
  Tile acc = k.accumulator(f32, {128, 128});
  k.loop(Range(from, min(from + share, steps)), stages(3), "k", [&](Index t) {
    Tile a = k.load(A.at({row, t * 64}), {128, 64}, "a");
    Tile b = k.load(B.at({t * 64, col}), {64, 128}, "b");
    k.role("math", math, [&] { k.mma(acc, a, b); });
  });
  k.role("math", math, [&] {
    k.waitForCounter(turn.at({i, j}), split);
    k.when(split != 0, [&] {
      Tile before = k.load(part.at({row, col}), {128, 128}, "before");
      k.update(acc, {acc, before}, [](Element x, Element y) { return y + x; });
    });
    k.when(
        split == splits - 1,
        [&] {
          k.store(k.cast(acc, f16), C.at({row, col}));
        },
        [&] {
          k.store(acc, part.at({row, col}));
        });
    k.addToCounter(turn.at({i, j}), select(split == splits - 1, 1 - splits, 1));
  });
  return k.build();
}

} // namespace sluice::lang
