#include "Defaults.h"

#include "Program/Assumption.h"
#include "Verify/Unknowns.h"

#include <algorithm>

namespace sluice::tool {
namespace {

class Choice {
public:
  Choice(const Program &program, const std::vector<Scalar> &open, Launch &launch)
      : program_(program), open_(open), launch_(launch) {}

  /// One number after the other: of an assumption that is broken the one that leaves the fewest
  /// others broken. What was chosen for one may be chosen anew for another.
  void choose() {
    const Launch given = launch_;
    for (int tries = 0; tries < mostTries; ++tries) {
      const auto broken = std::ranges::find_if(program_.assumptions,
                                               [this](const Assumption &a) { return isBroken(a); });
      if (broken == program_.assumptions.end())
        return;
      if (!mend(*broken))
        break;
    }
    launch_ = given;
  }

private:
  struct Number {
    const Scalar *unknown = nullptr;
    int64_t value = 0;
  };

  bool isBroken(const Assumption &a) const {
    int64_t frame[maxLaunchScalars];
    evaluate(
        a.scalars, [this](const Scalar &s) { return numberOf(s, launch_); }, frame);
    return frame[a.scalars.size() - 1] == 0;
  }

  bool mend(const Assumption &a) {
    Number best;
    int64_t fewest = INT64_MAX;
    for (const Scalar &unknown : open_) {
      if (std::ranges::none_of(a.scalars,
                               [&](const Scalar &s) { return isUnknown(s) && isSame(s, unknown); }))
        continue;
      const int64_t before = numberOf(unknown, launch_);
      for (const int64_t value : candidates(a, unknown)) {
        setNumber(unknown, value, launch_);
        const int64_t broken = std::ranges::count_if(
            program_.assumptions, [this](const Assumption &other) { return isBroken(other); });
        if (!isBroken(a) && broken < fewest)
          best = {&unknown, value}, fewest = broken;
      }
      setNumber(unknown, before, launch_);
    }
    if (best.unknown)
      setNumber(*best.unknown, best.value, launch_);
    return best.unknown != nullptr;
  }

  /// Constants of the assumption and what else the launch has in it: a multiple as large as the
  /// number, themselves, those beside them, other multiples; then powers of two up and down.
  std::vector<int64_t> candidates(const Assumption &a, const Scalar &unknown) const {
    std::vector<int64_t> all;
    const int64_t from = std::max<int64_t>(numberOf(unknown, launch_), 1);
    for (const Scalar &s : a.scalars) {
      const bool other = isUnknown(s) && !isSame(s, unknown);
      const int64_t n = other ? numberOf(s, launch_) : s.op == ScalarOp::constant ? s.imm : 0;
      if (n <= 0 || n > largest)
        continue;
      all.insert(all.end(), {(from + n - 1) / n * n, n, n + 1, n - 1, n * from});
      for (int64_t times = 2; times <= 16; ++times)
        all.push_back(n * times);
    }
    for (int64_t up = from, down = from; up <= largest; up *= 2, down /= 2)
      all.insert(all.end(), {up, down});
    std::erase_if(all, [](int64_t value) { return value < 1 || value > largest; });
    return all;
  }

  static constexpr int mostTries = 32;
  static constexpr int64_t largest = 1 << 20;
  const Program &program_;
  const std::vector<Scalar> &open_;
  Launch &launch_;
};

} // namespace

void keepAssumptions(const Program &program, const std::vector<Scalar> &open, Launch &launch) {
  Choice(program, open, launch).choose();
}

} // namespace sluice::tool
