// R51: what MTE1 turns on its way from L1 to L0A and L0B comes in whole squares.
#include "Program/Fractals.h"
#include "Program/OperationFacts.h"
#include "Verify/Names.h"
#include "Verify/Structure.h"

namespace sluice {
namespace {

class Turn {
public:
  Turn(const StructureContext &c, const Ranges &ranges, const Copy &op, const Location &loc)
      : c_(c), ranges_(ranges), loc_(loc), from_(*c.program.buffer(op.source)),
        side_(sideOfSquare(from_.type)) {
    tile(op.source);
    box(op.source);
    box(op.destination);
    if (c.program.target == Target::ascend910b)
      order();
  }

private:
  void refuse(const std::string &what) {
    c_.refuse("R51",
              "copy" + place(loc_) + " turns " + from_.name + ", of " +
                  std::string(name(from_.type)) + ", by squares of " + std::to_string(side_) +
                  " x " + std::to_string(side_) + what,
              loc_);
  }
  void tile(const View &v) {
    if (from_.shape[0] % side_ || from_.shape[1] % side_)
      refuse("; the tile has " + std::to_string(from_.shape[0]) + " x " +
             std::to_string(from_.shape[1]));
    else if (v.rows() % side_ || v.cols() % side_)
      refuse("; the part has " + shapeText(v));
  }
  void box(const View &v) {
    for (const Index &at : v.offset)
      if (ranges_.of(at).multiple % side_)
        return refuse(", and its part of " + c_.program.buffer(v)->name +
                      " need not begin where one does");
  }
  /// Two fractals of a square: of 8 bits beside the lines, of 32 bits along them.
  void order() {
    const bool along = byteSize(from_.type) == 4;
    if (fractalSteps(from_)[along != linesAreUpright(from_.layout)] != 1)
      refuse("; in layout " + std::string(name(from_.layout)) +
             " the two fractals of one do not lie one behind the other; in " +
             (along ? "zZ and nN" : "zN and nZ") + " they do");
  }

  const StructureContext &c_;
  const Ranges &ranges_;
  const Location &loc_;
  const Buffer &from_;
  const int64_t side_;
};

} // namespace

void checkTurns(const StructureContext &c) {
  std::vector<const Stmt *> turned;
  walk(c.program.body, [&](const Stmt &s) {
    if (auto *copy = std::get_if<Copy>(&s.op); copy && turnsFractals(c.program, *copy))
      turned.push_back(&s);
  });
  if (turned.empty())
    return;
  const Ranges ranges(c.program);
  for (const Stmt *s : turned)
    Turn(c, ranges, std::get<Copy>(s->op), s->loc);
}

} // namespace sluice
