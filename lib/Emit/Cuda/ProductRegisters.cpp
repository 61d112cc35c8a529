#include "Emit/Cuda/ProductRegisters.h"

namespace sluice::cuda {
namespace {

constexpr size_t mostGroups = 16; // older ones count as one

} // namespace

ProductRegisters::ProductRegisters(const Program &program) : program_(program) {
  State state;
  block(program.body, state);
}

/// The last groups of both are the last groups.
void ProductRegisters::State::join(const State &other) {
  if (groups.size() < other.groups.size())
    groups.insert(groups.begin(), other.groups.size() - groups.size(), {});
  const size_t before = groups.size() - other.groups.size();
  for (size_t i = 0; i < other.groups.size(); ++i)
    groups[before + i].insert(other.groups[i].begin(), other.groups[i].end());
  open.insert(other.open.begin(), other.open.end());
  fences.insert(other.fences.begin(), other.fences.end());
}

void ProductRegisters::block(const Block &b, State &state) {
  for (const Stmt &s : b.stmts)
    statement(s, state);
}

void ProductRegisters::statement(const Stmt &s, State &state) {
  if (auto *o = std::get_if<Wgmma>(&s.op)) {
    product(*o, state);
  } else if (std::holds_alternative<WgmmaFence>(s.op)) {
    named_[&s];
    state.fences = {&s};
  } else if (std::holds_alternative<WgmmaCommit>(s.op)) {
    state.groups.push_back(std::move(state.open));
    state.open.clear();
    if (state.groups.size() > mostGroups) {
      state.groups[1].insert(state.groups[0].begin(), state.groups[0].end());
      state.groups.erase(state.groups.begin());
    }
  } else if (auto *o = std::get_if<WgmmaWait>(&s.op)) {
    wait(s, o->pending, state);
  } else if (auto *o = std::get_if<If>(&s.op)) {
    State other = state;
    block(o->thenBlock, state);
    block(o->elseBlock, other);
    state.join(other);
  } else if (auto *o = std::get_if<For>(&s.op)) {
    State before;
    do {
      before = state;
      block(o->body, state);
      state.join(before);
    } while (before != state);
  } else if (auto *o = std::get_if<Role>(&s.op)) {
    State own;
    block(o->body, own);
  }
}

void ProductRegisters::product(const Wgmma &o, State &state) {
  for (const View *v : {&o.d, &o.a})
    if (program_.buffers[v->object].space == Space::reg) {
      state.open.insert(v->object);
      for (const Stmt *fence : state.fences)
        named_[fence].insert(v->object);
    }
}

void ProductRegisters::wait(const Stmt &s, int64_t pending, State &state) {
  std::set<int> &named = named_[&s];
  while (static_cast<int64_t>(state.groups.size()) > pending) {
    named.insert(state.groups.front().begin(), state.groups.front().end());
    state.groups.erase(state.groups.begin());
  }
}

} // namespace sluice::cuda
