// softmax(Q K^T / 8) V for heads of 64: rings that run on over items, P multiplied from registers,
// results handed to a role that stores them.
#include "Embedded.h"

namespace sluice::lang {

/// Of queries that see the keys up to their own: masks of loop indices, coordinates and extents.
Result<Kernel> attention() {
  KernelBuilder k("attention");
  const Tensor Q = k.input("Q", f16, 2, {.align = 16}), K = k.input("K", f16, 2, {.align = 16});
  const Tensor V = k.input("V", f16, 2, {.align = 16}), O = k.output("O", f16, 2, {.align = 16});
  Index ctas = k.argument("ctas"), count = K.dim(0);
  auto [i] = k.grid(ctas);
  const Range items(i, ceilDiv(Q.dim(0), 64), ctas);
  Buffer q = k.shared(f16, {64, 64}, "q"), o = k.shared(f16, {64, 64}, "o");
  Buffer keys = k.shared(f16, {64, 64}, "k"), values = k.shared(f16, {64, 64}, "v");
  PipelineTmaAsync queries(k, "queries", stages(1), {q}), kRing(k, "keys", stages(2), {keys}),
      vRing(k, "values", stages(2), {values});
  PipelineAsync results(k, "results", stages(2), {o});

  k.role("load", warps(1), [&] {
    Producer toQ = queries.producer(), toK = kRing.producer(), toV = vRing.producer();
    const auto bring = [&](Producer &to, const Box &box, const Buffer &buffer) {
      to.acquire();
      k.load(box, buffer[to]);
      to.commit();
      to.advance();
    };
    k.loop(items, "item", [&](Index item) {
      bring(toQ, Q.at({item * 64, 0}), q);
      k.loop(min(item + 1, ceilDiv(count, 64)), "t", [&](Index t) {
        bring(toK, K.at({t * 64, 0}), keys);
        bring(toV, V.at({t * 64, 0}), values);
      });
    });
  });

  k.role("math", warps(4), [&] {
    Consumer fromQ = queries.consumer(), fromK = kRing.consumer(), fromV = vRing.consumer();
    Producer to = results.producer();
    Tile acc = k.tile(f32, {64, 64}, "acc"), s = k.tile(f32, {64, 64}, "s");
    Tile most = k.tile(f32, {64, 1}, "most"), sum = k.tile(f32, {64, 1}, "sum");
    k.loop(items, "item", [&](Index item) {
      k.fill(acc, 0);
      k.fill(sum, 0);
      k.fill(most, -1e30);
      fromQ.wait();
      k.loop(min(item + 1, ceilDiv(count, 64)), "t", [&](Index t) {
        fromK.wait();
        k.fill(s, 0);
        k.mma(s, q[fromQ], transpose(keys[fromK]));
        fromK.release();
        fromK.advance();
        const Element firstKey(t * 64), firstQuery(item * 64), all(count);
        Tile seen = k.mapWithCoordinates({s}, f32, [&](Element x, Element row, Element column) {
          Element key = column + firstKey, query = row + firstQuery;
          return select((key <= query) & (key < all), x, -1e30);
        });
        Tile now =
            k.map({most, k.rowMax(seen)}, f32, [](Element a, Element b) { return max(a, b); });
        Tile keep = k.map({most, now}, f32,
                          [](Element a, Element b) { return exp2((a - b) * 0.18033688f); });
        k.copy(now, most);
        Tile e = k.map({seen, now}, f32,
                       [](Element x, Element m) { return exp2((x - m) * 0.18033688f); });
        k.update(sum, {sum, keep, k.rowSum(e)},
                 [](Element x, Element f, Element y) { return x * f + y; });
        k.update(acc, {acc, keep}, [](Element x, Element f) { return x * f; });
        Tile p = k.cast(e, f16, "p");
        fromV.wait();
        k.mma(acc, p, values[fromV]);
        fromV.release();
        fromV.advance();
      });
      fromQ.release();
      fromQ.advance();
      to.acquire();
      k.copy(k.map({acc, sum}, f16, [](Element x, Element total) { return x / total; }), o[to]);
      to.commit();
      to.advance();
    });
  });

  k.role("store", warps(1), [&] {
    Consumer from = results.consumer();
    k.loop(items, "item", [&](Index item) {
      from.wait();
      k.store(o[from], O.at({item * 64, 0}));
      from.release();
      from.advance();
    });
  });
  return k.build();
}

} // namespace sluice::lang
