#include "kernels/AttentionD512.h"

#include "kernels/AttentionReference.h"
#include "sluice/KernelBuilder.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <random>

namespace sluice {

using namespace lang;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int64_t depth = 512;
constexpr int64_t part = 128;      // columns of K, of V and of the depth that a slot holds
constexpr int64_t rows = 64;       // queries of a CTA; a pair has twice as many
constexpr int64_t tile = 2 * part; // keys of a step, half of them each CTA's

/// Both CTAs of a pair run every role but `mma`, which multiplies for both. Each has 64 queries,
/// half of the keys of a tile of K and a quarter of the columns of V. Of a product of 64 rows in
/// each CTA lanes 0 to 63 hold the first half of the columns, lanes 64 to 127 the same rows of the
/// second: so lie S, O, P (two blocks of 64 rows, one below the other) and the result, and threads
/// m and m + 64 share a row.
class Depth512 {
public:
  Depth512(KernelBuilder &k, const AttentionD512Config &c)
      : k(k), c(c), Q(heads("Q")), K(heads("K")), V(heads("V")),
        lengths(k.input("lengths", i32, 1)), O(k.output("O", outType(), 4, options())) {
    findPlace();
  }

  void write() {
    declare();
    k.role("mma", warps(1).leader(), [&] { multiply(); });
    k.role("load", warps(1), [&] { load(); });
    k.role("softmax", warps(4), [&] { weigh(); });
    k.role("correction", warps(4), [&] { correct(); });
  }

private:
  static TensorOptions options() {
    return {.align = 16, .extents = {anyExtent, anyExtent, anyExtent, depth}, .rows = 1};
  }
  lang::Tensor heads(const char *name) { return k.input(name, c.type, 4, options()); }
  DType outType() const { return byteSize(c.type) == 1 ? bf16 : c.type; }

  void findPlace();
  void declare();
  void load();
  void loadKeys(Producer &to, lang::Index first, bool withQueries);
  void loadValues(Producer &to, lang::Index first);
  void multiply();
  void multiplyValues(const Buffer &sum, Consumer &from, lang::Index t);
  void weigh();
  Tile otherHalf(const Tile &mine);
  void hideUnseen(const Tile &s, lang::Index first);
  void store(const Buffer &from, const Tile &total, const Tile &x, int64_t column,
             StoreProducer &to);
  void correct();
  void rescale(const Buffer &sum, const Tile &less, Consumer &done, Producer &ready);

  KernelBuilder &k;
  const AttentionD512Config &c;
  lang::Tensor Q, K, V, lengths, O;
  // Where the CTA stands.
  lang::Index batch = 0, head = 0, kv = 0, row = 0, half = 0;
  lang::Index keys = 0, diagonal = 0, tiles = 0; // causal: query r of the CTA sees j < r + diagonal
  // Buffers, and the rings over them.
  std::optional<Buffer> q, out, p, kvs, factor, swap, lo, hi, s;
  std::optional<Pipeline> weights, loReady, hiReady, scores, factors, loDone, hiDone, ring;
  std::optional<PipelineTmaStore> results;
};

void Depth512::findPlace() {
  using lang::Index;
  Index queries = k.name(Q.dim(1), "queries");
  for (int d : {0, 2, 1})
    k.assume(V.dim(d) == K.dim(d), "V has the extents of K");
  k.assume(K.dim(0) == Q.dim(0), "K has as many batches as Q");
  k.assume(lengths.dim(0) == Q.dim(0), "lengths has a number for each batch");
  k.assume(K.dim(2) >= 1, "K has a head");
  Index shared = k.name(Q.dim(2) / K.dim(2), "shared"); // heads of Q to one of K and V
  k.assume(shared * K.dim(2) == Q.dim(2), "the heads of K divide those of Q");
  Index pairs = k.name(ceilDiv(queries, 2 * rows), "pairs");
  auto [i, h, b] = k.grid(pairs * 2, Q.dim(2), Q.dim(0), {.cluster = {2, 1}, .pair = true});
  batch = b, head = h;
  kv = k.name(head / shared, "kv");
  row = k.name(i * rows, "row");
  Index rank = k.name(k.rank(), "rank");
  half = k.name(rank * part, "half");
  keys = k.name(k.uniform(min(max(k.scalar(lengths.at({batch})), 0), K.dim(1))), "keys");
  Index seen = keys;
  if (c.causal) {
    diagonal = k.name(row + (keys - queries + 1), "diagonal");
    Index first = k.name((i - rank) * rows, "first"); // of the pair, whose CTAs go on equally long
    seen = k.name(min(keys, first + (keys - queries + 2 * rows)), "seen");
  }
  tiles = k.name(max(ceilDiv(seen, tile), 1), "tiles"); // no keys: one tile of weights 0
}

void Depth512::declare() {
  const bool small = byteSize(c.type) == 1;
  q = k.shared(c.type, {rows, depth}, "q");
  p = k.shared(c.type, {2 * rows, part}, "p");
  out = k.shared(outType(), {2 * rows, part}, "out", {.over = *q});
  kvs = k.shared(c.type, {part, part}, "kv");
  factor = k.shared(f32, {2 * rows, 1}, "factor");
  swap = k.shared(f32, {4 * rows, 1}, "swap");
  lo = k.tensorMemory(f32, {2 * rows, part}, "lo");
  hi = k.tensorMemory(f32, {2 * rows, part}, "hi");
  s = k.tensorMemory(f32, {2 * rows, part}, "s");

  constexpr auto each = Arrive::thread;
  weights =
      PipelineAsyncUmma(k, "p", stages(1), {*p},
                        {.empty = false, .arrive = each, .leader = true, .fullNames = {"PO_lo"}});
  loReady = PipelineAsyncUmma(
      k, "lo_ready", stages(1), {*lo},
      {.empty = false, .primed = 1, .merge = "p", .arrive = each, .leader = true});
  hiReady = PipelineAsyncUmma(
      k, "hi_ready", stages(1), {*hi},
      {.empty = false, .primed = 1, .arrive = each, .leader = true, .fullNames = {"PO_hi"}});
  scores = PipelineUmmaAsync(k, "s", stages(2), {*s},
                             {.arrive = each,
                              .fullNames = {"S_even_producer", "S_odd_producer"},
                              .emptyNames = {"S_even_consumer", "S_odd_consumer"}});
  factors = k.pipeline("c", stages(1), {*factor},
                       {.arrive = each, .fullNames = {"C_producer"}, .emptyNames = {"C_consumer"}});
  loDone = PipelineUmmaAsync(k, "lo_done", stages(1), {*lo},
                             {.empty = false, .fullNames = {"O_mma_lo"}});
  hiDone = PipelineUmmaAsync(k, "hi_done", stages(1), {*hi},
                             {.empty = false, .fullNames = {"O_mma_hi"}});
  ring = PipelineTmaUmma(k, "kv", stages(c.stages), {*kvs});
  results = PipelineTmaStore(k, "results", stages(small ? 1 : 2), *out);
}

// ---- Loads ------------------------------------------------------------------------------------

/// Part j of the queries rides on the barrier of that of the first keys.
void Depth512::loadKeys(Producer &to, lang::Index first, bool withQueries) {
  lang::Index own = k.name(first + half, "own");
  k.loop(depth / part, "j", [&](lang::Index j) {
    lang::Index from = k.name(j * part, "depth");
    to.acquire();
    if (withQueries)
      k.load(Q.at({batch, row, head, from}), lang::part(*q, {0, from}, {rows, part}));
    k.load(K.at({batch, own, kv, from}), (*kvs)[to]);
    to.commit();
    to.advance();
  });
}

/// The first columns, two parts of the keys, then the others.
void Depth512::loadValues(Producer &to, lang::Index first) {
  k.loop(4, "u", [&](lang::Index u) {
    lang::Index column = k.name(u / 2 * tile + half, "column");
    to.acquire();
    k.load(V.at({batch, first + u % 2 * part, kv, column}), (*kvs)[to]);
    to.commit();
    to.advance();
  });
}

void Depth512::load() {
  Producer to = ring->producer();
  loadKeys(to, 0, true);
  loadValues(to, 0);
  k.loop(Range(1, tiles), "t", [&](lang::Index t) {
    lang::Index first = k.name(t * tile, "key");
    loadKeys(to, first, false);
    loadValues(to, first);
  });
  to.tail();
}

// ---- Products ---------------------------------------------------------------------------------

void Depth512::multiplyValues(const Buffer &sum, Consumer &from, lang::Index t) {
  k.loop(2, "u", [&](lang::Index u) {
    from.wait();
    k.mma(sum, lang::part(*p, {u * rows, 0}, {rows, part}), (*kvs)[from],
          {.accumulates = (t > 0) | (u > 0)});
    from.release();
    from.advance();
  });
}

void Depth512::multiply() {
  Consumer from = ring->consumer(), weighed = weights->consumer(), rescaled = hiReady->consumer();
  Producer to = scores->producer(), low = loDone->producer(), high = hiDone->producer();
  k.loop(tiles, "t", [&](lang::Index t) {
    to.acquire();
    k.loop(depth / part, "j", [&](lang::Index j) {
      from.wait();
      k.mma((*s)[to], lang::part(*q, {0, j * part}, {rows, part}), transpose((*kvs)[from]),
            {.accumulates = j > 0});
      from.release();
      from.advance();
    });
    to.commit();
    to.advance();
    weighed.wait(); // with it that O_lo is rescaled: one barrier
    multiplyValues(*lo, from, t);
    low.commit();
    rescaled.wait();
    multiplyValues(*hi, from, t);
    high.commit();
    for (Consumer *end : {&weighed, &rescaled})
      end->advance();
    for (Producer *end : {&low, &high})
      end->advance();
  });
}

// ---- Weights ----------------------------------------------------------------------------------

/// Two threads share a row: what the other one has found of it.
Tile Depth512::otherHalf(const Tile &mine) {
  const Shape vector = {2 * rows, 1};
  k.copy(mine, lang::part(*swap, {0, 0}, vector));
  k.copy(mine, lang::part(*swap, {2 * rows, 0}, vector));
  k.meet();
  Tile other = k.read(lang::part(*swap, {rows, 0}, vector), f32, "other");
  k.meet();
  return other;
}

/// Keys behind the last, and those that a query comes before, weigh nothing.
void Depth512::hideUnseen(const Tile &s, lang::Index first) {
  const Element from(first), end(keys), behind(c.causal ? diagonal : lang::Index(0));
  k.updateWithCoordinates(s, {s}, [&](auto s, auto lane, auto column) {
    auto key = from + select(lane < Element(rows), column, column + Element(part));
    auto seen = key < end;
    if (c.causal)
      seen = seen & (key < select(lane < Element(rows), lane, lane - Element(rows)) + behind);
    return select(seen, s, -infinity);
  });
}

void Depth512::weigh() {
  const double scale = std::numbers::log2e / std::sqrt(double(depth)); // e^x = 2^(x log2 e)
  const Shape vector = {2 * rows, 1};
  Consumer from = scores->consumer(), low = loDone->consumer(), high = hiDone->consumer();
  Producer to = weights->producer(), less = factors->producer();
  Consumer lastLow = low, lastHigh = high;
  Tile x = k.tile(f32, {2 * rows, part}, "x");
  Tile most = k.tile(f32, vector, "most"), sum = k.tile(f32, vector, "sum");
  k.fill(most, -1e30), k.fill(sum, 0);
  k.loop(tiles, "t", [&](lang::Index t) {
    from.wait();
    k.copy((*s)[from], x);
    from.release();
    from.advance();
    hideUnseen(x, k.name(t * tile, "key"));
    Tile before = k.read(most, f32, "before"), largest = k.rowMax(x, "largest");
    k.update(most, {before, largest, otherHalf(largest)},
             [](auto m, auto a, auto b) { return max(m, max(a, b)); });
    k.update(x, {x, most}, [&](auto s, auto most) { return exp2(s * scale - most * scale); });
    k.copy(x, *p);
    to.commit();
    to.advance();
    k.update(before, {before, most},
             [&](auto before, auto most) { return exp2((before - most) * scale); });
    k.update(sum, {sum, before, k.rowSum(x, "weights")},
             [](auto sum, auto less, auto w) { return sum * less + w; });
    k.when(t > 0, [&] {
      less.acquire();
      k.copy(before, *factor);
      less.commit();
      less.advance();
    });
    lastLow = low, lastHigh = high;
    low.advance();
    high.advance();
  });
  Tile total = k.map(
      {sum, otherHalf(sum)}, f32, [](auto a, auto b) { return a + b; }, "total");
  less.acquire(); // correction has done with the sums of all tiles but the last
  lastLow.wait();
  lastHigh.wait();
  StoreProducer end = results->producer();
  store(*lo, total, x, 0, end);
  store(*hi, total, x, tile, end);
  end.tail();
}

/// The halves of a sum's columns, which lie one below the other.
void Depth512::store(const Buffer &from, const Tile &total, const Tile &x, int64_t column,
                     StoreProducer &to) {
  k.copy(from, x);
  Tile result = k.map(
      {x, total}, outType(),
      [](auto o, auto total) { return select(total == 0.0, 0.0, o / total); }, "result");
  to.acquire();
  k.copy(result, (*out)[to]);
  const auto half = [&](int64_t side) {
    return std::pair(lang::part((*out)[to], {side * rows, 0}, {rows, part}),
                     O.at({batch, row, head, column + side * part}));
  };
  to.commit({half(0), half(1)});
  to.advance();
}

// ---- Correction -------------------------------------------------------------------------------

/// What was added up so far, where a tile has a larger score.
void Depth512::rescale(const Buffer &sum, const Tile &less, Consumer &done, Producer &ready) {
  Tile o = k.tile(f32, {2 * rows, part}, "o");
  done.wait();
  k.copy(sum, o);
  k.update(o, {o, less}, [](auto o, auto less) { return o * less; });
  k.copy(o, sum);
  ready.commit();
  done.advance();
  ready.advance();
}

void Depth512::correct() {
  Consumer from = factors->consumer(), low = loDone->consumer(), high = hiDone->consumer();
  Producer toLow = loReady->producer(), toHigh = hiReady->producer();
  k.loop(Range(1, tiles), "t", [&](lang::Index) {
    from.wait();
    Tile less = k.read(*factor, f32, "less");
    rescale(*lo, less, low, toLow);
    rescale(*hi, less, high, toHigh);
    from.release();
    from.advance();
  });
}

} // namespace

Result<Kernel> buildAttentionD512(const AttentionD512Config &c) {
  KernelBuilder k("attention_d512");
  k.fastMath({.approximate = true, .contract = true});
  Depth512(k, c).write();
  return k.build();
}

// ---- In the catalogue -------------------------------------------------------------------------

static Result<Kernel> build(const Parameters &p, const Arch &) {
  AttentionD512Config c;
  c.type = p.dtype("dtype");
  c.causal = p.text("causal") == "yes";
  c.stages = p.number("num_kv_stages");
  return buildAttentionD512(c);
}

/// Keys of each batch.
static std::vector<int64_t> lengthsOf(const Parameters &p, uint64_t seed) {
  const int64_t keys = p.number("Skv");
  std::vector<int64_t> lengths(size_t(p.number("B")), keys);
  if (p.text("lengths") == "random") {
    std::mt19937_64 draw(seed);
    for (int64_t &length : lengths)
      length = int64_t(draw() % uint64_t(keys + 1));
  }
  return lengths;
}

static std::string anyIsRight(const Parameters &, const std::vector<int64_t> &) {
  return "";
}

static std::string lengthsOnHost(const Parameters &p) {
  return p.text("lengths") == "all" ? "Skv" : "Skv * (i + 1) / B";
}

/// Weights of 8 bits have four of mantissa.
static double attentionTolerance(const Parameters &p) {
  const DType type = p.dtype("dtype");
  return type == DType::e4m3 ? 0.04 : defaultTolerance(type);
}

static std::vector<TensorShape> shapes(const Parameters &) {
  return {{"Q", {"B", "S", "H", "d"}},
          {"K", {"B", "Skv", "Hkv", "d"}},
          {"V", {"B", "Skv", "Hkv", "d"}},
          {"lengths", {"B"}},
          {"O", {"B", "S", "H", "d"}}};
}

static Result<Matrices> reference(const Parameters &p, const Matrices &in) {
  return attentionOfHeads(p, in, &in.at("lengths"));
}

static HostReference hostReference(const Parameters &p) {
  return attentionOnHost(p.text("causal") == "yes",
                         "std::min(std::max(i64(lengths(b)), i64(0)), Skv)");
}

KernelEntry attentionD512Entry() {
  KernelEntry entry;
  entry.name = "attention_d512";
  entry.summary = "O = softmax(Q K^T / sqrt(512)) V of every head, on pairs of CTAs";
  entry.targets = {Target::sm_100a};
  entry.parameters = {
      {"B", "1", "batches", {}, 0, 65535, true},
      {"H", "2", "heads of Q and O", {}, 1, 65535, true},
      {"Hkv", "1", "heads of K and V; divides H", {}, 1, 65535, true},
      {"S", "512", "queries", {}, 0, 1 << 24, true},
      {"Skv", "512", "keys that there is room for", {}, 0, 1 << 24, true},
      {"d", "512", "head dimension", {"512"}},
      {"causal", "no", "a query sees no key behind it", {"no", "yes"}},
      {"lengths", "all", "keys of each batch, where they are not given", {"all", "random"}},
      {"num_kv_stages", "4", "parts of K and V on their way; Q K^T has four", {}, 4, 64},
      {"dtype", "bf16", "element type", {"f16", "bf16", "e4m3"}},
  };
  entry.shapes = shapes;
  entry.steering = {{"lengths", lengthsOf, anyIsRight, lengthsOnHost}};
  entry.build = build;
  entry.reference = reference;
  entry.hostReference = hostReference;
  entry.tolerance = attentionTolerance;
  return entry;
}

} // namespace sluice
