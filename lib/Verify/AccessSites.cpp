#include "Verify/AccessSites.h"

#include "Program/Agent.h"
#include "Program/OperationFacts.h"

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
      const Role *outer = role_;
      role_ = role;
      block(role->body);
      role_ = outer;
    } else {
      touch(s);
    }
  }

  void touch(const Stmt &s) {
    const OperationFacts facts = factsOf(s.op);
    const bool counts = facts.counter.counter;
    const auto *store = std::get_if<TmaStore>(&s.op);
    const Touched &touched = facts.views;
    for (const bool write : {false, true})
      for (const View *v : write ? touched.writes : touched.reads)
        if (v->kind == View::tensor && (counts || written_[v->object]))
          (counts ? counters_ : sites_)
              .push_back({&s, v, write, write && store && store->add, facts.goesOn(), role_, loops_,
                          branches_});
  }

  const std::vector<bool> written_;
  const Role *role_ = nullptr;
  std::vector<const For *> loops_;
  std::vector<Taken> branches_;
};

} // namespace

std::vector<bool> writtenTensors(const Program &program) {
  std::vector<bool> written(program.tensors.size(), false);
  walk(program.body, [&](const Stmt &s) {
    const OperationFacts facts = factsOf(s.op);
    if (facts.counter.counter)
      return;
    for (const View *v : facts.views.writes)
      if (v->kind == View::tensor)
        written[v->object] = true;
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
