#include "Verify/AccessSites.h"

#include "Program/Agent.h"

#include <algorithm>

namespace sluice {
namespace {

class Collector {
public:
  explicit Collector(const Program &program) : written_(writtenTensors(program)) {
    block(program.body);
  }

  std::vector<AccessSite> sites_, counters_;

private:
  void block(const Block &b) {
    for (const Stmt &s : b.stmts)
      statement(s);
  }

  void statement(const Stmt &s) {
    if (auto *loop = std::get_if<For>(&s.op)) {
      loops_.push_back(loop);
      block(loop->body);
      loops_.pop_back();
    } else if (auto *branch = std::get_if<If>(&s.op)) {
      for (const bool holds : {true, false}) {
        branches_.push_back({branch, holds});
        block(holds ? branch->thenBlock : branch->elseBlock);
        branches_.pop_back();
      }
    } else if (auto *role = std::get_if<Role>(&s.op)) {
      role_ = role;
      block(role->body);
      role_ = nullptr;
    } else if (auto *load = std::get_if<TmaLoad>(&s.op)) {
      add(s, load->source, false, true);
    } else if (auto *store = std::get_if<TmaStore>(&s.op)) {
      add(s, store->destination, true, true);
      sites_.back().reducing = store->add;
    } else if (auto *copy = std::get_if<Copy>(&s.op)) {
      add(s, copy->source, false, copy->async);
      add(s, copy->destination, true, copy->async);
    } else if (auto *fill = std::get_if<Fill>(&s.op)) {
      add(s, fill->destination, true, false);
    } else if (auto *map = std::get_if<Map>(&s.op)) {
      for (const View &in : map->ins)
        add(s, in, false, false);
      for (const View &out : map->outs)
        add(s, out, true, false);
    } else if (auto *adds = std::get_if<CounterAdd>(&s.op)) {
      addCounter(s, adds->counter, true);
    } else if (auto *waits = std::get_if<CounterWait>(&s.op)) {
      addCounter(s, waits->counter, false);
    } else if (auto *reduce = std::get_if<Reduce>(&s.op)) {
      add(s, reduce->in, false, false);
      add(s, reduce->out, true, false);
    }
  }

  void addCounter(const Stmt &s, const View &view, bool write) {
    counters_.push_back({&s, &view, write, false, false, role_, loops_, branches_});
  }

  void add(const Stmt &s, const View &view, bool write, bool async) {
    if (view.kind == View::tensor && written_[view.object])
      sites_.push_back({&s, &view, write, false, async, role_, loops_, branches_});
  }

  const std::vector<bool> written_;
  const Role *role_ = nullptr;
  std::vector<const For *> loops_;
  std::vector<Taken> branches_;
};

} // namespace

std::vector<bool> writtenTensors(const Program &program) {
  std::vector<bool> written(program.tensors.size(), false);
  auto mark = [&](const View &v) {
    if (v.kind == View::tensor)
      written[v.object] = true;
  };
  walk(program.body, [&](const Stmt &s) {
    if (auto *store = std::get_if<TmaStore>(&s.op))
      mark(store->destination);
    else if (auto *copy = std::get_if<Copy>(&s.op))
      mark(copy->destination);
    else if (auto *fill = std::get_if<Fill>(&s.op))
      mark(fill->destination);
    else if (auto *map = std::get_if<Map>(&s.op))
      std::for_each(map->outs.begin(), map->outs.end(), mark);
    else if (auto *reduce = std::get_if<Reduce>(&s.op))
      mark(reduce->out);
  });
  for (size_t t = 0; t < written.size(); ++t)
    if (const int other = program.tensors[t].inPlaceOf; other >= 0 && written[t])
      written[other] = true;
  return written;
}

std::vector<AccessSite> accessSites(const Program &program) {
  return std::move(Collector(program).sites_);
}

std::vector<AccessSite> counterSites(const Program &program) {
  return std::move(Collector(program).counters_);
}

} // namespace sluice
