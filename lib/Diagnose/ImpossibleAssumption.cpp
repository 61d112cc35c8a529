#include "Diagnose/Check.h"

#include "Verify/Guard.h"
#include "Verify/TripCounts.h"

namespace sluice {
namespace {

/// Whether a warp of a kernel that does nothing else comes to its only operation.
bool someLaunchKeeps(const Program &program, std::vector<Assumption> assumptions) {
  Program p;
  p.tensors = program.tensors;
  p.arguments = program.arguments;
  p.assumptions = std::move(assumptions);
  p.warps = 1;
  p.body.stmts.push_back({WarpSync{}, Exec::threads, Pipe::none, {}});
  const std::optional<Guard> guard = guarded(p);
  if (!guard)
    return true;
  Context context(guard->program, nullptr);
  return proveTripCounts(context).events > 0;
}

} // namespace

std::optional<Error> impossibleAssumption(const Program &program) {
  std::vector<Assumption> before;
  for (const Assumption &a : program.assumptions) {
    const bool alone = !someLaunchKeeps(program, {a});
    before.push_back(a);
    if (alone || !someLaunchKeeps(program, before))
      return inputError("kernel " + program.name + " assumes \"" + a.text +
                            "\", which no launch keeps" +
                            (alone ? "" : " beside what it assumes before"),
                        a.loc);
  }
  return std::nullopt;
}

} // namespace sluice
