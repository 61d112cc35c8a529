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
  return flag({script_->id.core + " " + from, to, id},
              "flag " + from + "->" + to + " id " + std::to_string(id), 1);
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

void Unroller::operator()(const CrossSet &op) {
  action_->act = Act::setFlag;
  const std::string &from = script_->id.core;
  const int64_t id = value(op.id);
  std::vector<std::string> receivers{"aic"};
  if (from == "aic")
    receivers = {"aiv0", "aiv1"};
  else if (op.mode == 1)
    receivers = {from == "aiv0" ? "aiv1" : "aiv0"};
  for (const std::string &to : receivers)
    action_->objects.push_back(crossFlag(from, to, id));
}

void Unroller::operator()(const CrossWait &op) {
  action_->act = Act::waitFlag;
  crossWaits_.push_back({number_, script_->actions.size(), value(op.id)});
}

void Unroller::resolveCrossWaits() {
  for (const CrossWaitPlace &w : crossWaits_) {
    script_ = &out_.scripts[w.script];
    const std::string &to = script_->id.core;
    std::vector<int32_t> &flags = script_->actions[w.action].objects;
    const std::string peer = to == "aiv0" ? "aiv1" : "aiv0";
    if (to == "aic")
      flags = {crossFlag("aiv0", to, w.id), crossFlag("aiv1", to, w.id)};
    else
      flags = {crossFlag(flags_.count({peer, to, w.id}) ? peer : "aic", to, w.id)};
  }
}

} // namespace sluice::explorer
