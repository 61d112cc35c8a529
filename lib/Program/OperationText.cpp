#include "Program/OperationText.h"

#include "Program/OperationFacts.h"

namespace sluice {

std::string barrierName(const Mbarrier &barrier, int64_t slot) {
  return barrier.slots == 1 ? barrier.name : barrier.name + "[" + std::to_string(slot) + "]";
}

std::string flagName(Pipe source, Pipe destination, int64_t id) {
  return "flag " + std::string(name(source)) + "->" + std::string(name(destination)) + " id " +
         std::to_string(id);
}

std::string mutexName(int64_t id) {
  return "mutex " + std::to_string(id);
}

namespace {
std::string nameOf(const Program &program, const View &view, const IndexValue &value) {
  if (view.kind == View::tensor)
    return program.tensors[view.object].name;
  const Buffer &b = program.buffers[view.object];
  return b.slots > 1 ? b.name + "[" + std::to_string(value(view.slot)) + "]" : b.name;
}

/// "W[0,3]": one element of a tensor.
std::string elementName(const Program &program, const View &view, const IndexValue &value) {
  std::string text = program.tensors[view.object].name + "[";
  for (size_t d = 0; d < view.offset.size(); ++d)
    text += (d ? "," : "") + std::to_string(value(view.offset[d]));
  return text + "]";
}

std::string barrierText(const Program &program, const BarrierDeed &deed, const IndexValue &value) {
  const Mbarrier &array = program.mbarriers[deed.barrier->object];
  const bool whole = deed.kind == BarrierDeed::init && deed.wholeArray;
  const std::string name = whole ? array.name : barrierName(array, value(deed.barrier->slot));
  const auto &remote = deed.barrier->remote;
  return remote ? name + " of CTA rank " + std::to_string(value(*remote)) : name;
}

std::string flagText(const FlagDeed &deed, const IndexValue &value) {
  const int64_t id = value(*deed.id);
  if (deed.mutex)
    return std::string(name(deed.source)) + " id " + std::to_string(id);
  return deed.cross ? std::to_string(id) : flagName(deed.source, deed.destination, id).substr(5);
}
} // namespace

std::string operationText(const Program &program, const Stmt &s, const IndexValue &value) {
  const OperationFacts facts = factsOf(s.op);
  const std::string text = std::string(facts.name) + " ";
  const auto named = [&](const View &v) { return nameOf(program, v, value); };
  const auto number = [&](const Index &i) { return std::to_string(value(i)); };
  if (auto *wait = std::get_if<MbarrierWait>(&s.op))
    return text + barrierText(program, facts.barrier, value) + " parity " +
           std::to_string(value(wait->parity) & 1);
  if (auto *test = std::get_if<MbarrierTest>(&s.op))
    return text + barrierText(program, facts.barrier, value) + " parity " +
           std::to_string(value(test->parity) & 1);
  if (facts.barrier.barrier && !facts.barrier.completes)
    return text + barrierText(program, facts.barrier, value);
  if (facts.flag.kind != FlagDeed::none)
    return text + flagText(facts.flag, value);
  if (facts.counter.counter)
    return text + elementName(program, *facts.counter.counter, value) + " " +
           number(*facts.counter.value);
  if (auto *o = std::get_if<TmaLoad>(&s.op))
    return text + named(o->destination);
  if (auto *o = std::get_if<ClcTryCancel>(&s.op))
    return text + named(o->response);
  if (auto *o = std::get_if<RemoteCopy>(&s.op))
    return text + named(o->source) + " to " + named(o->destination) + " of CTA rank " +
           number(*o->barrier.remote);
  if (facts.move)
    return text + named(*facts.move.source) + " to " + named(*facts.move.destination);
  if (const TileProduct &p = facts.product)
    return text + named(*p.a) + " " + named(*p.b) +
           (program.buffer(*p.d)->space == Space::reg ? "" : " to " + named(*p.d));
  if (facts.hint)
    return text + named(*facts.hint);
  const bool isGiven =
      std::holds_alternative<Fill>(s.op) || std::holds_alternative<ScalarWrite>(s.op);
  if (const auto &writes = facts.views.writes; !writes.empty() && !facts.ofTensorMemory)
    return text + (isGiven ? "" : "to ") + named(*writes[0]);
  if (std::holds_alternative<Print>(s.op) || std::holds_alternative<ScalarRead>(s.op))
    return text + named(*facts.views.reads[0]);
  if (facts.meeting.id)
    return text + number(*facts.meeting.id);
  return std::string(facts.name);
}

} // namespace sluice
