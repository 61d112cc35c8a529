#include "Emit/Ascend/Limits.h"

#include "Arch/Limits.h"
#include "Emit/Part.h"
#include "Program/Agent.h"
#include "Program/Boxes.h"
#include "Program/CoreMeeting.h"
#include "Program/Fractals.h"
#include "Program/Joined.h"
#include "Program/OperationFacts.h"
#include "Program/VectorForms.h"

namespace sluice::ascend {
namespace {

using emit::number;

constexpr int64_t lastEvent = mostEventIds - 1;

class Limits {
public:
  Limits(const Program &program, const Ranges &ranges, const Flags &flags)
      : program_(program), ranges_(ranges), flags_(flags) {}

  std::optional<Error> check() {
    at_ = program_.loc;
    if (program_.target != Target::ascend910b)
      refuse("Ascend C is printed for ascend910b, not yet for " +
             std::string(name(program_.target)) +
             ", where loads to L0A and copies between the cores are other calls");
    for (const Buffer &b : program_.buffers)
      buffer(b);
    walk(program_.body, [this](const Stmt &s) { statement(s); });
    return error_;
  }

private:
  void refuse(const std::string &message) {
    if (!error_)
      error_ = unsupportedError("kernel " + program_.name + ": " + message, at_);
  }
  void refuseStatement(const Stmt &s) {
    refuse(operationName(s.op) + " is not printed for Ascend yet");
  }

  /// A tile of the unified buffer: rows of whole blocks, or one number for each row.
  void rowsOfUb(const Buffer &b) {
    const bool known = b.type == DType::f32 || b.type == DType::f16 || b.type == DType::bf16 ||
                       b.type == DType::i32;
    if (!known)
      refuse("buffer " + b.name + " holds " + std::string(name(b.type)) +
             "; f16, bf16, f32 and i32 are printed for Ascend's vector cores");
    else if (b.shape.size() != 2 || b.minor != 1 || b.layout != Layout::row)
      refuse("buffer " + b.name + " is no tile of rows");
    else if (b.shape[1] > 1 && b.shape[1] * byteSize(b.type) % blockOfUb)
      refuse("rows of buffer " + b.name + " have " + number(b.shape[1] * byteSize(b.type)) +
             " bytes; tiles whose rows are multiples of " + number(blockOfUb) +
             " are printed for Ascend");
  }

  void buffer(const Buffer &b) {
    at_ = b.loc;
    if (b.space == Space::ub)
      return rowsOfUb(b);
    const auto [down, across] = fractalShape(b);
    const bool cube = b.space == Space::l1 || b.space == Space::l0a || b.space == Space::l0b ||
                      b.space == Space::l0c;
    const bool sums = b.space == Space::l0c;
    if (!cube)
      refuse("buffer " + b.name + " lies in " + std::string(name(b.space)) +
             ", which is not printed for Ascend yet");
    else if (sums ? b.type != DType::f32 && b.type != DType::i32
                  : b.type != DType::f16 && b.type != DType::bf16 && b.type != DType::f32 &&
                        b.type != DType::s8)
      refuse("buffer " + b.name + " holds " + std::string(name(b.type)) +
             "; f16, bf16, f32 and s8, and f32 and i32 in L0C, are printed for Ascend");
    else if (b.shape.size() != 2 || b.shape[0] % down || b.shape[1] % across)
      refuse("buffer " + b.name + " is no tile of whole fractals of " + number(down) + " x " +
             number(across) + ", which are printed for Ascend");
  }

  void statement(const Stmt &s) {
    at_ = s.loc;
    const FlagDeed deed = flagDeed(s.op);
    if (auto *role = std::get_if<Role>(&s.op); role && role->core != "aic" && role->core != "aiv")
      refuse("role " + role->name + " on " + role->core + " is not printed for Ascend yet");
    else if (deed.kind != FlagDeed::none && deed.cross)
      crossFlag(s);
    else if (deed.kind != FlagDeed::none)
      flag(deed);
    else if (auto *copy = std::get_if<Copy>(&s.op))
      this->copy(s, *copy);
    else if (auto *mmad = std::get_if<Mmad>(&s.op))
      multiply(*mmad);
    else if (auto *map = std::get_if<Map>(&s.op))
      this->map(*map);
    else if (auto *fold = std::get_if<Reduce>(&s.op))
      this->fold(*fold);
    else if (auto *fill = std::get_if<Fill>(&s.op))
      inUb(fill->destination), dense(fill->destination);
    else if (auto *grid = std::get_if<Grid>(&s.op); grid && grid->results.size() > 1)
      refuse("a grid of more than one dimension is not printed for Ascend yet");
    else if (auto *scalar = std::get_if<Scalar>(&s.op); scalar && scalar->op == ScalarOp::load)
      refuse("a number that is read from a tensor is not printed for Ascend yet");
    else if (!isPlain(s.op))
      refuseStatement(s);
  }
  static bool isPlain(const Operation &op) {
    return std::holds_alternative<Scalar>(op) || std::holds_alternative<Grid>(op) ||
           std::holds_alternative<For>(op) || std::holds_alternative<If>(op) ||
           std::holds_alternative<Role>(op) || std::holds_alternative<PipeBarrier>(op) ||
           std::holds_alternative<Epoch>(op);
  }

  void crossFlag(const Stmt &s) {
    const auto *set = std::get_if<CrossSet>(&s.op);
    const Index &id = set ? set->id : std::get<CrossWait>(s.op).id;
    if (!id.isConstant())
      refuse("a flag between cores whose id is computed is not printed for Ascend yet");
    else if (set && set->mode != 2 && set->mode != allCores)
      refuse("a flag between cores of mode " + number(set->mode) +
             "; modes 2, a cube core and its vector cores, and 0, all cores of a kind, are printed "
             "for Ascend");
  }

  void flag(const FlagDeed &deed) {
    const FlagGroup &group =
        flags_.groups()[flags_.groupOf(deed.source, deed.destination, *deed.id)];
    const bool known = group.first >= 0 && group.last <= lastEvent;
    const bool one = group.first == group.last;
    if (!known)
      refuse("flag " + std::string(name(deed.source)) + "->" + std::string(name(deed.destination)) +
             (one ? " id " : " ids ") + number(group.first) +
             (one ? "" : " to " + number(group.last)) + ": static-tensor mode has ids 0 to " +
             number(lastEvent));
  }

  Space spaceOf(const View &v) const {
    const Buffer *b = program_.buffer(v);
    return b ? b->space : Space::global;
  }

  void copy(const Stmt &s, const Copy &op) {
    const Space from = spaceOf(op.source), to = spaceOf(op.destination);
    if (op.rows || op.async)
      refuseStatement(s);
    else if (from == Space::global && to == Space::l1)
      load(op);
    else if (from == Space::l1 && (to == Space::l0a || to == Space::l0b))
      move(op);
    else if (from == Space::l0c && to == Space::global)
      store(op);
    else if (from == Space::global && to == Space::ub)
      rows(op.source, op.destination);
    else if (from == Space::ub && to == Space::global)
      rows(op.destination, op.source);
    else
      refuse("a copy from " + std::string(name(from)) + " to " + std::string(name(to)) +
             " is not printed for Ascend yet");
  }

  /// A matrix of a tensor, whose lines are contiguous along `minor` of the tile (0: its columns).
  void box(const View &v, int minor, const View &tile, int64_t furthest = INT32_MAX) {
    const Tensor &t = program_.tensors[v.object];
    const std::vector<int> dims = dimensionsOfTile(v);
    if (dims.size() != 2)
      refuse("a box of tensor " + t.name + " is no tile of two dimensions");
    else if (t.joined >= 0 || !v.clips.empty())
      refuse("a box of tensor " + t.name +
             " that ends before the tensor does, or in joined dimensions, is not printed for "
             "Ascend yet");
    else if (dims[v.transposed ? 1 - minor : minor] != t.minor)
      refuse("tensor " + t.name + " is contiguous along the other dimension of the tile; " +
             "that is not printed for Ascend yet");
    else if (v.shape[dims[v.transposed]] != tile.rows() ||
             v.shape[dims[!v.transposed]] != tile.cols())
      refuse("the box of tensor " + t.name + " and the tile have different shapes");
    for (const Index &at : v.offset)
      if (!ranges_.of(at).isWithin(0, furthest))
        refuse("a box of tensor " + t.name +
               " that may begin in front of it, or further than 32 bits count, is not printed "
               "for Ascend yet");
  }
  /// The view takes the whole slot, or of one column the first rows.
  void whole(const View &v) {
    const Buffer &b = program_.buffers[v.object];
    const bool column = b.space == Space::ub && b.shape[1] == 1;
    if ((v.shape != b.shape && !column) || !v.offset[0].isConstant() || v.offset[0].constant ||
        !v.offset[1].isConstant() || v.offset[1].constant)
      refuse("a part of a slot of buffer " + b.name + " is not printed here for Ascend yet");
  }

  /// The view takes whole rows of fractals of a slot of L0A or L0B, which lie one behind the other.
  void fractals(const View &v) {
    const Buffer &b = program_.buffers[v.object];
    if (v.cols() != b.shape[1] || !(v.offset[1] == Index{}) ||
        ranges_.of(v.offset[0]).multiple % fractalShape(b)[0])
      refuse("a part of buffer " + b.name +
             " that is no whole rows of fractals is not printed for "
             "Ascend");
  }

  // ---- Vector cores
  /// Rows of a tensor and a tile of the unified buffer.
  void rows(const View &tensor, const View &tile) {
    const Buffer &b = program_.buffers[tile.object];
    if (program_.type(tensor) != b.type)
      refuse("a copy that converts is not printed for Ascend yet");
    if (tensor.transposed)
      refuse("a copy of a transposed box is not printed for Ascend yet");
    whole(tile);
    const bool column = isOfOneColumn(program_, tensor, tile);
    box(tensor, column || tile.transposed ? 0 : 1, tile, INT64_MAX); // lines of the tensor
  }
  /// At constant places.
  void inUb(const View &v) {
    const Buffer &b = program_.buffers[v.object];
    if (b.space != Space::ub)
      return refuse("an element function on buffer " + b.name + " in " +
                    std::string(name(b.space)) + " is not printed for Ascend yet");
    if (v.transposed || !v.offset[0].isConstant() || !v.offset[1].isConstant())
      return refuse("a part of buffer " + b.name +
                    " at a place that is computed is not printed "
                    "for Ascend yet");
  }
  void map(const Map &op) {
    const auto form = vectorForm(program_, op);
    if (!form)
      return refuse("an element function that is no single instruction of the vector cores is not "
                    "printed for Ascend; " +
                    whyWhole(op));
    if (form->kind == VectorForm::turn)
      return turn(op.ins[0], op.outs[0]);
    for (const View &v : op.outs)
      inUb(v);
    for (const View &v : op.ins)
      inUb(v);
    if (form->kind == VectorForm::spread)
      return spread(op);
    const View &out = op.outs[0];
    const bool strided = form->kind == VectorForm::move || form->kind == VectorForm::unary ||
                         form->kind == VectorForm::binary;
    for (const View &v : op.ins)
      operand(v, out, strided);
    if (!strided)
      dense(out);
    if (form->kind == VectorForm::move)
      wholeBlocks(op.ins[0], out);
  }
  /// What of it no instruction computes.
  std::string whyWhole(const Map &op) const {
    for (const ElementNode &n : op.fn.nodes)
      for (const ElementOp known : {ElementOp::exp2, ElementOp::log2, ElementOp::tanh,
                                    ElementOp::erf, ElementOp::fma, ElementOp::random})
        if (n.op == known)
          return "no instruction computes " + std::string(name(n.op));
    return "it compares or converts numbers, or the unified buffer has no room for what lies "
           "between its instructions";
  }
  bool isDense(const View &v) const {
    return v.rows() == 1 || v.cols() == program_.buffers[v.object].shape[1];
  }
  void dense(const View &v) {
    if (!isDense(v))
      refuse("a part of the columns of buffer " + program_.buffers[v.object].name +
             " is not printed here for Ascend yet");
  }
  /// DataCopy moves blocks of 32 bytes. Behind a column there is room for a whole one.
  void wholeBlocks(const View &in, const View &out) {
    const bool atOnce = in.shape == out.shape && isDense(in) && isDense(out);
    const int64_t bytes = (atOnce ? out.rows() : 1) * out.cols() * byteSize(program_.type(out));
    if (bytes % blockOfUb && !(atOnce && out.cols() == 1))
      refuse("a move of " + number(bytes) + " bytes to a part of buffer " +
             program_.buffers[out.object].name + " is not printed for Ascend; whole blocks of " +
             number(blockOfUb) + " are");
  }
  void operand(const View &v, const View &out, bool strided) {
    const Buffer &b = program_.buffers[v.object];
    const bool ofRow = v.rows() == 1 && v.cols() == out.cols();
    const bool spread =
        v.cols() == 1 && v.rows() == out.rows() && b.shape[1] == 8 && byteSize(b.type) == 4;
    if (v.shape == out.shape && !(v.cols() == 1 && spread))
      return strided ? void() : dense(v);
    if (!strided || (!ofRow && !spread))
      return refuse("one number for each row of buffer " + b.name +
                    " is taken from where it is "
                    "spread over 32 bytes");
    if (spread && out.cols() > 64 && out.cols() % 64 == 1) // which would be a column
      refuse("numbers for each row and " + number(out.cols()) + " columns of buffer " +
             program_.buffers[out.object].name + " are not printed for Ascend yet");
  }
  /// TransDataTo5HD: 16 rows of whole blocks of 32 bytes, which become rows of such blocks.
  void turn(const View &in, const View &out) {
    const Buffer &from = program_.buffers[in.object], &to = program_.buffers[out.object];
    const int64_t size = byteSize(from.type), rows = out.cols(), columns = out.rows();
    if (from.space != Space::ub || to.space != Space::ub || out.transposed ||
        from.type != to.type || (size != 2 && size != 4) || in.object == out.object)
      return refuse("a copy of the transposed buffer " + from.name +
                    " is printed between two buffers of the unified buffer, of one type of 16 or "
                    "32 bits");
    whole(in);
    whole(out);
    if (rows % rowsOfTransData || columns * size % blockOfUb)
      refuse("buffer " + from.name + " has " + number(rows) + " x " + number(columns) +
             " numbers; it is turned by 16 rows and blocks of 32 bytes");
  }
  /// Brcb.
  void spread(const Map &op) {
    const Buffer &from = program_.buffers[op.ins[0].object],
                 &to = program_.buffers[op.outs[0].object];
    if (op.outs[0].cols() != 8 || to.shape[1] != 8 || from.shape[1] != 1 ||
        byteSize(from.type) != 4 || from.type != to.type || !isAtStart(op.ins[0]) ||
        !isAtStart(op.outs[0]))
      refuse("one number for each row goes to 8 columns of 32 bits; another spread is not "
             "printed for Ascend yet");
  }
  static bool isAtStart(const View &v) { return v.offset[0] == Index{} && v.offset[1] == Index{}; }
  void fold(const Reduce &op) {
    if (!isOneFold(program_, op))
      return refuse("a fold that is no single instruction of the vector cores is not printed for "
                    "Ascend: sums, largest and smallest numbers of f32 along rows are");
    inUb(op.in);
    inUb(op.out);
    dense(op.out);
  }

  // ---- Cube cores
  void load(const Copy &op) {
    const Buffer &b = program_.buffers[op.destination.object];
    const bool byColumns = linesAreUpright(b.layout);
    if (!isFractal(b.layout))
      refuse("buffer " + b.name + " has layout " + std::string(name(b.layout)) +
             " in L1; fractals are printed for Ascend");
    if (program_.type(op.source) != b.type)
      refuse("a load that converts is not printed for Ascend yet");
    if (op.destination.transposed)
      refuse("a load into a transposed tile is not printed for Ascend yet");
    whole(op.destination);
    box(op.source, byColumns ? 0 : 1, op.destination);
  }

  void move(const Copy &op) {
    const Buffer &from = program_.buffers[op.source.object];
    const Buffer &to = program_.buffers[op.destination.object];
    const Layout wanted = to.space == Space::l0a ? Layout::zZ : Layout::nZ;
    if (to.layout != wanted)
      refuse("buffer " + to.name + " has layout " + std::string(name(to.layout)) + "; " +
             std::string(name(wanted)) + " is printed for Ascend");
    if (from.type != to.type || !isFractal(from.layout) || op.destination.transposed)
      refuse("this copy to " + std::string(name(to.space)) + " is not printed for Ascend yet");
    fractals(op.destination);
    if (op.source.rows() != op.destination.rows() || op.source.cols() != op.destination.cols())
      refuse("the two sides of a copy have different shapes");
    for (const int d : {0, 1})
      if (const int64_t whole = fractalShape(from)[d];
          ranges_.of(op.source.offset[d]).multiple % whole)
        refuse("a part of buffer " + from.name +
               " that begins inside of a fractal is not printed for "
               "Ascend; multiples of " +
               number(whole) + " are");
  }

  void store(const Copy &op) {
    const DType type = program_.type(op.destination), sums = program_.type(op.source);
    const bool rounds = type == DType::f16 || type == DType::bf16;
    if (type != sums && (sums != DType::f32 || !rounds))
      refuse("a store of " + std::string(name(type)) + " is not printed for Ascend yet");
    if (op.source.transposed)
      refuse("a store of a transposed tile is not printed for Ascend yet");
    whole(op.source);
    box(op.destination, 1, op.source);
  }

  void multiply(const Mmad &op) {
    for (const View *v : {&op.d, &op.a, &op.b})
      if (v->transposed)
        refuse("a transposed operand of mmad is not printed for Ascend yet");
    whole(op.d);
    fractals(op.a);
    fractals(op.b);
  }

  const Program &program_;
  const Ranges &ranges_;
  const Flags &flags_;
  Location at_;
  std::optional<Error> error_;
};

} // namespace

std::optional<Error> unprintable(const Program &program, const Ranges &ranges, const Flags &flags) {
  return Limits(program, ranges, flags).check();
}

} // namespace sluice::ascend
