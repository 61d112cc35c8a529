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
  if (auto *o = std::get_if<TmaLoad>(&s.op))
    return text + named(o->destination);
  if (auto *o = std::get_if<TmaStore>(&s.op))
    return text + named(o->source) + " to " + named(o->destination);
  if (auto *o = std::get_if<Copy>(&s.op))
    return text + named(o->source) + " to " + named(o->destination);
  if (auto *o = std::get_if<Print>(&s.op))
    return text + named(o->source);
  if (auto *o = std::get_if<Prefetch>(&s.op))
    return text + named(o->source);
  if (auto *o = std::get_if<Fill>(&s.op))
    return text + named(o->destination);
  if (auto *o = std::get_if<ScalarRead>(&s.op))
    return text + named(o->source);
  if (auto *o = std::get_if<ClcTryCancel>(&s.op))
    return text + named(o->response);
  if (auto *o = std::get_if<ScalarWrite>(&s.op))
    return text + named(o->destination);
  if (auto *o = std::get_if<RemoteCopy>(&s.op))
    return text + named(o->source) + " to " + named(o->destination) + " of CTA rank " +
           number(*o->barrier.remote);
  if (auto *o = std::get_if<Wgmma>(&s.op))
    return text + named(o->a) + " " + named(o->b);
  if (auto *o = std::get_if<Tcgen05Mma>(&s.op))
    return text + named(o->a) + " " + named(o->b) + " to " + named(o->d);
  if (auto *o = std::get_if<TmemLoad>(&s.op))
    return text + named(o->source) + " to " + named(o->destination);
  if (auto *o = std::get_if<TmemStore>(&s.op))
    return text + named(o->source) + " to " + named(o->destination);
  if (auto *o = std::get_if<Mmad>(&s.op))
    return text + named(o->a) + " " + named(o->b) + " to " + named(o->d);
  if (auto *o = std::get_if<Map>(&s.op))
    return text + "to " + named(o->outs[0]);
  if (auto *o = std::get_if<Reduce>(&s.op))
    return text + "to " + named(o->out);
  if (auto *o = std::get_if<Raw>(&s.op); o && !o->writes.empty())
    return text + "to " + named(o->writes[0]);
  if (auto *o = std::get_if<CounterAdd>(&s.op))
    return text + elementName(program, o->counter, value) + " " + number(o->value);
  if (auto *o = std::get_if<CounterWait>(&s.op))
    return text + elementName(program, o->counter, value) + " " + number(o->value);
  if (auto *o = std::get_if<NamedBarrier>(&s.op))
    return text + number(o->id);
  return std::string(facts.name);
}

} // namespace sluice
