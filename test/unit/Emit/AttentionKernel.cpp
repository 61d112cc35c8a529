#include "Emit/Kernels.h"
#include "Emit/ProgramBuilder.h"

#include <cmath>

namespace sluice::test {
namespace {

using Nodes = std::vector<ElementNode>;

ElementNode argument(int i) {
  return {ElementOp::argument, DType::f32, {}, i, 0};
}
/// As fast as it may be.
ElementNode node(ElementOp op, std::vector<int> operands, DType type = DType::f32) {
  return {op, type, std::move(operands), 0, 0, true, true};
}
ElementNode constant(double x) {
  return {ElementOp::constant, DType::f32, {}, 0, x};
}

struct Attention {
  AttentionOptions o;
  ProgramBuilder k{"attention", 0};
  int Q, K, V, O, q, kTile, vTile, qFull, kFull, kEmpty, vFull, vEmpty;
  int s, p, acc, rowMax, tileMax, scale, rowSum, tileSum;
  int mmaWarps;
  ValueId row = kNone, steps = kNone;

  explicit Attention(const AttentionOptions &options) : o(options) {
    mmaWarps = int(o.bm / 16);
    k.program.warps = mmaWarps + 1;
    auto tensor = [&](const char *name, bool out) { return k.tensor(name, o.type, 2, 1, out); };
    Q = tensor("Q", false);
    K = tensor("K", false);
    V = tensor("V", false);
    O = tensor("O", true);
    q = k.shared("q", o.type, o.bm, o.d, Layout::sw128, 1, 1);
    kTile = k.shared("k", o.type, o.bn, o.d, Layout::sw128, 1, o.stages);
    vTile = k.shared("v", o.type, o.bn, o.d, Layout::sw128, 1, o.stages);
    qFull = k.barriers("qFull", 1);
    kFull = k.barriers("kFull", o.stages);
    kEmpty = k.barriers("kEmpty", o.stages);
    vFull = k.barriers("vFull", o.stages);
    vEmpty = k.barriers("vEmpty", o.stages);
    auto tile = [&](const char *name, DType type, int64_t n, Layout layout) {
      return k.registers(name, type, o.bm, n, layout, "mma");
    };
    s = tile("s", DType::f32, o.bn, Layout::acc);
    p = tile("p", o.type, o.bn, Layout::fragA);
    acc = tile("acc", DType::f32, o.d, Layout::acc);
    rowMax = tile("rowMax", DType::f32, 1, Layout::rowVector);
    tileMax = tile("tileMax", DType::f32, 1, Layout::rowVector);
    scale = tile("scale", DType::f32, 1, Layout::rowVector);
    rowSum = tile("rowSum", DType::f32, 1, Layout::rowVector);
    tileSum = tile("tileSum", DType::f32, 1, Layout::rowVector);
  }

  void loadOne(int tensor, int buffer, int full, int empty, ValueId at, Index key) {
    Index slot = k.slot(at);
    k.add(MbarrierWait{{empty, slot, {}}, k.empty(at)});
    k.one(MbarrierArriveExpectTx{{full, slot, {}}, {kNone, k.program.buffers[buffer].slotBytes}});
    k.one(TmaLoad{k.tile(buffer, slot), k.box(tensor, {key, {}}, {o.bn, o.d}), {full, slot, {}}});
  }

  void load() {
    k.one(MbarrierArriveExpectTx{{qFull, {}, {}}, {kNone, k.program.buffers[q].slotBytes}});
    k.one(TmaLoad{k.tile(q), k.box(Q, {{row}, {}}, {o.bm, o.d}), {qFull, {}, {}}});
    k.loop("j", steps, {k.cursor(o.stages)}, {"at"}, [&](ValueId j, auto carried) {
      Index key{k.mul(j, o.bn)};
      loadOne(K, kTile, kFull, kEmpty, carried[0], key);
      loadOne(V, vTile, vFull, vEmpty, carried[0], key);
      return std::vector{k.next(carried[0], o.stages)};
    });
  }

  void softmax() {
    double c = 1.4426950408889634 / std::sqrt(double(o.d)); // log2(e) / sqrt(d)
    auto tile = [&](int b) { return k.tile(b); };
    k.add(Reduce{tile(tileMax), tile(s), 1, -INFINITY, ElementOp::max});
    // tileMax = max(rowMax, tileMax), scale = 2^((rowMax - tileMax) c), rowMax = tileMax
    k.add(Map{
        {tile(rowMax), tile(scale)},
        {tile(rowMax), tile(tileMax)},
        {2,
         false,
         Nodes{argument(0), argument(1), node(ElementOp::max, {0, 1}), node(ElementOp::sub, {0, 2}),
               constant(c), node(ElementOp::mul, {3, 4}), node(ElementOp::exp2, {5})},
         {2, 6}}});
    // s = 2^((s - rowMax) c), p = s in 16 bits
    k.add(Map{{tile(s), tile(p)},
              {tile(s), tile(rowMax)},
              {2,
               false,
               Nodes{argument(0), argument(1), constant(c), node(ElementOp::mul, {1, 2}),
                     node(ElementOp::neg, {3}), node(ElementOp::fma, {0, 2, 4}),
                     node(ElementOp::exp2, {5}), node(ElementOp::cast, {6}, o.type)},
               {6, 7}}});
    k.add(Reduce{tile(tileSum), tile(s), 1, 0, ElementOp::add});
    k.add(Map{{tile(rowSum)},
              {tile(rowSum), tile(scale), tile(tileSum)},
              {3,
               false,
               Nodes{argument(0), argument(1), argument(2), node(ElementOp::fma, {0, 1, 2})},
               {3}}});
    k.add(Map{{tile(acc)}, {tile(acc), tile(scale)}, binary(ElementOp::mul)});
  }

  void multiply(View d, View a, View b, Index accumulate, int full, int empty, ValueId at,
                bool afterwards) {
    Index slot = k.slot(at);
    k.add(MbarrierWait{{full, slot, {}}, k.full(at)});
    k.add(WgmmaFence{});
    k.add(Wgmma{d, a, b, accumulate});
    k.add(WgmmaCommit{});
    k.add(WgmmaWait{0});
    k.add(MbarrierArrive{{empty, slot, {}}}, Exec::warp);
    if (afterwards)
      softmax();
  }

  void compute() {
    k.add(Fill{k.tile(acc), 0});
    k.add(Fill{k.tile(rowMax), -INFINITY});
    k.add(Fill{k.tile(rowSum), 0});
    k.add(MbarrierWait{{qFull, {}, {}}, {kNone, 0}});
    k.loop("j", steps, {k.cursor(o.stages)}, {"at"}, [&](ValueId, auto carried) {
      ValueId at = carried[0];
      multiply(k.tile(s), k.tile(q), k.tile(kTile, k.slot(at), true), {kNone, 0}, kFull, kEmpty, at,
               true);
      multiply(k.tile(acc), k.tile(p), k.tile(vTile, k.slot(at)), {kNone, 1}, vFull, vEmpty, at,
               false);
      return std::vector{k.next(at, o.stages)};
    });
    k.add(Map{{k.tile(acc)}, {k.tile(acc), k.tile(rowSum)}, binary(ElementOp::div)});
    k.add(Copy{k.box(O, {{row}, {}}, {o.bm, o.d}), k.tile(acc)});
  }

  Program build() {
    ValueId S = k.dim(Q, 0, "S"), T = k.dim(K, 0, "T");
    row = k.mul(k.grid({k.ceilDiv(S, o.bm)}, {"i"})[0], o.bm);
    steps = k.ceilDiv(T, o.bn);
    k.one(MbarrierInit{{qFull, {}, {}}, true, 1});
    k.one(MbarrierInit{{kFull, {}, {}}, true, 1});
    k.one(MbarrierInit{{vFull, {}, {}}, true, 1});
    k.one(MbarrierInit{{kEmpty, {}, {}}, true, mmaWarps});
    k.one(MbarrierInit{{vEmpty, {}, {}}, true, mmaWarps});
    k.one(Fence{Fence::mbarrierInit});
    k.add(NamedBarrier{{kNone, 0}, 32 * k.program.warps});
    k.role("mma", 0, mmaWarps, 0, [&] { compute(); });
    k.role("load", mmaWarps, 1, 0, [&] { load(); });
    return std::move(k.program);
  }
};

} // namespace

Program attention(const AttentionOptions &o) {
  return Attention(o).build();
}

} // namespace sluice::test
