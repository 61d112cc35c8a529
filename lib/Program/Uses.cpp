#include "Program/Uses.h"

#include "Program/Sharing.h"

#include <utility>

namespace sluice {
namespace {

struct UseVisitor {
  const std::function<void(const ValueId &)> &visit;

  void all(const std::vector<ValueId> &values) const {
    for (const ValueId &v : values)
      visit(v);
  }
  void index(const Index &i) const {
    if (!i.isConstant())
      visit(i.value);
  }
  void view(const View &v) const {
    index(v.slot);
    for (const Index &i : v.offset)
      index(i);
    for (const Clip &c : v.clips)
      index(c.end);
  }
  void barrier(const MbarrierRef &b) const {
    index(b.slot);
    if (b.remote)
      index(*b.remote);
  }

  void operator()(const Scalar &s) const { all(s.operands); }
  void operator()(const Grid &g) const { all(g.extents); }
  void operator()(const For &f) const {
    for (const ValueId *v : {&f.lower, &f.upper, &f.step})
      visit(*v);
    all(f.inits);
    all(f.body.yields);
    if (f.isWhile())
      visit(f.condition);
  }
  void operator()(const ScalarWrite &o) const {
    view(o.destination);
    index(o.value);
  }
  void operator()(const If &i) const {
    visit(i.condition);
    all(i.thenBlock.yields);
    all(i.elseBlock.yields);
  }
  void operator()(const TmaLoad &o) const {
    view(o.destination);
    view(o.source);
    barrier(o.barrier);
  }
  void operator()(const ClcTryCancel &o) const {
    view(o.response);
    barrier(o.barrier);
  }
  void operator()(const Wgmma &o) const { matrix(o.d, o.a, o.b, o.accumulate); }
  void operator()(const Mmad &o) const { matrix(o.d, o.a, o.b, o.accumulate); }
  void operator()(const Tcgen05Mma &o) const {
    matrix(o.d, o.a, o.b, o.accumulate);
    if (o.scales)
      view(o.scales->a), view(o.scales->b);
  }
  void operator()(const TmemAlloc &o) const { view(o.address); }
  void operator()(const TmemShift &o) const { view(o.columns); }
  void matrix(const View &d, const View &a, const View &b, const Index &accumulate) const {
    view(d);
    view(a);
    view(b);
    index(accumulate);
  }
  void operator()(const Map &o) const {
    for (const View &v : o.outs)
      view(v);
    for (const View &v : o.ins)
      view(v);
    for (const Index &i : o.shared)
      index(i);
  }
  void operator()(const Reduce &o) const {
    view(o.out);
    view(o.in);
  }
  void operator()(const Raw &o) const {
    for (const View *v : operandsOf(o))
      view(*v);
    for (const Index &i : o.scalars)
      index(i);
  }
  template <typename Op> void operator()(const Op &o) const {
    if constexpr (requires { o.barrier; })
      barrier(o.barrier);
    if constexpr (requires { o.bytes; })
      index(o.bytes);
    if constexpr (requires { o.parity; })
      index(o.parity);
    if constexpr (requires { o.token; })
      if (o.token != kNone)
        visit(o.token);
    if constexpr (requires { o.destination.offset; })
      view(o.destination);
    if constexpr (requires { o.source.offset; })
      view(o.source);
    if constexpr (requires { o.rows->numbers; })
      if (o.rows)
        view(o.rows->numbers);
    if constexpr (requires { o.id.value; })
      index(o.id);
    if constexpr (requires { o.counter; }) {
      view(o.counter);
      index(o.value);
    }
  }
};

} // namespace

void forEachUse(const Stmt &s, const std::function<void(const ValueId &)> &visit) {
  std::visit(UseVisitor{visit}, s.op);
}

void forEachUse(Stmt &s, const std::function<void(ValueId &)> &change) {
  // The statement may be changed: what is visited is in it.
  forEachUse(std::as_const(s), [&](const ValueId &v) { change(const_cast<ValueId &>(v)); });
}

void forEachResult(Stmt &s, const std::function<void(ValueId &)> &change) {
  forEachResult(std::as_const(s), [&](const ValueId &v) { change(const_cast<ValueId &>(v)); });
}

void forLeft(const Stmt &s, const std::function<void(const ValueId &)> &visit) {
  const auto given = [&visit](const ValueId &v) {
    if (v != kNone)
      visit(v);
  };
  std::visit(
      [&given](const auto &op) {
        if constexpr (requires { op.result; })
          given(op.result);
        if constexpr (requires { op.old; })
          given(op.old);
        if constexpr (requires { op.results; })
          for (const ValueId &v : op.results)
            given(v);
      },
      s.op);
}

void forEachResult(const Stmt &s, const std::function<void(const ValueId &)> &visit) {
  forLeft(s, visit);
  auto *loop = std::get_if<For>(&s.op);
  if (!loop)
    return;
  if (loop->iv != kNone)
    visit(loop->iv);
  for (const ValueId &v : loop->iterArgs)
    visit(v);
}

} // namespace sluice
