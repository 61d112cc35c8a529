#include "Proof.h"

#include "Verify/Verify.h"

namespace sluice::tool {

std::optional<Error> unproven(const Loaded &loaded) {
  Verdict verdict = check(loaded.program, *loaded.arch, loaded.launch);
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
