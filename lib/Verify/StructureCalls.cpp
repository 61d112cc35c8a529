// R50 of the cube cores: a copy or product is one call of the basic API, or one for each row of
// fractals, and calls have limits. Those of the vector cores are in StructureVectorCalls.cpp.
#include "Verify/StructureCalls.h"

#include "Arch/Limits.h"
#include "Program/Blocks.h"
#include "Program/Fractals.h"

#include <array>

namespace sluice {

void Calls::refuse(const std::string &why) const {
  c_.refuse("R50", operationName(s_.op) + place(s_.loc) + ": " + why, s_.loc);
}

void Calls::atMost(int64_t count, int64_t most, const std::string &what) const {
  if (count > most)
    refuse(std::to_string(count) + " " + what + "; a call takes at most " + std::to_string(most));
}

std::string Calls::firstText(const View &v, size_t dimension) const {
  const Index &at = v.offset[dimension];
  const std::string name = dimension == 0 ? "row" : "column";
  return at.isConstant() ? name + " " + std::to_string(at.constant)
                         : name + "s at multiples of " + std::to_string(multipleOf(at)) +
                               ", as far as is known,";
}

namespace {

class CubeCalls : public Calls {
public:
  using Calls::Calls;

  void copy(const Copy &op) const {
    const Space from = spaceOf(op.source), to = spaceOf(op.destination);
    if (to == Space::l0a || to == Space::l0b)
      loadFractals(op);
    else if (from == Space::l0c)
      fix(op.source, to == Space::global);
    else if (to == Space::l1 && (from == Space::global || from == Space::ub))
      loadTile(op.destination);
  }

  void multiply(const Mmad &op) const {
    if (spaceOf(op.a) != Space::l0a || spaceOf(op.b) != Space::l0b || spaceOf(op.d) != Space::l0c)
      return; // R29
    atMost(op.d.rows(), mostOfMmad, "rows (m of Mmad)");
    atMost(op.d.cols(), mostOfMmad, "columns (n of Mmad)");
    atMost(op.a.cols(), mostOfMmad, "numbers for each sum (k of Mmad)");
    const Buffer &d = buffer(op.d);
    if (d.offset % startOfSums || (d.slots > 1 && d.slotBytes % startOfSums))
      refuse("sums in " + d.name + " start at byte " + std::to_string(d.offset) +
             " of L0C, with slots of " + std::to_string(d.slotBytes) +
             "; Mmad takes multiples of " + std::to_string(startOfSums) + " for both");
    for (const View *v : {&op.d, &op.a, &op.b})
      startsAtFractal(*v);
  }

private:
  /// LoadData, once for each row of fractals; of 950 (LoadData2DParamsV2) once for all.
  void loadFractals(const Copy &op) const {
    const View &v = op.destination;
    const Buffer &b = buffer(v);
    const auto [rows, columns] = fractalShape(b);
    if (v.shape[0] % rows || v.shape[1] % columns)
      return refuse("LoadData moves whole fractals, in " + b.name + " of " + std::to_string(rows) +
                    " x " + std::to_string(columns) + "; here are " + shapeText(v));
    startsAtFractal(v);
    if (is950()) {
      atMost(v.shape[1] / columns, mostFractals,
             "fractals in a row of " + b.name + " (a step of LoadData)");
      atMost(v.shape[0] / rows, mostFractals,
             "fractals in a column of " + b.name + " (a step of LoadData)");
    } else if (byteSize(b.type) != 2 && turnsFractals(program(), op)) {
      atMost(v.shape[1] / sideOfSquare(b.type), mostFractals,
             "squares in a row of " + b.name + " (repeatTimes of LoadDataWithTranspose)");
    } else {
      atMost(v.shape[1] / columns, mostFractals,
             "fractals in a row of " + b.name + " (repeatTimes of LoadData)");
    }
  }

  void startsAtFractal(const View &v) const {
    const std::array units = fractalShape(buffer(v));
    for (size_t d = 0; d < units.size(); ++d)
      if (multipleOf(v.offset[d]) % units[d])
        refuse("it takes " + buffer(v).name + " from " + firstText(v, d) +
               " on; calls begin at whole fractals, multiples of " + std::to_string(units[d]));
  }

  /// ND2NZ, from a tensor or, on 950, from UB.
  void loadTile(const View &v) const {
    const Buffer &b = buffer(v);
    if (!isFractal(b.layout))
      return; // no call fills it
    const bool byColumns = linesAreUpright(b.layout);
    if (!lieInStrips(b.layout)) // of strips each is a call
      atMost(v.shape[byColumns], mostLinesOfNd2nz, "lines of " + b.name + " (nValue of ND2NZ)");
    atMost(v.shape[!byColumns], mostOfNd2nzLine,
           "elements in a line of " + b.name + " (dValue of ND2NZ)");
  }

  void fix(const View &v, bool toTensor) const {
    const std::string &tile = buffer(v).name;
    atMost(v.shape[0], mostRowsOfFixpipe(program().target, toTensor),
           "rows of " + tile + " (mSize of Fixpipe)");
    atMost(v.shape[1], mostColumnsOfFixpipe, "columns of " + tile + " (nSize of Fixpipe)");
    if (multipleOf(v.offset[1]) % linesOfFractal)
      refuse("it takes " + tile + " from " + firstText(v, 1) +
             " on; Fixpipe begins at whole fractals, multiples of " +
             std::to_string(linesOfFractal));
  }
};

} // namespace

void checkCalls(const StructureContext &c) {
  const Ranges ranges(c.program);
  const StructureContext ranged{c.program, c.arch, c.found, &ranges};
  walk(c.program.body, [&](const Stmt &s) {
    if (auto *copy = std::get_if<Copy>(&s.op))
      CubeCalls(ranged, s).copy(*copy);
    else if (auto *mmad = std::get_if<Mmad>(&s.op))
      CubeCalls(ranged, s).multiply(*mmad);
  });
  checkVectorCalls(ranged);
}

} // namespace sluice
