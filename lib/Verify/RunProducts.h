// Where a canonical run stores products: whether the operands were brought in again for each tile
// (R28).
#pragma once

#include "Verify/RunPart.h"

#include <array>
#include <map>
#include <tuple>

namespace sluice {

class RunProducts : public RunPart {
public:
  using RunPart::RunPart;

  void markProduct(Actor &a, const Stmt &s, const Mmad &op);
  Step storeProduct(Actor &a, const Stmt &s, const Copy &op);
  void broughtIn(int tensor, const Affine (&at)[2], const int64_t (&extents)[2]);

private:
  friend class NormalForm;

  /// What a store has written last: distances of D's rows from A's and of its columns from B's, and
  /// of A from B along K.
  struct Stored {
    Product product;
    std::array<int64_t, 2> distance;
    int64_t alongK;
    std::array<std::optional<int64_t>, 2> told; // the distances, where normal forms tell them
    std::array<bool, 2> again;                  // the operand's tile has been loaded again since
    bool roams; // the distances have changed: nothing follows from them
  };

  int64_t productOf(Actor &a, const Mmad &op);
  int64_t productIn(Actor &a, const Stmt &s, const View &view);
  std::optional<Stored> storedFrom(const Actor &a, const Stmt &s, const Copy &op, const Product &p);
  static bool isToldInStep(const Stored &before, const Stored &now, int side);

  std::map<std::tuple<int32_t, const Stmt *, int>, Stored> stored_; // (actor, store, tensor)
};

} // namespace sluice
