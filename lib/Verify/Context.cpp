#include "Verify/Context.h"

#include "Program/Agent.h"
#include "Program/Apart.h"
#include "Verify/AccessSites.h"
#include "Verify/Gathered.h"

#include <algorithm>

namespace sluice {
namespace {

/// Tensors that the async proxy touches.
std::vector<bool> asyncTensors(const Program &program) {
  std::vector<bool> touched(program.tensors.size(), false);
  walk(program.body, [&](const Stmt &s) {
    const View *tensor = nullptr;
    if (auto *load = std::get_if<TmaLoad>(&s.op))
      tensor = &load->source;
    else if (auto *store = std::get_if<TmaStore>(&s.op))
      tensor = &store->destination;
    if (tensor && tensor->kind == View::tensor)
      touched[tensor->object] = true;
  });
  for (size_t t = 0; t < touched.size(); ++t)
    if (const int other = program.tensors[t].inPlaceOf; other >= 0)
      touched[t] = touched[other] = touched[t] || touched[other];
  return touched;
}

} // namespace

Context::Context(const Program &theProgram, const Launch *theLaunch)
    : program(theProgram),
      launch(theLaunch), group{theProgram.cluster[0], theProgram.cluster[1], theProgram.cluster[2]},
      terms(theProgram), places(theProgram, terms), memory(memories(theProgram.tensors)),
      trackedTensor(writtenTensors(theProgram)), asyncTensor(asyncTensors(theProgram)),
      awaited(awaitedCounters(theProgram)), gathered(gatheredViews(theProgram)),
      multiplied(multipliedBuffers(theProgram)), observed(theProgram) {
  if (!launch)
    counters.protocols = counterProtocols(program);
  for (const Mbarrier &m : program.mbarriers)
    used.emplace_back(m.slots, false);
}

const Context::CrossSources &Context::crossSources(int64_t id) {
  const auto [at, isNew] = crossSources_.try_emplace(id);
  CrossSources &found = at->second;
  if (!isNew)
    return found;
  walk(program.body, [&](const Stmt &s) {
    auto *role = std::get_if<Role>(&s.op);
    walk(role ? role->body : Block{}, [&](const Stmt &inner) {
      auto *set = std::get_if<CrossSet>(&inner.op);
      if (!set || (set->id.isConstant() && set->id.constant != id))
        return;
      found.cube |= role->core == "aic";
      found.peer |= role->core != "aic" && set->mode == 1;
    });
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
