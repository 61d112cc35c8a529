#include "Ascend/ExpectedNotes.h"

#include "Program/Agent.h"
#include "Program/LayoutMap.h"
#include "Program/VectorForms.h"

#include <algorithm>

namespace sluice::test {
namespace {

class Expected {
public:
  Expected(const Program &program, const Launch &launch, const AgentId &id)
      : program_(program), launch_(launch), agent_(program, launch, id), pipe_(id.pipe) {}

  std::vector<std::string> all() {
    for (const Stmt *s = agent_.current(); s; agent_.advance(), s = agent_.current())
      add(note(s->op));
    add("barrier ALL"); // with which every text ends
    return notes_;
  }

private:
  void add(const std::string &note) {
    if (!note.empty() && (notes_.empty() || notes_.back() != note))
      notes_.push_back(note);
  }
  std::string note(const Operation &op) const {
    if (auto *set = std::get_if<SetFlag>(&op))
      return flag("set ", set->source, set->destination, set->id);
    if (auto *wait = std::get_if<WaitFlag>(&op))
      return flag("wait ", wait->source, wait->destination, wait->id);
    if (auto *set = std::get_if<CrossSet>(&op))
      return (set->mode == 0 ? "tell all " : "tell ") + std::to_string(agent_.value(set->id));
    if (auto *wait = std::get_if<CrossWait>(&op))
      return "hear " + std::to_string(agent_.value(wait->id));
    if (auto *barrier = std::get_if<PipeBarrier>(&op))
      return "barrier " + std::string(name(barrier->pipe));
    if (auto *mmad = std::get_if<Mmad>(&op))
      return "mmad " + part(mmad->d) + " " + part(mmad->a) + " " + part(mmad->b) +
             units(int(mmad->units));
    if (auto *copy = std::get_if<Copy>(&op))
      return ofCopy(*copy);
    if (auto *fold = std::get_if<Reduce>(&op))
      return "v " + tile(fold->out) + " " + tile(fold->in);
    if (auto *map = std::get_if<Map>(&op))
      return ofMap(*map);
    return "";
  }
  std::string flag(const char *deed, Pipe from, Pipe to, const Index &id) const {
    return deed + std::string(name(from)) + "_" + std::string(name(to)) + " id " +
           std::to_string(agent_.value(id));
  }
  static std::string units(int unitFlag) {
    return unitFlag ? " units " + std::to_string(unitFlag) : "";
  }
  /// Rows that all lie behind the tensor: there is no call.
  bool isOutside(const View &tensor, const View &tile) const {
    if (tensor.kind != View::tensor || program_.buffers[tile.object].space != Space::ub)
      return false;
    for (size_t d = 0; d < tensor.offset.size(); ++d)
      if (agent_.value(tensor.offset[d]) >= launch_.tensors[tensor.object].extents[d])
        return true;
    return false;
  }
  std::string ofCopy(const Copy &copy) const {
    if (isOutside(copy.source, copy.destination) || isOutside(copy.destination, copy.source))
      return "";
    if (copy.source.kind == View::tensor)
      return "load " + tile(copy.destination);
    if (copy.destination.kind == View::tensor)
      return "store " + tile(copy.source) + units(copy.byUnits ? 3 : 0);
    return "copy " + tile(copy.source) + " to " + tile(copy.destination);
  }
  /// Duplicate is not noted.
  std::string ofMap(const Map &map) const {
    const auto kind = vectorForm(program_, map)->kind;
    if (kind == VectorForm::fill || kind == VectorForm::numbers || kind == VectorForm::columns ||
        kind == VectorForm::rows)
      return "";
    std::string note = "v " + tile(map.outs[0]);
    for (const View &in : map.ins)
      note += " " + tile(in);
    return note;
  }
  std::string tile(const View &v) const {
    return program_.buffers[v.object].name + "[" + std::to_string(agent_.value(v.slot)) + "]";
  }
  /// With the bytes in front of it in its slot, of whole rows of fractals.
  std::string part(const View &v) const {
    const Buffer &b = program_.buffers[v.object];
    const int64_t bytes = agent_.value(v.offset[0]) * b.shape[1] * byteSize(b.type);
    return tile(v) + (bytes ? "+" + std::to_string(bytes) : "");
  }

  const Program &program_;
  const Launch &launch_;
  Agent agent_;
  Pipe pipe_;
  std::vector<std::string> notes_;
};

} // namespace

std::vector<std::string> expectedNotes(const Program &program, const Launch &launch,
                                       const PipeOfCore &which) {
  AgentId id;
  id.cta = {which.block, 0, 0};
  id.core = which.core;
  id.warp = which.core == "aiv1";
  id.pipe = which.pipe;
  return Expected(program, launch, id).all();
}

std::vector<std::string> ownNotes(const std::vector<std::string> &notes,
                                  const std::vector<std::string> &expected) {
  std::vector<std::string> own;
  for (const std::string &note : notes)
    if (!note.starts_with("hear ") || std::ranges::find(expected, note) != expected.end())
      own.push_back(note);
  return own;
}

} // namespace sluice::test
