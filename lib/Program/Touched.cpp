#include "Program/Touched.h"

namespace sluice {
namespace {

std::vector<const View *> each(const std::vector<View> &views) {
  std::vector<const View *> all;
  for (const View &v : views)
    all.push_back(&v);
  return all;
}

struct TouchedBy {
  template <typename Move> static Touched move(const Move &o) {
    return {{&o.destination}, {&o.source}};
  }
  template <typename Product> static Touched product(const Product &o) {
    return {{&o.d}, {&o.a, &o.b}};
  }
  Touched operator()(const TmaLoad &o) const { return move(o); }
  Touched operator()(const TmaStore &o) const { return move(o); }
  Touched operator()(const Copy &o) const {
    Touched touched = move(o);
    if (o.rows)
      touched.reads.push_back(&o.rows->numbers);
    return touched;
  }
  Touched operator()(const RemoteCopy &o) const { return move(o); }
  Touched operator()(const Fill &o) const { return {{&o.destination}, {}}; }
  Touched operator()(const Print &o) const { return {{}, {&o.source}}; }
  Touched operator()(const ScalarRead &o) const { return {{}, {&o.source}}; }
  Touched operator()(const ScalarWrite &o) const { return {{&o.destination}, {}}; }
  Touched operator()(const CounterAdd &o) const { return {{&o.counter}, {}}; }
  Touched operator()(const CounterWait &o) const { return {{}, {&o.counter}}; }
  Touched operator()(const Wgmma &o) const { return product(o); }
  Touched operator()(const Mmad &o) const { return product(o); }
  Touched operator()(const Map &o) const { return {each(o.outs), each(o.ins)}; }
  Touched operator()(const Reduce &o) const { return {{&o.out}, {&o.in}}; }
  Touched operator()(const Raw &o) const { return {each(o.writes), each(o.reads)}; }
  template <typename Other> Touched operator()(const Other &) const { return {}; }
};

} // namespace

Touched touchedBy(const Operation &op) {
  return std::visit(TouchedBy{}, op);
}

std::vector<const View *> viewsOf(const Operation &op) {
  Touched touched = touchedBy(op);
  touched.writes.insert(touched.writes.end(), touched.reads.begin(), touched.reads.end());
  return touched.writes;
}

} // namespace sluice
