// What the parts of the printer have in common: the program, the text that is written, and the
// words that every part needs. Each part keeps what one kind of statement leaves behind.
#pragma once

#include "Emit/Part.h"

#include <string>
#include <vector>

namespace sluice::cuda {

using namespace emit;

/// Nothing that is added to a coordinate of a tile, or taken from an extent, leaves 32 bits.
constexpr int64_t leastCoordinate = -(1 << 19);

struct PrinterParts;

struct PrinterState : State {
  PrinterState(const Program &theProgram, const EmitOptions &theOptions);

  const Role *role = nullptr;
  std::vector<std::string> bufferNames, tileNames, barrierNames;
};

class PrinterPart : public Part {
public:
  PrinterPart(PrinterState &state, PrinterParts &parts);

protected:
  ~PrinterPart() = default;

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

  const Role *&role_;
  std::vector<std::string> &bufferNames_, &tileNames_, &barrierNames_;
  PrinterParts &parts_;
};

/// What elements of this type are called in memory.
std::string typeName(DType type);

} // namespace sluice::cuda
