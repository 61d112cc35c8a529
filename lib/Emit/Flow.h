// Blocks, loops and branches, and the values that loops carry.
#pragma once

#include "Emit/Scalars.h"

namespace sluice::emit {

class FlowPrinter : public Part {
public:
  FlowPrinter(State &state, Dialect &target, ScalarPrinter &scalars)
      : Part(state), target_(target), scalars_(scalars) {}

  void block(const Block &b);
  void loop(const For &f);
  void branch(const If &i);

private:
  void head(const For &f, const std::string &iv);
  void tail(const For &f, const std::vector<size_t> &live);

  Dialect &target_;
  ScalarPrinter &scalars_;
};

} // namespace sluice::emit
