#include "Verify/WholeGrid.h"

#include "Verify/AccessPairs.h"
#include "Verify/TripCounts.h"

namespace sluice {
namespace {

/// Extents and arguments of the launch in the place of what asks for them.
class AtLaunch {
public:
  AtLaunch(const Program &program, const Launch &launch) : launch_(launch), program_(program) {
    for (size_t t = 0; t < program_.tensors.size(); ++t)
      program_.tensors[t].extents = launch.tensors[t].extents;
    program_.assumptions.clear(); // the launch keeps them
    block(program_.body);
  }
  Program take() { return std::move(program_); }

private:
  void block(Block &b) {
    for (Stmt &s : b.stmts)
      if (auto *scalar = std::get_if<Scalar>(&s.op)) {
        fix(*scalar);
      } else if (auto *loop = std::get_if<For>(&s.op)) {
        block(loop->body);
      } else if (auto *branch = std::get_if<If>(&s.op)) {
        block(branch->thenBlock);
        block(branch->elseBlock);
      } else if (auto *role = std::get_if<Role>(&s.op)) {
        block(role->body);
      }
  }

  void fix(Scalar &s) const {
    if (s.op == ScalarOp::dim)
      s = {ScalarOp::constant, s.result, {}, launch_.tensors[s.object].extents[s.imm]};
    else if (s.op == ScalarOp::argument)
      s = {ScalarOp::constant, s.result, {}, launch_.arguments[s.object]};
  }

  const Launch &launch_;
  Program program_;
};

} // namespace

std::optional<std::set<std::string>>
provenForWholeGrid(const Program &program, const Launch &launch, const CheckOptions &options) {
  const Program fixed = AtLaunch(program, launch).take();
  Context context(fixed, nullptr);
  context.strict = options.strict;
  context.deadline = options.until;
  TripLimits limits;
  limits.seconds = options.seconds;
  const TripProof proof = proveTripCounts(context, limits);
  if (proof.violation || proof.unsupported)
    return std::nullopt;
  const AccessForms::Units noUnits;
  if (!overlaps(fixed, noUnits, launch, context.movesWith, context.uncompared, context.terms.met,
                context.counters)
           .empty())
    return std::nullopt;
  return context.assumptions;
}

} // namespace sluice
