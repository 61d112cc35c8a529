// Which register tiles the fences of products and the waits for them name in printed code, so that
// the compiler moves no use of theirs across: a fence those of the products behind it, a wait those
// of the groups that it may end. A tile named without need would stay in registers up to there.
#pragma once

#include "Program/Program.h"

#include <map>
#include <set>
#include <vector>

namespace sluice::cuda {

class ProductRegisters {
public:
  explicit ProductRegisters(const Program &program);

  /// Buffers, of a wgmma.fence or wgmma.wait of the program.
  const std::set<int> &of(const Stmt &s) const { return named_.at(&s); }

private:
  /// What may be under way at a place.
  struct State {
    std::vector<std::set<int>> groups; // that are committed, the oldest first
    std::set<int> open;                // of products behind the last commit
    std::set<const Stmt *> fences;     // that the products before and the next ones stand behind
    void join(const State &other);
    bool operator==(const State &) const = default;
  };

  void block(const Block &b, State &state);
  void statement(const Stmt &s, State &state);
  void product(const Wgmma &o, State &state);
  void wait(const Stmt &s, int64_t pending, State &state);

  const Program &program_;
  std::map<const Stmt *, std::set<int>> named_;
};

} // namespace sluice::cuda
