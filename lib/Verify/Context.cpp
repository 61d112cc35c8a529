#include "Verify/Context.h"

#include "Program/Agent.h"
#include "Program/Apart.h"
#include "Program/Blocks.h"
#include "Program/OperationFacts.h"
#include "Verify/AccessSites.h"
#include "Verify/CountedWhiles.h"
#include "Verify/Gathered.h"

#include <algorithm>

namespace sluice {
namespace {

/// Tensors that the async proxy touches.
std::vector<bool> asyncTensors(const Program &program) {
  std::vector<bool> touched(program.tensors.size(), false);
  walk(program.body, [&](const Stmt &s) {
    if (factsOf(s.op).byAsyncProxy)
      for (const View *v : viewsOf(s.op))
        if (v->kind == View::tensor)
          touched[v->object] = true;
  });
  for (size_t t = 0; t < touched.size(); ++t)
    if (const int other = program.tensors[t].inPlaceOf; other >= 0)
      touched[t] = touched[other] = touched[t] || touched[other];
  return touched;
}

/// Products that never add to what they added to before: they do not accumulate, or their block
/// fills the accumulator anew before each.
class SumsApart {
public:
  SumsApart(const Program &program, const CountedValues &values, std::set<const Stmt *> &found)
      : program_(program), values_(values), found_(found) {}

  void block(const Block &b) {
    std::set<int> filled; // accumulators, since the block began
    for (const Stmt &s : b.stmts) {
      if (auto *fill = std::get_if<Fill>(&s.op); fill && isWhole(fill->destination))
        filled.insert(fill->destination.object);
      else if (const TileProduct p = productOf(s.op))
        product(s, *p.d, *p.accumulate, filled);
      else
        forBlocks(s, [this](const Block &inner) { block(inner); });
    }
  }

private:
  bool isWhole(const View &v) const {
    const Buffer *b = program_.buffer(v);
    return b && b->slots == 1 && v.shape == b->shape;
  }
  void product(const Stmt &s, const View &d, const Index &adds, const std::set<int> &filled) {
    const int64_t *known = adds.isConstant() ? &adds.constant : values_.constant(adds.value);
    if ((known && *known == 0) || filled.count(d.object) > 0)
      found_.insert(&s);
  }

  const Program &program_;
  const CountedValues &values_;
  std::set<const Stmt *> &found_;
};

} // namespace

Context::Context(const Program &theProgram, const Launch *theLaunch)
    : program(theProgram),
      launch(theLaunch), group{theProgram.cluster[0], theProgram.cluster[1], theProgram.cluster[2]},
      terms(theProgram), places(theProgram, terms), memory(memories(theProgram.tensors)),
      trackedTensor(writtenTensors(theProgram)), asyncTensor(asyncTensors(theProgram)),
      awaited(awaitedCounters(theProgram)), meeting(coreMeetingOf(theProgram)),
      gathered(gatheredViews(theProgram)), multiplied(multipliedBuffers(theProgram)),
      observed(theProgram) {
  SumsApart(program, terms.values(), sumsApart).block(program.body);
  productsOfNumbers = findProductsOfNumbers(program);
  counters.protocols = counterProtocols(program, launch != nullptr);
  if (meeting)
    counters.protocols[ofAllCores].kind = CounterProtocol::meeting;
  for (const Mbarrier &m : program.mbarriers)
    used.emplace_back(m.slots, false);
  walk(program.body, [this](const Stmt &s) {
    if (auto *dependency = std::get_if<GridDependency>(&s.op); dependency && !dependency->launch)
      waitsForPrevious = &s;
    allocatesTensorMemory |= std::holds_alternative<TmemAlloc>(s.op);
  });
  walk(program.body, [this](const Stmt &s) { // numbers are read as soon as somebody needs them
    if (auto *scalar = std::get_if<Scalar>(&s.op); scalar && scalar->op == ScalarOp::load)
      assumeNoneBefore(scalar->object);
  });
}

void Context::assumeNoneBefore(int tensor) {
  if (waitsForPrevious && !isImagined(program.tensors[tensor]))
    assumptions.insert("kernel-before: kernels before, which may still run, do not write " +
                       program.tensors[tensor].name + ", nor read of it what this one writes");
}

const Context::CrossSources &Context::crossSources(int64_t id) {
  const auto [at, isNew] = crossSources_.try_emplace(id);
  CrossSources &found = at->second;
  if (!isNew)
    return found;
  walkRoles(program.body, [&](const Stmt &s, const Role *role) {
    auto *set = std::get_if<CrossSet>(&s.op);
    if (!role || !set || (set->id.isConstant() && set->id.constant != id))
      return;
    found.cube |= role->core == "aic";
    found.peer |= role->core != "aic" && set->mode == 1;
  });
  return found;
}

int32_t Context::component(int32_t kind, int32_t actor, const Stmt *stmt, int64_t barrier) {
  const auto next = static_cast<int32_t>(components_.size());
  const auto [at, isNew] = components_.try_emplace({kind, actor, stmt, barrier}, next);
  if (isNew)
    names_.push_back(at->first);
  return at->second;
}

int64_t Context::tagOf(const Origin &origin) {
  const auto next = static_cast<int64_t>(origins.size());
  const auto [at, isNew] = originNumbers_.try_emplace(origin, next);
  if (isNew)
    origins.push_back(origin);
  return at->second;
}

int64_t Context::productNumber(const Product &product) {
  const auto next = static_cast<int64_t>(products.size());
  const auto [at, isNew] = productNumbers_.try_emplace(product, next);
  if (isNew)
    products.push_back(product);
  return at->second;
}

size_t FootprintCache::Hash::operator()(const Key &key) const {
  uint64_t hash = 1469598103934665603u;
  for (const int64_t k : key)
    hash = (hash ^ static_cast<uint64_t>(k)) * 1099511628211u;
  return hash ^ (hash >> 29);
}

const std::vector<Interval> *FootprintCache::find(const Key &key) const {
  const auto at = entries_.find(key);
  return at == entries_.end() ? nullptr : &at->second;
}

const std::vector<Interval> *FootprintCache::add(const Key &key, std::vector<Interval> bytes) {
  return &entries_.insert_or_assign(key, std::move(bytes)).first->second;
}

} // namespace sluice
