#include "Diagnose/Causes.h"

#include "Diagnose/Recorded.h"

namespace sluice {
namespace {

std::optional<Reason> causeOf(const Recorded &run, const Violation &violation) {
  const std::string &rule = violation.rule;
  if (rule == "R4" || rule == "R5")
    return run.causeOfPhases(rule);
  if (rule == "R21" || rule == "R22" || rule == "R28")
    return run.causeBehindWait();
  // Where a part of the phase has come, what is missing of it is the cause.
  const bool partial = violation.counts && violation.counts->arrivals > 0;
  return rule == "R9" && !partial ? run.causeOfDeadlock() : std::nullopt;
}

/// Puts the reason before the fix.
void add(const Reason &reason, Violation &violation) {
  const size_t at =
      violation.fix.empty() ? std::string::npos : violation.message.rfind(violation.fix);
  if (at == std::string::npos)
    return;
  const std::string fix = reason.fix.empty() ? violation.fix : reason.fix;
  violation.message.replace(at, violation.fix.size(), reason.because + ". " + fix);
  violation.fix = fix;
}

} // namespace

void nameCause(Violation &violation, const Program &program, const Journal &journal,
               const Offence &offence) {
  if (const auto reason = causeOf(Recorded(program, journal, offence), violation))
    add(*reason, violation);
}

} // namespace sluice
