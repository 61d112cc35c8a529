// What the calls of one operation of Ascend are held to (R50).
#pragma once

#include "Verify/Names.h"
#include "Verify/Structure.h"

namespace sluice {

/// One statement; the context has ranges.
class Calls {
public:
  Calls(const StructureContext &c, const Stmt &s) : c_(c), s_(s) {}

protected:
  const Program &program() const { return c_.program; }
  bool is950() const { return c_.program.target == Target::ascend950; }
  const Buffer &buffer(const View &v) const { return c_.program.buffers[v.object]; }
  Space spaceOf(const View &v) const {
    const Buffer *b = c_.program.buffer(v);
    return b ? b->space : Space::global;
  }
  void refuse(const std::string &why) const;
  /// `what`: "rows of x (repeatTime of ReduceRepeat)".
  void atMost(int64_t count, int64_t most, const std::string &what) const;
  /// The largest number of which the index is a multiple, as far as is known; 0: it is 0.
  int64_t multipleOf(const Index &i) const { return c_.ranges->of(i).multiple; }
  /// "row 8", "rows at multiples of 4, as far as is known,"
  std::string firstText(const View &v, size_t dimension) const;

private:
  const StructureContext &c_;
  const Stmt &s_;
};

/// Of the vector cores, and of copies between tensors and UB.
void checkVectorCalls(const StructureContext &c);

} // namespace sluice
