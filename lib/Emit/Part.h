// What the parts of every printer have in common: the program, the text that is written, and the
// words that a target writes its own way.
#pragma once

#include "Emit/Emit.h"
#include "Emit/Text.h"
#include "Program/Ranges.h"

#include <optional>
#include <string>

namespace sluice::emit {

struct State {
  State(const Program &theProgram, const EmitOptions &theOptions, Names theNames)
      : program(theProgram), ranges(theProgram), options(theOptions), names(std::move(theNames)) {}

  const Program &program;
  const Ranges ranges;
  EmitOptions options;
  Names names;
  Text *out = nullptr;
  std::optional<Error> error;
  Location at; // of the statement in hand
};

/// What differs between the targets: statements that are no arithmetic, loop or branch, and the
/// values that the machine has.
class Dialect {
public:
  /// Prints a block, as FlowPrinter does, and keeps what its statements say to itself.
  virtual void block(const Block &b) = 0;
  /// Prints the statement at `at`, perhaps with some that follow; yields the index after them.
  virtual size_t statements(const Block &b, size_t at) = 0;
  /// A scalar that is neither arithmetic nor of a ring: an extent, an argument, who executes.
  virtual std::string machineValue(const Scalar &s) = 0;
  /// Stands at the head of each round of a loop.
  virtual void round(const Block &) {}
  /// What follows is for all who execute the block.
  virtual void closeGuard() {}

protected:
  ~Dialect() = default;
};

class Part {
public:
  explicit Part(State &state)
      : state_(state), program_(state.program), ranges_(state.ranges), options_(state.options),
        names_(state.names), out_(state.out), at_(state.at) {}
  Part(const Part &) = delete;

protected:
  ~Part() = default;

  Text &out() { return *out_; }
  void fail(const std::string &message) {
    if (!failed())
      state_.error = unsupportedError("kernel " + program_.name + ": " + message, at_);
  }
  bool failed() const { return state_.error.has_value(); }
  /// What the program calls a value; may be empty.
  std::string nameOf(ValueId v) const {
    return v < int(program_.valueNames.size()) ? program_.valueNames[v] : "";
  }

  State &state_;
  const Program &program_;
  const Ranges &ranges_;
  const EmitOptions &options_;
  Names &names_;
  Text *&out_;
  Location &at_;
};

std::string number(int64_t n);

} // namespace sluice::emit
