// Statements of the cube cores, and what both kinds of core have: one call each.
#include "Emit/Ascend/Limits.h"
#include "Emit/Ascend/Printer.h"
#include "Program/Boxes.h"
#include "Program/Fractals.h"

namespace sluice::ascend {

size_t Printer::statements(const Block &b, size_t at) {
  statement(b.stmts[at]);
  return at + 1;
}

std::string Printer::machineValue(const Scalar &s) {
  switch (s.op) {
  case ScalarOp::dim:
    return parameters_.extent(s.object, int(s.imm));
  case ScalarOp::argument:
    return parameters_.argument(s.object);
  case ScalarOp::subblock: // of the cube core always 0
    return !cores_.vector ? "0" : cores_.cube ? "int(GetSubBlockIdx())" : "int(GetBlockIdx()) % 2";
  default:
    fail("a scalar operation is not printed for Ascend yet");
    return "0";
  }
}

void Printer::statement(const Stmt &s) {
  if (auto *o = std::get_if<Scalar>(&s.op))
    return scalars_.scalar(*o);
  if (auto *o = std::get_if<Grid>(&s.op))
    return grid(*o);
  if (auto *o = std::get_if<For>(&s.op))
    return flow_.loop(*o);
  if (auto *o = std::get_if<If>(&s.op))
    return flow_.branch(*o);
  if (auto *o = std::get_if<Role>(&s.op))
    return role(*o);
  if (auto *o = std::get_if<SetFlag>(&s.op))
    return flag("SetFlag", o->source, o->destination, o->id);
  if (auto *o = std::get_if<WaitFlag>(&s.op))
    return flag("WaitFlag", o->source, o->destination, o->id);
  if (auto *o = std::get_if<CrossSet>(&s.op)) {
    out().line("CrossCoreSetFlag<" + number(o->mode) + ", PIPE_" + std::string(name(o->pipe)) +
               ">(" + crossName(o->id) + ");");
    return;
  }
  if (auto *o = std::get_if<CrossWait>(&s.op)) {
    out().line("CrossCoreWaitFlag(" + crossName(o->id) + ");");
    return;
  }
  if (auto *o = std::get_if<PipeBarrier>(&s.op)) {
    out().line("PipeBarrier<PIPE_" + std::string(name(o->pipe)) + ">();");
    return;
  }
  if (auto *o = std::get_if<Mmad>(&s.op))
    return multiply(*o);
  if (auto *o = std::get_if<Map>(&s.op))
    return map(*o);
  if (auto *o = std::get_if<Reduce>(&s.op))
    return fold(*o);
  if (auto *o = std::get_if<Fill>(&s.op))
    return fill(*o);
  auto *copy = std::get_if<Copy>(&s.op);
  if (!copy)
    return; // an epoch is for the picture alone
  const Buffer *from = program_.buffer(copy->source), *to = program_.buffer(copy->destination);
  if (!from)
    to->space == Space::ub ? loadRows(*copy) : load(*copy);
  else if (!to)
    from->space == Space::ub ? storeRows(*copy) : store(*copy);
  else
    move(*copy);
}

void Printer::role(const Role &r) {
  if (r.body.stmts.empty())
    return; // that core does nothing
  const auto names = names_.mark();
  const char *core = r.core == "aic" ? "ASCEND_IS_AIC" : "ASCEND_IS_AIV";
  out().open("if " + std::string(core) + " { // " + r.name);
  if (!handedOver_.empty() && r.core == "aic")
    out().line("SetMMRowMajor(); // the order in which Fixpipe takes units");
  block(r.body);
  out().close();
  names_.release(names);
}

/// Of one dimension (Limits.cpp). Two vector cores have the same coordinate.
void Printer::grid(const Grid &g) {
  if (g.results.empty() || !scalars_.isUsed(g.results[0]))
    return;
  const char *block = !cores_.vector ? "int(GetBlockIdx())"
                      : cores_.cube  ? "coreOfBlock()"
                                     : "int(GetBlockIdx()) / 2";
  scalars_.define(g.results[0], {.text = block}, true, "block");
}

void Printer::flag(const char *call, Pipe source, Pipe destination, const Index &id) {
  const size_t g = flags_.groupOf(source, destination, id);
  const FlagGroup &group = flags_.groups()[g];
  std::string which = flagNames_[g];
  const int64_t behind = id.constant - group.first;
  if (!id.isConstant() && group.first != group.last)
    which += " + " + scalars_.operand(id.value);
  if (behind && group.first != group.last)
    which += (behind < 0 ? " - " : " + ") + number(std::abs(behind));
  out().line(std::string(call) + "<HardEvent::" + std::string(name(source)) + "_" +
             std::string(name(destination)) + ">(" + which + ");");
}

/// Between cores; ids are constants (Limits.cpp).
std::string Printer::crossName(const Index &id) const {
  for (size_t i = 0; i < crossFlags_.size(); ++i)
    if (crossFlags_[i].id == id.constant)
      return crossNames_[i];
  return number(id.constant);
}

std::string Printer::slot(const View &v) {
  const std::string &tile = tileNames_[v.object];
  return program_.buffers[v.object].slots == 1 ? tile : tile + "[" + scalars_.text(v.slot) + "]";
}

/// "q_l0a[r * 64]": rows of fractals of a slot of L0A or L0B.
std::string Printer::fractals(const View &v) {
  const Index &row = v.offset[0];
  if (row == Index{})
    return slot(v);
  const int64_t columns = program_.buffers[v.object].shape[1];
  return slot(v) + "[" +
         (row.isConstant() ? number(row.constant * columns)
                           : scalars_.factor(row) + " * " + number(columns)) +
         "]";
}

/// "batch < AExtent0 ? M : 0": the coordinates beside the matrix are inside of the tensor.
std::string Printer::inside(const View &v) {
  std::string exists;
  const std::vector<int> dims = dimensionsOfTile(v);
  for (int d = 0; d < int(v.offset.size()); ++d) {
    const bool first = v.offset[d].isConstant() && v.offset[d].constant == 0;
    if (d == dims[0] || d == dims[1] || first)
      continue;
    exists += (exists.empty() ? "" : " && ") + scalars_.factor(v.offset[d]) + " < " +
              parameters_.extent(v.object, d);
  }
  return exists;
}

/// "{first, height, width, stride}" of the matrix whose lines run along dimension `along`.
std::string Printer::matrix(const View &v, int line, int along) {
  std::string first;
  for (int d = 0; d < int(v.offset.size()); ++d) {
    const bool atStart = v.offset[d].isConstant() && v.offset[d].constant == 0;
    if (d != line && d != along && !atStart)
      first += (first.empty() ? "" : " + ") + ("i64(" + scalars_.text(v.offset[d]) + ") * ") +
               parameters_.stride(v.object, d);
  }
  const std::string exists = inside(v);
  const std::string height = parameters_.extent(v.object, line);
  return "{" + (first.empty() ? "0" : first) + ", " +
         (exists.empty() ? height : exists + " ? " + height + " : 0") + ", " +
         parameters_.extent(v.object, along) + ", " + parameters_.stride(v.object, line) + "}";
}

std::string Printer::place(const View &v, int line, int along) {
  return matrix(v, line, along) + ", " + scalars_.text(v.offset[line]) + ", " +
         scalars_.text(v.offset[along]);
}

/// The same where 32 bits may not hold it.
std::string Printer::exactPlace(const View &v, int line, int along) {
  return matrix(v, line, along) + ", " + scalars_.exact(v.offset[line]) + ", " +
         scalars_.exact(v.offset[along]);
}

void Printer::load(const Copy &o) {
  const Buffer &to = program_.buffers[o.destination.object];
  const bool byColumns = linesAreUpright(to.layout); // of a tensor whose columns are contiguous
  const std::vector<int> dims = dimensionsOfTile(o.source);
  const bool exchanged = byColumns != o.source.transposed;
  const int line = dims[exchanged], along = dims[!exchanged];
  parameters_.pointer(o.source.object);
  out().line("loadTile<" + number(to.shape[byColumns]) + ", " + number(to.shape[!byColumns]) +
             (lieInStrips(to.layout) ? ", " + number(linesOfFractal) : "") + ">(" +
             slot(o.destination) + ", " + tensorNames_[o.source.object] + ", " +
             place(o.source, line, along) + ");");
}

/// "a[at_a_b.slot][kk * 128]": from the first fractal of a part of a tile in L1 on.
std::string Printer::fromFractal(const View &v) {
  const Buffer &b = program_.buffers[v.object];
  const auto shape = fractalShape(b), steps = fractalSteps(b);
  const int64_t elements = linesOfFractal * lineOfFractal(b);
  std::string first;
  for (const int d : {followBelow(b.layout) ? 1 : 0, followBelow(b.layout) ? 0 : 1}) {
    const Index &at = v.offset[d];
    const int64_t step = steps[d] * elements / shape[d];
    if (at == Index{})
      continue;
    first +=
        (first.empty() ? "" : " + ") +
        (at.isConstant() ? number(at.constant * step) : scalars_.factor(at) + " * " + number(step));
  }
  return slot(v) + (first.empty() ? "" : "[" + first + "]");
}

/// L0A has fractals row by row with rows contiguous inside, L0B with columns.
void Printer::move(const Copy &o) {
  const Buffer &from = program_.buffers[o.source.object];
  const Buffer &to = program_.buffers[o.destination.object];
  const bool toA = to.space == Space::l0a;
  const bool turned = turnsFractals(program_, o);
  const bool bySquares = turned && byteSize(from.type) != 2;
  auto [below, beside] = fractalSteps(from);
  auto [down, across] = fractalShape(to);
  if (bySquares) { // of two fractals
    down = across = sideOfSquare(from.type);
    below = below * down / fractalShape(from)[0] / 2;
    beside = beside * across / fractalShape(from)[1] / 2;
  }
  if (o.source.transposed)
    std::swap(below, beside);
  const bool stacked = toA == (byteSize(from.type) == 1); // those of a square, in L0
  out().line((bySquares ? "loadSquares<" : "loadFractals<") + number(o.destination.rows() / down) +
             ", " + number(to.shape[1] / across) + ", " + number(below) + ", " + number(beside) +
             ", " + ((bySquares ? stacked : turned) ? "true" : "false") + ">(" +
             fractals(o.destination) + ", " + fromFractal(o.source) + ");");
}

void Printer::multiply(const Mmad &o) {
  out().line("Mmad(" + slot(o.d) + ", " + fractals(o.a) + ", " + fractals(o.b) + ", product(" +
             number(o.d.rows()) + ", " + number(o.d.cols()) + ", " + number(o.a.cols()) + ", " +
             scalars_.condition(o.accumulate) +
             (o.units == UnitUse::keeps       ? ", keepUnits"
              : o.units == UnitUse::handsOver ? ", handUnitsOver"
                                              : "") +
             "));");
}

void Printer::store(const Copy &o) {
  const Buffer &from = program_.buffers[o.source.object];
  const std::vector<int> dims = dimensionsOfTile(o.destination);
  const int line = dims[o.destination.transposed], along = dims[!o.destination.transposed];
  parameters_.pointer(o.destination.object);
  out().line("storeTile<" + number(from.shape[0]) + ", " + number(from.shape[1]) + ">(" +
             tensorNames_[o.destination.object] + ", " + place(o.destination, line, along) + ", " +
             slot(o.source) + (o.byUnits ? ", handUnitsOver" : "") + ");");
}

} // namespace sluice::ascend
