// The origin of tiles in a canonical run: whether the operands of a sum belong together (R28).
#pragma once

#include "Verify/RunPart.h"

#include <map>
#include <set>
#include <tuple>

namespace sluice {

class RunOrigin : public RunPart {
public:
  using RunPart::RunPart;

  int64_t tagAfterCopy(Actor &a, const View &to, const View &from, int cta);
  int64_t tagIn(Actor &a, const View &view, int cta);
  void assumeInStep(const Actor &a, const Stmt &s);
  template <typename Product> // Wgmma, Mmad, Tcgen05Mma
  bool belongTogether(Actor &a, const Stmt &s, const Product &op, bool accumulates);
  bool inStepWithPeer(Actor &a, const Stmt &s, const Tcgen05Mma &op);           // RunPairs.cpp
  bool factorsInStep(Actor &a, const Stmt &s, const Tcgen05Mma &op, bool adds); // RunFactors.cpp

private:
  friend class NormalForm;

  struct Distance {
    int64_t value;
    int tensorA, dimensionA, tensorB, dimensionB; // along K
    Affine at;                                    // where A was last
    int32_t place = TilePlaces::none;             // the same
    bool alike = true;                            // A and B are counted from one place
    bool told = true;                             // normal forms tell the value
    int direction = 0;                            // in which the sum goes along K; 0: unknown
  };

  bool belongTogether(Actor &a, const Stmt &s, const View &d, const View &left, const View &right,
                      bool accumulates);
  struct FactorsOf; // of a product: of A or of B
  std::set<int64_t> tagsIn(Actor &a, const View &view, int cta);
  std::optional<Distance> fromFactors(Actor &a, const FactorsOf &what, int cta,
                                      int64_t tagOfFactors);
  bool inStepIn(Actor &a, const Stmt &s, const Tcgen05Mma &op, const FactorsOf &of, int cta,
                bool &begins);
  void isOfAnotherStep(Actor &a, const Stmt &s, const FactorsOf &of, const Distance &before,
                       const Distance &now, bool pair);
  void beginSum(const Actor &a, const View &d);
  bool continuesSum(Actor &a, const View &d);
  int64_t tagOfParts(const Actor &a, int64_t front, int64_t back);

  std::map<std::tuple<int32_t, const Stmt *, int64_t, int, int>, Distance> distances_;
};

} // namespace sluice
