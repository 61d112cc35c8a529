#include "Proof.h"

namespace sluice::tool {

std::optional<Error> unproven(const Loaded &loaded) {
  return unproven(loaded, check(loaded.program, *loaded.arch, loaded.launch));
}

std::optional<Error> unproven(const Loaded &loaded, const Verdict &verdict) {
  std::string start = "kernel '" + loaded.program.name + "' is not proven: ";
  switch (verdict.kind) {
  case Verdict::proven:
    return {};
  case Verdict::violated: {
    const Violation &first = verdict.violations.front();
    return Error{Error::input, start + first.rule + ": " + first.message, first.location};
  }
  case Verdict::unsupported:
    return unsupportedError(start +
                            (verdict.notes.empty() ? verdict.tripCounts : verdict.notes.front()));
  }
  return {};
}

} // namespace sluice::tool
