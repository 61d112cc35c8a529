// Statements of the vector cores: one instruction each, for all rows at once, row by row, or 64
// columns after another.
#include "Arch/Limits.h"
#include "Emit/Ascend/Printer.h"
#include "Program/Boxes.h"
#include "Program/VectorForms.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace sluice::ascend {
namespace {

constexpr int64_t lanes = 64;             // f32 in 256 bytes, a repeat
constexpr int64_t blockLanes = 8;         // f32 in 32 bytes, a block
constexpr int64_t mostRepeatStride = 255; // blocks from one repeat to the next

std::string floatText(double x) {
  if (std::isinf(x))
    return x < 0 ? "-infinity" : "infinity";
  char text[40];
  const auto end = std::to_chars(text, text + sizeof text, float(x)).ptr;
  const std::string digits(text, end);
  return digits + (digits.find_first_of(".e") == digits.npos ? ".0f" : "f");
}

const char *callOf(ElementOp op, bool number) {
  switch (op) {
  case ElementOp::add:
    return number ? "Adds" : "Add";
  case ElementOp::sub:
    return "Sub";
  case ElementOp::mul:
    return number ? "Muls" : "Mul";
  case ElementOp::div:
    return "Div";
  case ElementOp::max:
  case ElementOp::maximum:
    return number ? "Maxs" : "Max";
  case ElementOp::min:
  case ElementOp::minimum:
    return number ? "Mins" : "Min";
  case ElementOp::exp:
    return "Exp";
  case ElementOp::log:
    return "Ln";
  case ElementOp::sqrt:
    return "Sqrt";
  default:
    return "Abs";
  }
}

/// i32 becomes a float rounded to nearest even, a float i32 without what is behind its point.
const char *castMode(DType from, DType to) {
  return to == DType::i32                         ? "CAST_TRUNC"
         : to == DType::f32 && from != DType::i32 ? "CAST_NONE"
                                                  : "CAST_RINT";
}

} // namespace

/// "float(K) * 0.5f": of a number that is the same for all elements.
std::string Printer::numberText(const Map &map, int i) {
  const ElementFn &fn = map.fn;
  const ElementNode &n = fn.nodes[i];
  const auto of = [&](size_t o) { return numberText(map, n.operands[o]); };
  switch (n.op) {
  case ElementOp::constant:
    return isFloat(n.type) ? floatText(n.value) : number(int64_t(n.value));
  case ElementOp::parameter:
    return parameters_.argument(n.imm);
  case ElementOp::argument:
    return scalars_.text(map.shared[n.imm - (fn.arguments() - fn.shared)]);
  case ElementOp::cast:
    return isFloat(n.type) && !isFloat(fn.nodes[n.operands[0]].type) ? "float(" + of(0) + ")"
                                                                     : of(0);
  case ElementOp::neg:
    return "-" + of(0);
  default: {
    const char *sign = n.op == ElementOp::add   ? " + "
                       : n.op == ElementOp::sub ? " - "
                       : n.op == ElementOp::mul ? " * "
                                                : " / ";
    return "(" + of(0) + sign + of(1) + ")";
  }
  }
}

/// How an instruction finds the elements of a view: its first, and from one row to the next.
struct Printer::Rows {
  std::string first; // the slot
  int64_t offset, pitch;
  bool isSpread = false; // 8 numbers of each row are the same
  std::string bits = {}; // as tiles of which type the instruction takes it
  std::string at(const std::string &index, int64_t step) const {
    const std::string behind = step == 0 ? "" : index + " * " + number(step);
    const std::string start = offset ? number(offset) + (behind.empty() ? "" : " + ") : "";
    return first + (start + behind == "" ? "" : "[" + start + behind + "]") + bits;
  }
};

Printer::Rows Printer::rowsOf(const View &v, const View &out) {
  const Buffer &b = program_.buffers[v.object];
  Rows rows{slot(v), v.offset[0].constant * b.shape[1] + v.offset[1].constant, b.shape[1]};
  if (v.rows() == 1)
    rows.pitch = out.rows() == 1 ? out.cols() : 0; // the same for all
  rows.isSpread = v.cols() == 1 && out.cols() != 1;
  return rows;
}

/// Where the view begins.
std::string Printer::start(const View &v) {
  return rowsOf(v, v).at("", 0);
}

/// All elements one after the other.
bool Printer::isDense(const View &v) const {
  return v.rows() == 1 || v.cols() == program_.buffers[v.object].shape[1];
}

/// ".ReinterpretCast<int32_t>()" where the tile is of another type.
std::string Printer::bitsOf(const View &v, DType type) const {
  return program_.type(v) == type ? "" : ".ReinterpretCast<" + typeName(type) + ">()";
}

/// Columns of an operand, of one number for each row that number.
static View columnsOf(const View &v, int64_t first, int64_t columns) {
  View part = v;
  if (v.cols() == 1)
    return part;
  part.offset[1].constant += first;
  part.shape[1] = columns;
  return part;
}

/// A repeat has 64 columns: those before the last ones, then these.
void Printer::inTwo(const std::string &call, const View &to, const std::vector<const View *> &ins,
                    DType type) {
  const int64_t whole = to.cols() / lanes * lanes;
  for (const auto &[first, columns] : {std::pair{int64_t{0}, whole}, {whole, to.cols() - whole}}) {
    std::vector<View> parts;
    for (const View *v : ins)
      parts.push_back(columnsOf(*v, first, columns));
    std::vector<const View *> all;
    for (const View &part : parts)
      all.push_back(&part);
    instruction(call, columnsOf(to, first, columns), all, type);
  }
}

/// "Add(d, x, y, 1024);" of whole tiles; else in a loop over rows or columns.
void Printer::instruction(const std::string &call, const View &to,
                          const std::vector<const View *> &ins, DType type) {
  const int64_t rows = to.rows(), columns = to.cols();
  std::vector<Rows> all = {rowsOf(to, to)};
  all.back().bits = bitsOf(to, type);
  bool dense = isDense(to), spread = false;
  for (const View *v : ins) {
    all.push_back(rowsOf(*v, to));
    all.back().bits = bitsOf(*v, type);
    dense &= v->shape == to.shape && isDense(*v);
    spread |= all.back().isSpread;
  }
  if (spread && columns > lanes && columns % lanes)
    return inTwo(call, to, ins, type);
  const auto list = [&](const std::string &index, bool byColumns) {
    std::string text;
    for (const Rows &r : all) {
      const int64_t step = byColumns ? (r.isSpread ? 0 : lanes) : r.pitch;
      text += (text.empty() ? "" : ", ") + r.at(index, index.empty() ? 0 : step);
    }
    return text;
  };
  if (dense && !spread) {
    const int64_t ofBlock = // a column is moved in whole blocks, for which slots have room
        call == "DataCopy" && columns == 1 ? 32 / byteSize(program_.type(to)) : 1;
    out().line(call + "(" + list("", false) + ", " +
               number((rows * columns + ofBlock - 1) / ofBlock * ofBlock) + ");");
    return;
  }
  // {1, 1, 0, 16, 16, 1}: blocks from one to the next within a repeat, then from repeat to repeat.
  const auto strides = [&](bool byColumns) {
    std::string within, between;
    for (const Rows &r : all) {
      within += std::string(within.empty() ? "" : ", ") + (r.isSpread ? "0" : "1");
      between += ", " + number(byColumns    ? r.pitch / blockLanes
                               : r.isSpread ? 0
                                            : lanes / blockLanes);
    }
    return "{" + within + between + "}";
  };
  const bool fits = call != "DataCopy" && std::ranges::all_of(all, [](const Rows &r) {
                      return r.pitch / blockLanes <= mostRepeatStride;
                    });
  const bool inRepeats = columns % lanes == 0 || (spread && columns < lanes);
  if (inRepeats && columns / lanes < rows && rows <= mostRepeats && fits) {
    const bool once = columns <= lanes;
    if (!once)
      out().line("for (int i = 0; i < " + number(columns / lanes) + "; ++i)");
    out().line((once ? "" : "  ") + call + "(" + list(once ? "" : "i", true) + ", " +
               number(std::min(lanes, columns)) + ", " + number(rows) + ", " + strides(true) +
               ");");
    return;
  }
  const bool once = rows == 1;
  if (!once)
    out().line("for (int i = 0; i < " + number(rows) + "; ++i)");
  const std::string start = (once ? "" : "  ") + call + "(" + list(once ? "" : "i", false) + ", ";
  if (spread)
    out().line(start + number(std::min(lanes, columns)) + ", " +
               number((columns + lanes - 1) / lanes) + ", " + strides(false) + ");");
  else
    out().line(start + number(columns) + ");");
}

void Printer::map(const Map &o) {
  const VectorForm form = *vectorForm(program_, o); // Limits.cpp
  const View &to = o.outs[0];
  const Buffer &buffer = program_.buffers[to.object];
  const std::string tile = start(to), all = number(to.rows() * to.cols());
  const std::string value = form.number < 0 ? "" : numberText(o, form.number);
  const bool asItIs = buffer.type == DType::f32 && form.type == DType::f32;
  const std::string typed = asItIs ? value : typeName(buffer.type) + "(" + value + ")";
  switch (form.kind) {
  case VectorForm::move:
    return instruction("DataCopy", to, {&o.ins[0]}, buffer.type);
  case VectorForm::cast:
    out().line("Cast(" + tile + ", " + start(o.ins[0]) + ", RoundMode::" +
               castMode(program_.type(o.ins[0]), buffer.type) + ", " + all + ");");
    return;
  case VectorForm::spread:
    out().line("Brcb(" + tile + ", " + start(o.ins[0]) + ", " +
               number((to.rows() + blockLanes - 1) / blockLanes) + ", {1, 8});");
    return;
  case VectorForm::turn:
    out().line("turnRows<" + number(to.cols()) + ", " + number(to.rows()) + ">(" + tile + ", " +
               start(o.ins[0]) + ");");
    return;
  case VectorForm::fill:
    out().line("Duplicate(" + tile + ", " + typed + ", " + all + ");");
    return;
  case VectorForm::unary:
    return instruction(callOf(form.op, false), to, {&o.ins[0]}, form.type);
  case VectorForm::binary:
    return instruction(callOf(form.op, false), to, {&o.ins[0], &o.ins[1]}, form.type);
  case VectorForm::widened:
    out().line("Axpy(" + tile + ", " + start(o.ins[1]) + ", half(1), " + all + ");");
    return;
  case VectorForm::withNumber:
    out().line(std::string(callOf(form.op, true)) + "(" + tile + bitsOf(to, form.type) + ", " +
               start(o.ins[0]) + bitsOf(o.ins[0], form.type) + ", " +
               (form.type == DType::i32 ? "int32_t(" + value + ")" : value) + ", " + all + ");");
    return;
  case VectorForm::bitwise: {
    const std::string halves = ".ReinterpretCast<int16_t>()"; // which And and Or take
    out().line(std::string(form.op == ElementOp::andI ? "And(" : "Or(") + tile + halves + ", " +
               start(o.ins[0]) + halves + ", " + start(o.ins[1]) + halves + ", " +
               number(2 * to.rows() * to.cols()) + ");");
    return;
  }
  case VectorForm::numbers:
    out().line("columnNumbers<" + number(to.cols()) + ">(" + tile + ");");
    return;
  case VectorForm::columns:
    out().line("fillColumns<" + number(to.rows()) + ", " + number(to.cols()) + ", " +
               (form.slopes ? "1" : "0") + ">(" + tile + ", " + scalars_.exact(form.limit) + ", " +
               typed + ");");
    return;
  case VectorForm::rows:
    if (to.cols() == 1) { // where they end no block does
      out().line("fillColumns<1, " + number(to.rows()) + ", 0>(" + tile + ", " +
                 scalars_.exact(form.limit) + ", " + typed + ");");
      return;
    }
    out().line("fillRows<" + number(to.rows()) + ", " + number(to.cols()) + ">(" + tile + ", " +
               scalars_.exact(form.limit) + ", " + typed + ");");
    return;
  }
}

void Printer::fold(const Reduce &o) {
  const Rows in = rowsOf(o.in, o.in);
  const bool least = o.combine == ElementOp::min || o.combine == ElementOp::minimum;
  const bool sum = o.combine == ElementOp::add;
  out().line("ReduceRepeat<ReduceType::" +
             std::string(sum     ? "SUM"
                         : least ? "MIN"
                                 : "MAX") +
             ">(" + start(o.out) + ", " + in.at("", 0) + ", " + number(o.in.cols()) + ", " +
             number(o.in.rows()) + ", 1, 1, " + number(in.pitch / blockLanes) +
             (sum ? "" : ", ReduceOrder::ORDER_ONLY_VALUE") + ");");
}

void Printer::fill(const Fill &o) {
  const Buffer &b = program_.buffers[o.destination.object];
  const std::string value = floatText(o.value);
  out().line("Duplicate(" + start(o.destination) + ", " +
             (b.type == DType::f32 ? value : typeName(b.type) + "(" + value + ")") + ", " +
             number(o.destination.rows() * o.destination.cols()) + ");");
}

/// Rows, or one number of each, which is one row to copies: its length goes with them. Of a turned
/// tile its lines.
struct Printer::RowsInGlobal {
  int64_t rows, columns;
  int line, along; // dimensions of the tensor
};

Printer::RowsInGlobal Printer::rowsInGlobal(const View &box, const View &tile) {
  const std::vector<int> dims = dimensionsOfTile(box);
  parameters_.pointer(box.object);
  if (isOfOneColumn(program_, box, tile))
    return {1, tile.rows(), dims[1], dims[0]};
  if (tile.transposed)
    return {tile.cols(), tile.rows(), dims[1], dims[0]};
  return {tile.rows(), tile.cols(), dims[0], dims[1]};
}

void Printer::loadRows(const Copy &o) {
  const RowsInGlobal r = rowsInGlobal(o.source, o.destination);
  out().line("loadRows<" + number(r.rows) + ", " + number(r.columns) + ">(" + slot(o.destination) +
             ", " + tensorNames_[o.source.object] + ", " + exactPlace(o.source, r.line, r.along) +
             ");");
}

void Printer::storeRows(const Copy &o) {
  const RowsInGlobal r = rowsInGlobal(o.destination, o.source);
  out().line("storeRows<" + number(r.rows) + ", " + number(r.columns) + ">(" +
             tensorNames_[o.destination.object] + ", " +
             exactPlace(o.destination, r.line, r.along) + ", " + slot(o.source) + ");");
}

} // namespace sluice::ascend
