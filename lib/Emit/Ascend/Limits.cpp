#include "Emit/Ascend/Limits.h"

#include "Emit/Boxes.h"
#include "Emit/Part.h"
#include "Program/Agent.h"
#include "Program/Joined.h"
#include "Program/OperationFacts.h"

namespace sluice::ascend {
namespace {

using emit::number;

constexpr int64_t fractal = 16;  // rows and columns of a fractal of 16-bit elements
constexpr int64_t lastEvent = 5; // static-tensor mode keeps 6 and 7 for itself

/// Ascend C, "general address alignment": bytes. L0C: 64 in the table, 1024 on Mmad's page.
int64_t alignmentOf(Space space) {
  return space == Space::l0c ? 1024 : space == Space::l0a || space == Space::l0b ? 512 : 32;
}

class Limits {
public:
  Limits(const Program &program, const Ranges &ranges, const Flags &flags)
      : program_(program), ranges_(ranges), flags_(flags) {}

  std::optional<Error> check() {
    at_ = program_.loc;
    if (program_.target != Target::ascend910b)
      refuse("Ascend C is printed for ascend910b, not yet for " +
             std::string(name(program_.target)));
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
  /// `what` is at most `most` in one call.
  void atMost(int64_t value, int64_t most, const std::string &what) {
    if (value > most)
      refuse(what + " is " + number(value) + "; a call takes at most " + number(most));
  }

  void buffer(const Buffer &b) {
    at_ = b.loc;
    const int64_t unit = alignmentOf(b.space);
    const bool cube = b.space == Space::l1 || b.space == Space::l0a || b.space == Space::l0b ||
                      b.space == Space::l0c;
    const bool sums = b.space == Space::l0c;
    if (!cube)
      refuse("buffer " + b.name + " lies in " + std::string(name(b.space)) +
             "; vector cores are not printed for Ascend yet");
    else if (sums ? b.type != DType::f32 : b.type != DType::f16 && b.type != DType::bf16)
      refuse("buffer " + b.name + " holds " + std::string(name(b.type)) +
             "; f16 and bf16, and f32 in L0C, are printed for Ascend");
    else if (b.shape.size() != 2 || b.shape[0] % fractal || b.shape[1] % fractal)
      refuse("buffer " + b.name + " is no tile of whole fractals of 16 x 16");
    else if (b.offset % unit || (b.slots > 1 && b.slotBytes % unit))
      refuse("the slots of buffer " + b.name + " must start at multiples of " + number(unit) +
             " bytes");
  }

  void statement(const Stmt &s) {
    at_ = s.loc;
    const FlagDeed deed = flagDeed(s.op);
    if (auto *role = std::get_if<Role>(&s.op); role && role->core != "aic")
      refuse("role " + role->name + " on " + role->core +
             ": vector cores are not printed for Ascend yet");
    else if (deed.kind != FlagDeed::none && deed.cross)
      refuseStatement(s);
    else if (deed.kind != FlagDeed::none)
      flag(deed);
    else if (auto *copy = std::get_if<Copy>(&s.op))
      this->copy(s, *copy);
    else if (auto *mmad = std::get_if<Mmad>(&s.op))
      multiply(*mmad);
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
    else
      refuse("a copy from " + std::string(name(from)) + " to " + std::string(name(to)) +
             " is not printed for Ascend yet");
  }

  /// A matrix of a tensor, whose lines are contiguous along `minor` of the tile (0: its columns).
  void box(const View &v, int minor, const View &tile) {
    const Tensor &t = program_.tensors[v.object];
    const std::vector<int> dims = emit::dimensionsOfTile(v);
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
      if (!ranges_.of(at).isWithin(0, INT32_MAX))
        refuse("a box of tensor " + t.name +
               " that may begin in front of it, or further than 32 bits count, is not printed "
               "for Ascend yet");
  }
  /// The view takes the whole slot.
  void whole(const View &v) {
    const Buffer &b = program_.buffers[v.object];
    if (v.shape != b.shape || !v.offset[0].isConstant() || v.offset[0].constant ||
        !v.offset[1].isConstant() || v.offset[1].constant)
      refuse("a part of a slot of buffer " + b.name + " is not printed here for Ascend yet");
  }

  void load(const Copy &op) {
    const Buffer &b = program_.buffers[op.destination.object];
    const bool byColumns = b.layout == Layout::nZ;
    if (b.layout != Layout::zN && !byColumns)
      refuse("buffer " + b.name + " has layout " + std::string(name(b.layout)) +
             " in L1; zN and nZ are printed for Ascend");
    if (program_.type(op.source) != b.type)
      refuse("a load that converts is not printed for Ascend yet");
    if (op.destination.transposed)
      refuse("a load into a transposed tile is not printed for Ascend yet");
    whole(op.destination);
    box(op.source, byColumns ? 0 : 1, op.destination);
    atMost(b.shape[byColumns], 16384, "nValue of DataCopy (ND2NZ), the lines of buffer " + b.name);
    atMost(b.shape[!byColumns], 65535, "dValue of DataCopy (ND2NZ), a line of buffer " + b.name);
  }

  void move(const Copy &op) {
    const Buffer &from = program_.buffers[op.source.object];
    const Buffer &to = program_.buffers[op.destination.object];
    const Layout wanted = to.space == Space::l0a ? Layout::zZ : Layout::nZ;
    if (to.layout != wanted)
      refuse("buffer " + to.name + " has layout " + std::string(name(to.layout)) + "; " +
             std::string(name(wanted)) + " is printed for Ascend");
    if (from.type != to.type || (from.layout != Layout::zN && from.layout != Layout::nZ) ||
        op.destination.transposed)
      refuse("this copy to " + std::string(name(to.space)) + " is not printed for Ascend yet");
    whole(op.destination);
    if (op.source.rows() != to.shape[0] || op.source.cols() != to.shape[1])
      refuse("the two sides of a copy have different shapes");
    for (const Index &at : op.source.offset)
      if (ranges_.of(at).multiple % fractal)
        refuse("a part of buffer " + from.name + " must begin at whole fractals, multiples of " +
               number(fractal));
    atMost(to.shape[1] / fractal, 255,
           "repeatTimes of LoadData, the fractals of a row of buffer " + to.name);
  }

  void store(const Copy &op) {
    const DType type = program_.type(op.destination);
    if (type != DType::f32 && type != DType::f16 && type != DType::bf16)
      refuse("a store of " + std::string(name(type)) + " is not printed for Ascend yet");
    if (op.source.transposed)
      refuse("a store of a transposed tile is not printed for Ascend yet");
    whole(op.source);
    box(op.destination, 1, op.source);
    atMost(op.source.shape[0], 8192, "mSize of Fixpipe, the rows of the tile,");
    atMost(op.source.shape[1], 4095, "nSize of Fixpipe, the columns of the tile,");
  }

  void multiply(const Mmad &op) {
    for (const View *v : {&op.d, &op.a, &op.b}) {
      if (v->transposed)
        refuse("a transposed operand of mmad is not printed for Ascend yet");
      whole(*v);
    }
    atMost(op.d.rows(), 4095, "m of Mmad");
    atMost(op.d.cols(), 4095, "n of Mmad");
    atMost(op.a.cols(), 4095, "k of Mmad");
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
