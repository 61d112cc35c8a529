#include "Plan/GemmProblem.h"

#include <algorithm>

namespace sluice {

GemmProblem swapped(const GemmProblem &p) {
  GemmProblem s = p;
  std::swap(s.M, s.N);
  std::swap(s.rowBytesA, s.rowBytesB);
  std::swap(s.packedA, s.packedB);
  s.aByColumns = !p.bByColumns;
  s.bByColumns = !p.aByColumns;
  return s;
}

bool isStoredByTma(const GemmProblem &problem, bool isSwapped) {
  constexpr int64_t bytes = 16;
  const int64_t columns = isSwapped ? problem.M : problem.N;
  return columns > 0 && columns * byteSize(problem.out) % bytes == 0;
}

double cyclesOfMemory(const GemmProblem &p, const Arch &arch) {
  const auto matrices = double(p.groups ? std::min(p.groups, p.M) : 1); // of groups with rows
  const double bytes = (p.packedA * double(p.M * p.K) + p.packedB * matrices * double(p.K * p.N)) *
                           double(byteSize(p.type)) +
                       double(p.M * p.N * byteSize(p.out));
  const double factors = p.block ? double((p.M + p.N) * p.K) / double(p.block) : 0;
  return (bytes + factors) / (arch.hbmBytesPerCycle * arch.cores);
}

Plan planEitherWay(const GemmProblem &problem, const GemmPlanning &plan) {
  constexpr int64_t few = 64; // rows that an instruction multiplies
  using Swap = GemmProblem::Swap;
  Plan planned;
  if (problem.swap != Swap::shall)
    planned = plan(problem, false);
  if (problem.swap == Swap::no || (problem.swap == Swap::may && problem.M >= few))
    return planned;
  const Plan other = plan(swapped(problem), true);
  planned.candidates.insert(planned.candidates.end(), other.candidates.begin(),
                            other.candidates.end());
  if (problem.swap == Swap::shall)
    planned.rejected = other.rejected;
  std::ranges::stable_sort(planned.candidates, {}, &PlanCandidate::cycles);
  return planned;
}

} // namespace sluice
