#include "Explore/Unroller.h"

namespace sluice::explorer {

int32_t Unroller::flag(const FlagKey &key, const std::string &text, int32_t limit) {
  const auto [at, isNew] = flags_.try_emplace(key, static_cast<int32_t>(out_.flags.size()));
  if (isNew) {
    out_.flags.push_back(text);
    out_.flagLimit.push_back(limit);
  }
  return at->second;
}

int32_t Unroller::pipeFlag(Pipe source, Pipe destination, int64_t id) {
  const std::string from = std::string(name(source)), to = std::string(name(destination));
  if (id < 0 || id > 5) // static-tensor mode keeps 6 and 7
    out_.outOfBounds = "flag id " + std::to_string(id);
  return flag({coreName() + " " + from, to, id},
              "flag " + from + "->" + to + " id " + std::to_string(id), 1);
}

/// A core of the own block, or the own core.
std::string Unroller::coreName(const std::string &core) const {
  const int block = script_->cta / 3;
  return (block == 0 ? "" : "block " + std::to_string(block) + " ") +
         (core.empty() ? script_->id.core : core);
}

/// The cores of the own kind, of all blocks.
std::vector<std::string> Unroller::coresOfKind() const {
  std::set<std::string> names;
  for (const Script &s : out_.scripts)
    if (s.id.core.substr(0, 3) == script_->id.core.substr(0, 3))
      names.insert((s.cta < 3 ? "" : "block " + std::to_string(s.cta / 3) + " ") + s.id.core);
  return {names.begin(), names.end()};
}

int32_t Unroller::crossFlag(const std::string &from, const std::string &to, int64_t id) {
  if (id < 0 || id > 10)
    out_.outOfBounds = "cross-core flag id " + std::to_string(id);
  return flag({from, to, id}, "cross-core flag " + from + "->" + to + " id " + std::to_string(id),
              15);
}

void Unroller::operator()(const SetFlag &op) {
  action_->act = Act::setFlag;
  action_->objects = {pipeFlag(op.source, op.destination, value(op.id))};
}

void Unroller::operator()(const WaitFlag &op) {
  action_->act = Act::waitFlag;
  action_->objects = {pipeFlag(op.source, op.destination, value(op.id))};
}

void Unroller::operator()(const PipeBarrier &op) {
  action_->act = op.pipe == Pipe::all ? Act::allPipes : Act::pipeBarrier;
}

/// A lock waits for the unlocks in front of it. Those of its own pipe behind the last one of
/// another do not hold it up.
void Unroller::operator()(const Mutex &op) {
  const int64_t id = value(op.id);
  const std::string text = "mutex " + std::to_string(id);
  if (id < 0 || id > 27)
    out_.outOfBounds = text;
  Unlocks &unlocks = unlocks_[id];
  const bool locks = op.kind == Mutex::lock, own = op.pipe == script_->id.pipe;
  if (unlocks.holder != (locks ? Pipe::none : op.pipe))
    out_.mispaired = explorer::describe(*action_->stmt) + " of " + text;
  if (own) {
    action_->act = locks ? Act::lockMutex : Act::setFlag;
    action_->objects = {flag({script_->id.core, "mutex", id}, text, uncounted)};
    action_->count = unlocks.untilOthers;
  }
  unlocks.holder = locks ? op.pipe : Pipe::none;
  unlocks.all += !locks;
  if (!own && !locks)
    unlocks.untilOthers = unlocks.all;
}

void Unroller::operator()(const CrossSet &op) {
  action_->act = Act::setFlag;
  const std::string &from = script_->id.core;
  const int64_t id = value(op.id);
  if (op.mode == 0)
    return setForAll(id);
  std::vector<std::string> receivers{"aic"};
  if (from == "aic")
    receivers = {"aiv0", "aiv1"};
  else if (op.mode == 1)
    receivers = {from == "aiv0" ? "aiv1" : "aiv0"};
  for (const std::string &to : receivers)
    action_->objects.push_back(crossFlag(coreName(), coreName(to), id));
}

/// The flag of a core counts what all have set: as if each had one for each other core, and a wait
/// took one of every of them.
void Unroller::setForAll(int64_t id) {
  for (const std::string &to : coresOfKind())
    action_->objects.push_back(crossFlag(coreName(), to, id));
}

/// A wait of another pipe, where such a wait holds up no pipe but its own.
bool Unroller::passesBy(const Stmt &s) const {
  auto *wait = std::get_if<CrossWait>(&s.op);
  return wait && wait->pipe != script_->id.pipe && waitsHoldOnePipe_;
}

/// How many waits of the core it has gone past.
int32_t Unroller::scalarUnit() {
  return flag({coreName(), "scalar unit", 0}, "scalar unit", uncounted);
}

/// Where it holds up all pipes, each goes on once the scalar unit does.
void Unroller::operator()(const CrossWait &op) {
  ++waitsOfCore_;
  if (op.pipe != script_->id.pipe) {
    action_->act = Act::lockMutex;
    action_->objects = {scalarUnit()};
    action_->count = waitsOfCore_;
    return;
  }
  action_->act = Act::waitFlag;
  crossWaits_.push_back({number_, script_->actions.size(), value(op.id)});
  if (waitsHoldOnePipe_)
    return;
  script_->actions.push_back(*action_);
  action_->act = Act::setFlag;
  action_->objects = {scalarUnit()};
}

/// Of a product, and of a copy from L0C.
void Unroller::takeUnits(const View &tile, UnitsUse use) {
  const int64_t slot = value(tile.slot);
  const auto [at, isNew] =
      tiles_.try_emplace({tile.object, slot}, static_cast<int32_t>(out_.tiles.size()));
  if (isNew)
    out_.tiles.push_back(program_.buffers[tile.object].name + "[" + std::to_string(slot) + "]");
  use.tile = at->second;
  action_->units = use;
}

/// Whether all of a box lies in its tensor.
bool Unroller::endsInside(const View &box) const {
  for (size_t d = 0; d < box.shape.size(); ++d) {
    const int64_t from = value(box.offset[d]);
    if (from < 0 || from + box.shape[d] > launch_.tensors[box.object].extents[d])
      return false;
  }
  return box.clips.empty();
}

void Unroller::resolveCrossWaits() {
  for (const CrossWaitPlace &w : crossWaits_) {
    script_ = &out_.scripts[w.script];
    const std::string to = coreName();
    std::vector<int32_t> &flags = script_->actions[w.action].objects;
    const std::string peer = coreName(script_->id.core == "aiv0" ? "aiv1" : "aiv0");
    if (flags_.count({to, to, w.id})) // none but a meeting of all has a core set its own
      for (const std::string &from : coresOfKind())
        flags.push_back(crossFlag(from, to, w.id));
    else if (script_->id.core == "aic")
      flags = {crossFlag(coreName("aiv0"), to, w.id), crossFlag(coreName("aiv1"), to, w.id)};
    else
      flags = {crossFlag(flags_.count({peer, to, w.id}) ? peer : coreName("aic"), to, w.id)};
  }
}

} // namespace sluice::explorer
