// R50 of the vector cores: copies between tensors and UB, and functions of elements that are an
// instruction. What is none is held to nothing here; no call computes it.
#include "Verify/StructureCalls.h"

#include "Arch/Limits.h"
#include "Program/Blocks.h"
#include "Program/Boxes.h"
#include "Program/VectorForms.h"

#include <algorithm>
#include <numeric>

namespace sluice {
namespace {

class VectorCalls : public Calls {
public:
  using Calls::Calls;

  void copy(const Stmt &s, const Copy &op) const {
    const bool in = s.pipe == Pipe::mte2 && spaceOf(op.destination) == Space::ub,
               out = s.pipe == Pipe::mte3 && spaceOf(op.source) == Space::ub;
    if (in && op.source.kind == View::tensor)
      lines(op.source, op.destination);
    else if (out && op.destination.kind == View::tensor)
      lines(op.destination, op.source);
  }

  void map(const Map &op) const {
    const auto form = vectorForm(program(), op);
    if (!form)
      return;
    if (form->kind == VectorForm::turn)
      return turn(op.ins[0], op.outs[0]);
    std::vector<const View *> all = {&op.outs[0]};
    for (const View &v : op.ins)
      all.push_back(&v);
    if (!std::ranges::all_of(all, [this](const View *v) { return isInUb(*v); }))
      return;
    for (const View *v : all)
      starts(*v);
    if (form->kind == VectorForm::spread)
      return spread(op);
    if (std::ranges::any_of(op.ins, [&](const View &v) { return isPacked(v, op.outs[0]); }))
      return; // no call takes it
    if (goesRowByRow(op, *form))
      for (const View *v : all)
        rowsStart(*v);
    for (const View &v : op.ins)
      if (isSpread(v, op.outs[0]))
        repeatedNumber(op.outs[0]);
  }

  void fold(const Reduce &op) const {
    if (!isInUb(op.in) || !isInUb(op.out) || !isOneFold(program(), op))
      return;
    starts(op.in);
    rowsStart(op.in);
    atMost(op.in.rows(), mostRepeats,
           "rows of " + buffer(op.in).name + " (repeatTime of ReduceRepeat)");
  }

  void fill(const Fill &op) const {
    if (spaceOf(op.destination) != Space::ub)
      return;
    starts(op.destination);
    if (!isDense(op.destination))
      rowsStart(op.destination);
  }

private:
  bool isInUb(const View &v) const { return spaceOf(v) == Space::ub && !v.transposed; }
  int64_t bytesOfRow(const Buffer &b) const { return b.shape[1] * byteSize(b.type); }

  // ---- DataCopyPad
  /// Of a tensor: rows of the tile, or of a transposed one its columns; one number of each row is
  /// one line.
  void lines(const View &tensor, const View &tile) const {
    const Buffer &b = buffer(tile);
    const Tensor &t = *program().tensor(tensor);
    const std::vector<int> dims = dimensionsOfTile(tensor);
    const bool column = isOfOneColumn(program(), tensor, tile),
               byColumns = column || tile.transposed;
    if (dims.size() != 2 || t.type != b.type || tensor.transposed || dims[!byColumns] != t.minor)
      return; // no call copies it
    const int64_t count = column      ? 1
                          : byColumns ? tile.cols()
                                      : tile.rows(),
                  bytes = (byColumns ? tile.rows() : tile.cols()) * byteSize(b.type);
    starts(tile);
    atMost(count, mostLinesOfPad, "lines of " + b.name + " (blockCount of DataCopyPad)");
    atMost(bytes, mostBytesOfPad, "bytes in a line of " + b.name + " (blockLen of DataCopyPad)");
    if (count > 1 && bytesOfRow(b) % blockOfUb && !is950()) // 950 packs them (PaddingMode::Compact)
      refuse("lines of " + b.name + " have " + std::to_string(bytesOfRow(b)) +
             " bytes; DataCopyPad begins each at a multiple of " + std::to_string(blockOfUb));
  }

  // ---- Operands
  void starts(const View &v) const {
    const Buffer &b = buffer(v);
    const int64_t size = byteSize(b.type),
                  multiple = std::gcd(multipleOf(v.offset[0]) * bytesOfRow(b),
                                      multipleOf(v.offset[1]) * size);
    const bool fixed = v.offset[0].isConstant() && v.offset[1].isConstant();
    const int64_t first =
        fixed ? v.offset[0].constant * bytesOfRow(b) + v.offset[1].constant * size : multiple;
    if (first % blockOfUb)
      refuse("it takes " + b.name + " from byte" +
             (fixed ? " " + std::to_string(first)
                    : "s at multiples of " + std::to_string(first) + ", as far as is known,") +
             " on; calls take multiples of " + std::to_string(blockOfUb));
  }
  void rowsStart(const View &v) const {
    const Buffer &b = buffer(v);
    if (v.rows() > 1 && bytesOfRow(b) % blockOfUb)
      refuse("rows of " + b.name + " have " + std::to_string(bytesOfRow(b)) +
             " bytes, and are taken one by one; calls begin at multiples of " +
             std::to_string(blockOfUb));
  }
  /// All elements of the view lie one behind the other.
  bool isDense(const View &v) const { return v.rows() == 1 || v.cols() == buffer(v).shape[1]; }
  bool goesRowByRow(const Map &op, const VectorForm &form) const {
    const View &out = op.outs[0];
    if (form.kind == VectorForm::columns || form.kind == VectorForm::rows)
      return out.cols() > 1;
    return !isDense(out) || std::ranges::any_of(op.ins, [&](const View &v) {
      return v.shape != out.shape || !isDense(v);
    });
  }
  /// One number for each row, eight times side by side.
  bool isSpread(const View &v, const View &out) const {
    return v.cols() == 1 && out.cols() > 1 && v.rows() == out.rows() && buffer(v).shape[1] > 1;
  }
  /// One number for each row, side by side with the next row's.
  bool isPacked(const View &v, const View &out) const {
    return v.cols() == 1 && out.cols() > 1 && v.rows() > 1 && buffer(v).shape[1] == 1;
  }
  /// A call for each row, of 64 numbers of 32 bits at a time.
  void repeatedNumber(const View &out) const {
    const int64_t bytes = out.cols() * byteSize(buffer(out).type);
    atMost((bytes + repeatBytes - 1) / repeatBytes, mostRepeats,
           "times " + std::to_string(repeatBytes) + " bytes in a row of " + buffer(out).name +
               " (repeatTime)");
  }

  // ---- Brcb and TransDataTo5HD
  void spread(const Map &op) const {
    const Buffer &from = buffer(op.ins[0]), &to = buffer(op.outs[0]);
    const int64_t rows = (op.outs[0].rows() + rowsOfBrcb - 1) / rowsOfBrcb * rowsOfBrcb;
    if (to.shape[1] * byteSize(to.type) != blockOfUb || from.shape[1] != 1)
      return; // no call spreads it
    atMost(rows / rowsOfBrcb, mostRepeats, "times 8 rows of " + to.name + " (repeatTime of Brcb)");
    for (const View *v : {&op.ins[0], &op.outs[0]})
      if (const Buffer &b = buffer(*v);
          v->offset[0].isConstant() && v->offset[0].constant + rows > b.shape[0])
        refuse("Brcb takes 8 rows at a time, " + std::to_string(v->offset[0].constant + rows) +
               " of " + b.name + "; it has " + std::to_string(b.shape[0]));
  }
  void turn(const View &in, const View &out) const {
    if (spaceOf(in) != Space::ub || !isInUb(out))
      return;
    const int64_t bytes = out.rows() * byteSize(buffer(in).type);
    if (out.cols() % rowsOfTransData == 0 && bytes % blockOfUb == 0)
      atMost(bytes / blockOfUb, mostRepeats,
             "blocks in a row of " + buffer(in).name + " (repeatTimes of TransDataTo5HD)");
  }
};

} // namespace

void checkVectorCalls(const StructureContext &c) {
  walk(c.program.body, [&c](const Stmt &s) {
    const VectorCalls calls(c, s);
    if (auto *copy = std::get_if<Copy>(&s.op))
      calls.copy(s, *copy);
    else if (auto *map = std::get_if<Map>(&s.op))
      calls.map(*map);
    else if (auto *fold = std::get_if<Reduce>(&s.op))
      calls.fold(*fold);
    else if (auto *fill = std::get_if<Fill>(&s.op))
      calls.fill(*fill);
  });
}

} // namespace sluice
