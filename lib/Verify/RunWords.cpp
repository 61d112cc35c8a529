// What a run has met, in as many words as a verdict needs; lib/Diagnose has more.
#include "Verify/Names.h"
#include "Verify/Run.h"

namespace sluice {

void RunPart::about(const Access &earlier, std::string does) {
  offence_ = {Offence::plain, eventOf(earlier), std::move(does), "", {}};
}

std::string RunPart::what(const Actor &a, const Stmt &s) const {
  return operationName(s.op) + " of " + nameOf(a.index, s) + place(s.loc);
}

std::string RunPart::what(const Access &access) const {
  return what(actors_[access.actor], *access.stmt);
}

std::string RunPart::what(const BarrierEvent &event) const {
  return what(actors_[event.actor], *event.stmt);
}

std::string slotName(const Buffer &buffer, Interval bytes) {
  if (buffer.slots <= 1 || buffer.slotBytes <= 0)
    return buffer.name;
  return buffer.name + "[" + std::to_string(slotOfByte(buffer, bytes.begin)) + "]";
}

std::string RunPart::slotsOf(const Buffer &buffer, Interval bytes, int peer) const {
  if (buffer.space == Space::reg)
    return "registers of " + buffer.name;
  std::string text = slotName(buffer, bytes);
  if (peer >= 0)
    text += " of CTA " + coordinates(program_, ctas_[peer]) + ", rank " + std::to_string(peer);
  return text + " (" + spaceName(buffer.space) + " bytes " + std::to_string(bytes.begin) + " to " +
         std::to_string(bytes.end - 1) + ")";
}

RunPart::Step CanonicalRun::race(const Buffer &buffer, const Cell &cell, const Access &first,
                                 bool firstWrites, const Access &second, bool secondWrites) {
  const std::string bytes = slotsOf(buffer, cell.bytes);
  offence_ = {Offence::overlap, eventOf(first),
              (firstWrites ? "may still write " : "may still read ") + bytes,
              (secondWrites ? "writes " : "reads ") + bytes, eventOf(second)};
  return refuse("R22",
                what(second) + " " + offence_.does + " while " + what(first) + " " +
                    (firstWrites ? "may still write it" : "may still read it") +
                    ": nothing orders the two",
                *second.stmt, buffer.name);
}

Violation CanonicalRun::deadlock() {
  Violation v{"R9", "deadlock", {}, "", {}};
  for (const Actor &a : actors_)
    if (!a.done && v.location.line == 0) {
      v.location = a.agent.current()->loc;
      v.message += ": " + what(a, *a.agent.current()) + " waits for ever";
    }
  return v;
}

} // namespace sluice
