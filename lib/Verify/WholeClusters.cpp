#include "Verify/WholeClusters.h"

#include <algorithm>
#include <numeric>

namespace sluice {
namespace {

/// A number that divides each scalar in front of the grid, at every launch; 0 divides 0 alone.
class Divisors {
public:
  explicit Divisors(const Program &program)
      : program_(program), divisors_(size_t(program.values), 1) {}

  void follow(const Scalar &s) { divisors_[size_t(s.result)] = divisorOf(s); }
  int64_t of(ValueId v) const { return divisors_[size_t(v)]; }

private:
  int64_t divisorOf(const Scalar &s) const {
    const auto operand = [&](size_t i) { return of(s.operands[i]); };
    switch (s.op) {
    case ScalarOp::constant:
      return s.imm;
    case ScalarOp::dim:
      return fixedExtent(s);
    case ScalarOp::mul:
      return product(operand(0), operand(1));
    case ScalarOp::add:
      if (s.operands[0] == s.operands[1])
        return product(2, operand(0));
      [[fallthrough]];
    case ScalarOp::sub:
    case ScalarOp::minS:
    case ScalarOp::maxS:
      return std::gcd(operand(0), operand(1));
    case ScalarOp::select:
      return std::gcd(operand(1), operand(2));
    default:
      return 1;
    }
  }

  int64_t fixedExtent(const Scalar &dim) const {
    const std::vector<int64_t> &extents = program_.tensors[size_t(dim.object)].extents;
    const bool fixed = dim.imm < int64_t(extents.size()) && extents[size_t(dim.imm)] >= 0;
    return fixed ? extents[size_t(dim.imm)] : 1;
  }

  /// Of factors beyond any cluster one alone is kept.
  static int64_t product(int64_t a, int64_t b) {
    constexpr int64_t most = int64_t{1} << 31;
    return std::abs(a) < most && std::abs(b) < most ? a * b : a;
  }

  const Program &program_;
  std::vector<int64_t> divisors_;
};

} // namespace

std::vector<std::string> assumedWholeClusters(const Program &program) {
  std::vector<std::string> texts;
  Divisors divisors(program);
  for (const Stmt &s : program.body.stmts) {
    if (auto *scalar = std::get_if<Scalar>(&s.op))
      divisors.follow(*scalar);
    auto *grid = std::get_if<Grid>(&s.op);
    for (size_t d = 0; grid && d < std::min<size_t>(grid->extents.size(), 3); ++d)
      if (divisors.of(grid->extents[d]) % program.cluster[d] != 0)
        texts.push_back("whole-clusters: the grid has a multiple of " +
                        std::to_string(program.cluster[d]) + " CTAs in dimension " +
                        std::to_string(d) + " (checked at launch)");
  }
  return texts;
}

} // namespace sluice
