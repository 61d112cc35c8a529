#include "Emit/Kernels.h"
#include "Emit/ProgramBuilder.h"

namespace sluice::test {
namespace {

struct Gemm {
  GemmOptions o;
  ProgramBuilder k;
  int A, B, C, a, b, c = -1, acc, full, empty;
  int mmaWarps, loadWarps, loadFirst, mmaFirst;
  ValueId row = kNone, col = kNone, steps = kNone, rank = kNone;

  explicit Gemm(const GemmOptions &options) : o(options), k("gemm", 0) {
    mmaWarps = 4 * o.warpgroups;
    loadWarps = o.load == GemmOptions::tma && !o.reallocate ? 1 : 4;
    mmaFirst = o.reallocate ? 4 : 0;
    loadFirst = o.reallocate ? 0 : mmaWarps;
    k.program.warps = mmaWarps + loadWarps;
    objects();
  }

  void objects() {
    A = k.tensor("A", o.type, 2, o.aMinor, false, o.align);
    B = k.tensor("B", o.type, 2, o.bMinor, false, o.align);
    C = k.tensor("C", o.type, 2, 1, true, o.align);
    a = k.shared("a", o.type, o.bm, o.bk, o.layout, o.aMinor, o.stages);
    b = k.shared("b", o.type, o.bk, o.bn, o.layout, o.bMinor, o.stages);
    if (o.store == GemmOptions::copyEngine)
      c = k.shared("c", o.type, o.bm, o.bn, o.layout, 1, 1);
    full = k.barriers("full", o.stages);
    empty = k.barriers("empty", o.stages);
    acc = k.registers("acc", DType::f32, o.bm, o.bn, Layout::acc, "mma");
  }

  CachePolicy keep() const { return o.hints ? CachePolicy::evictLast : CachePolicy::normal; }
  CachePolicy drop() const { return o.hints ? CachePolicy::evictFirst : CachePolicy::normal; }

  /// The half of B that this CTA loads for both.
  void multicast(Index slot, Index depth) {
    ValueId half = k.mul(rank, o.bn / 2);
    Index from{k.scalar(ScalarOp::add, {col, half})};
    k.one(TmaLoad{k.part(b, {{}, {half}}, {o.bk, o.bn / 2}, slot),
                  k.box(B, {depth, from}, {o.bk, o.bn / 2}),
                  {full, slot, {}},
                  3,
                  keep()});
  }

  /// A slot is free when the consumers of both CTAs have released it: both fill it.
  void release(Index slot) {
    if (!o.cluster) {
      k.add(MbarrierArrive{{empty, slot, {}}}, Exec::warp);
      return;
    }
    for (int64_t cta : {0, 1})
      k.add(MbarrierArrive{{empty, slot, Index{kNone, cta}}}, Exec::warp);
  }

  void load() {
    k.loop("t", steps, {k.cursor(o.stages)}, {"at"}, [&](ValueId t, auto carried) {
      ValueId at = carried[0];
      Index slot = k.slot(at), depth{k.mul(t, o.bk)};
      View fromA = k.box(A, {{row}, depth}, {o.bm, o.bk});
      View fromB = k.box(B, {depth, {col}}, {o.bk, o.bn});
      k.add(MbarrierWait{{empty, slot, {}}, k.empty(at)});
      if (o.load == GemmOptions::tma) {
        int64_t bytes = (o.bm + o.bn) * o.bk * byteSize(o.type);
        k.one(MbarrierArriveExpectTx{{full, slot, {}}, {kNone, bytes}});
        k.one(TmaLoad{k.tile(a, slot), fromA, {full, slot, {}}, 0, drop()});
        if (o.cluster)
          multicast(slot, depth);
        else
          k.one(TmaLoad{k.tile(b, slot), fromB, {full, slot, {}}, 0, keep()});
      } else {
        bool async = o.load == GemmOptions::async;
        k.add(Copy{k.tile(a, slot), fromA, async});
        k.add(Copy{k.tile(b, slot), fromB, async});
        if (async) {
          k.add(CpAsyncCommit{});
          k.add(CpAsyncWait{0});
        }
        k.add(Fence{Fence::proxyAsync});
        k.add(MbarrierArrive{{full, slot, {}}}, Exec::warp);
      }
      return std::vector{k.next(at, o.stages)};
    });
  }

  void multiply() {
    std::vector<ValueId> inits{k.cursor(o.stages)};
    std::vector<std::string> names{"at"};
    if (o.lag) {
      inits.push_back(k.cursor(o.stages));
      names.push_back("before");
    }
    auto last = k.loop("t", steps, inits, names, [&](ValueId t, auto carried) {
      ValueId at = carried[0];
      Index slot = k.slot(at);
      k.add(MbarrierWait{{full, slot, {}}, k.full(at)});
      k.add(WgmmaFence{});
      k.add(Wgmma{k.tile(acc), k.tile(a, slot), k.tile(b, slot), {k.notZero(t)}});
      k.add(WgmmaCommit{});
      k.add(WgmmaWait{o.lag ? 1 : 0});
      std::vector<ValueId> next{k.next(at, o.stages)};
      if (o.lag) {
        k.add(If{k.notZero(t), {}, {}, {}});
        release(std::get<If>(lastStatement().op).thenBlock, carried[1]);
        next.push_back(at);
      } else {
        release(slot);
      }
      return next;
    });
    if (o.lag)
      k.add(WgmmaWait{0});
  }

  Stmt &lastStatement() {
    Role &mma = std::get<Role>(k.program.body.stmts.back().op);
    return std::get<For>(mma.body.stmts.back().op).body.stmts.back();
  }
  void release(Block &block, ValueId cursor) {
    ValueId slot = k.value();
    block.stmts.push_back(
        {Scalar{ScalarOp::cursorSlot, slot, {cursor}}, Exec::threads, Pipe::none, {}});
    block.stmts.push_back({MbarrierArrive{{empty, {slot}, {}}}, Exec::warp, Pipe::none, {}});
  }

  void store() {
    View to = k.box(C, {{row}, {col}}, {o.bm, o.bn});
    if (o.store == GemmOptions::registers) {
      k.add(Copy{to, k.tile(acc)});
      return;
    }
    k.add(Copy{k.tile(c), k.tile(acc)});
    k.add(Fence{Fence::proxyAsync});
    k.add(NamedBarrier{{kNone, 1}, 32 * mmaWarps});
    k.one(TmaStore{to, k.tile(c), false, drop()});
    k.one(BulkCommit{});
    k.one(BulkWait{0, false});
  }

  Program build() {
    ValueId M = k.dim(C, 0, "M"), N = k.dim(C, 1, "N"), K = k.dim(A, 1, "K");
    ValueId tiles = k.ceilDiv(M, o.bm);
    if (o.cluster) { // a whole number of clusters
      k.program.cluster[0] = 2;
      tiles = k.mul(k.ceilDiv(tiles, 2), 2);
    }
    auto ij = k.grid({tiles, k.ceilDiv(N, o.bn)}, {"i", "j"});
    if (o.cluster)
      rank = k.scalar(ScalarOp::clusterRank, {}, 0, -1, "rank");
    row = k.mul(ij[0], o.bm);
    col = k.mul(ij[1], o.bn);
    steps = k.ceilDiv(K, o.bk);
    k.one(MbarrierInit{{full, {}, {}}, true, o.load == GemmOptions::tma ? 1 : loadWarps});
    k.one(MbarrierInit{{empty, {}, {}}, true, o.cluster ? 2 * mmaWarps : mmaWarps});
    k.one(Fence{Fence::mbarrierInit});
    if (o.cluster)
      k.add(ClusterBarrier{ClusterBarrier::sync});
    else
      k.add(NamedBarrier{{kNone, 0}, 32 * k.program.warps});
    auto loadRole = [&] {
      k.role("load", loadFirst, loadWarps, o.reallocate ? 40 : 0, [&] { load(); });
    };
    auto mmaRole = [&] {
      k.role("mma", mmaFirst, mmaWarps, o.reallocate ? 232 : 0, [&] {
        multiply();
        store();
      });
    };
    if (o.reallocate) {
      loadRole();
      mmaRole();
    } else {
      mmaRole();
      loadRole();
    }
    if (o.cluster) // no CTA ends while its peer may still signal it
      k.add(ClusterBarrier{ClusterBarrier::sync});
    return std::move(k.program);
  }
};

} // namespace

Program gemm(const GemmOptions &o) {
  return Gemm(o).build();
}

} // namespace sluice::test
