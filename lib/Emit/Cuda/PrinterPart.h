// What the parts of the printer have in common: the program, the text that is written, and the
// words that every part needs. Each part keeps what one kind of statement leaves behind.
#pragma once

#include "Emit/Cuda/Text.h"
#include "Emit/Emit.h"
#include "Program/Ranges.h"

#include <optional>
#include <string>
#include <vector>

namespace sluice::cuda {

/// Nothing that is added to a coordinate of a tile, or taken from an extent, leaves 32 bits.
constexpr int64_t leastCoordinate = -(1 << 19);

struct PrinterParts;

struct PrinterState {
  PrinterState(const Program &theProgram, const EmitOptions &theOptions)
      : program(theProgram), ranges(theProgram), options(theOptions) {
    options.syncIds |= options.watchdog > 0;
  }

  const Program &program;
  const Ranges ranges;
  EmitOptions options;
  Names names;
  Text *out = nullptr;
  std::optional<Error> error;
  Location at; // of the statement in hand
  const Role *role = nullptr;
  std::vector<std::string> bufferNames, tileNames, barrierNames;
};

class PrinterPart {
public:
  PrinterPart(PrinterState &state, PrinterParts &parts);
  PrinterPart(const PrinterPart &) = delete;

protected:
  ~PrinterPart() = default;

  Text &out() { return *out_; }
  void fail(const std::string &message);
  bool failed() const { return state_.error.has_value(); }
  int warps() const { return role_ ? role_->warps : program_.warps; }
  std::string warp();   // name of the variable with the warp of the role
  std::string thread(); // thread of the role
  // As Scalars.h has them.
  std::string text(ValueId v);
  std::string text(const Index &i);
  std::string exact(const Index &i);
  std::string coordinate(const Index &i, int64_t least);
  std::string factor(const Index &i);
  std::string condition(const Index &i);
  int64_t divisor(const Index &i) const;

  PrinterState &state_;
  const Program &program_;
  const Ranges &ranges_;
  const EmitOptions &options_;
  Names &names_;
  Text *&out_;
  Location &at_;
  const Role *&role_;
  std::vector<std::string> &bufferNames_, &tileNames_, &barrierNames_;
  PrinterParts &parts_;
};

std::string number(int64_t n);
/// What elements of this type are called in memory.
std::string typeName(DType type);

} // namespace sluice::cuda
