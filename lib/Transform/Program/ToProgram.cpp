#include "Transform/Program/ToProgram.h"

#include "Dialect/Marks.h"
#include "Program/Watchers.h"
#include "Transform/Program/Importer.h"
#include "Transform/Program/ShortParts.h"

#include "Dialect/ValueNames.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace sluice {

namespace marks = ir::marks;
namespace scf = mlir::scf;
using mlir::dyn_cast;
using mlir::isa;

void Importer::fail(mlir::Operation &op, const std::string &message) {
  if (!error_)
    error_ = unsupportedError(message, locationOf(op.getLoc()));
}

// ---- Objects ------------------------------------------------------------------------------------

void Importer::importArguments() {
  for (auto argument : kernel_.getBody().getArguments()) {
    unsigned i = argument.getArgNumber();
    auto type = dyn_cast<ir::TensorType>(argument.getType());
    if (!type) {
      auto dtype = *ir::dtypeOf(argument.getType());
      Scalar s{ScalarOp::argument, scalars_.id(argument), {}, 0, int(program_.arguments.size())};
      program_.body.stmts.push_back({s, Exec::threads, Pipe::none, locationOf(argument.getLoc())});
      if (dtype == DType::f32)
        parameters_[argument] = int(program_.arguments.size());
      program_.arguments.push_back({kernel_.argumentName(i), dtype});
      scalars_.name(argument, kernel_.argumentName(i));
      continue;
    }
    bool out = marks::out.on(kernel_, i);
    bool inout = marks::inout.on(kernel_, i);
    bool workspace = marks::workspace.on(kernel_, i);
    tensors_[argument] = int(program_.tensors.size());
    Tensor tensor{kernel_.argumentName(i),
                  *ir::dtypeOf(type.getElementType()),
                  int(type.getRank()),
                  type.getMinor(),
                  type.getAlign(),
                  (!out || inout) && !workspace,
                  out || inout,
                  locationOf(argument.getLoc()),
                  type.getShape().vec(),
                  marks::previous.on(kernel_, i)};
    if (const auto joined = marks::joined.of(kernel_, i))
      tensor.joined = int(joined.getInt());
    if (const auto extent = marks::joinedExtent.of(kernel_, i))
      tensor.joinedExtent = extent.getInt();
    tensor.isLine = marks::line.on(kernel_, i);
    program_.tensors.push_back(tensor);
  }
  for (auto argument : kernel_.getBody().getArguments())
    importInPlace(argument);
}

/// The proof takes both as one tensor, so that their extents have to be the same.
void Importer::importInPlace(mlir::BlockArgument output) {
  const auto name = marks::inPlace.of(kernel_, output.getArgNumber());
  if (!name)
    return;
  const int written = tensors_.lookup(output);
  const auto input = std::ranges::find(program_.tensors, name.str(), &Tensor::name);
  Tensor &tensor = program_.tensors[written];
  tensor.inPlaceOf = int(input - program_.tensors.begin());
  for (int d = 0; d < tensor.rank; ++d) {
    std::vector<Scalar> same = {{ScalarOp::dim, 0, {}, d, written},
                                {ScalarOp::dim, 1, {}, d, tensor.inPlaceOf},
                                {ScalarOp::eq, 2, {0, 1}}};
    program_.assumptions.push_back(
        {std::move(same),
         "extent " + std::to_string(d) + " of " + tensor.name + " is that of " + input->name,
         tensor.loc, true});
  }
}

void Importer::importAlloc(ir::AllocOp op) {
  auto type = op.getBuffer().getType();
  Buffer buffer;
  buffer.name = op.getName().str();
  buffer.space = type.getSpace();
  buffer.type = *ir::dtypeOf(type.getElementType());
  buffer.shape.assign(type.getShape().begin(), type.getShape().end());
  buffer.layout = type.getLayout();
  buffer.minor = type.getMinor();
  buffer.slots = type.getSlots();
  buffer.offset = op.getOffset().value_or(0);
  buffer.slotBytes = ir::slotBytesOf(type);
  buffer.role = role_;
  buffer.loc = locationOf(op.getLoc());
  if (buffer.space == Space::unplaced)
    return fail(*op, "buffer '" + buffer.name + "' has no memory space yet");
  if (buffer.space == Space::tmem && program_.target != Target::sm_100a)
    return fail(*op, "buffer '" + buffer.name + "' is in tensor memory, which sm_100a has");
  buffers_[op.getBuffer()] = int(program_.buffers.size());
  program_.buffers.push_back(buffer);
}

void Importer::importMbarriers(ir::MbarrierAllocOp op) {
  mbarriers_[op.getBarriers()] = int(program_.mbarriers.size());
  program_.mbarriers.push_back({op.getName().str(), op.getBarriers().getType().getSlots(),
                                int64_t(op.getOffset().value_or(0)), locationOf(op.getLoc())});
}

// ---- Operands ---------------------------------------------------------------------------------

std::vector<ValueId> Importer::ids(mlir::ValueRange values) {
  std::vector<ValueId> result;
  for (mlir::Value v : values)
    result.push_back(scalars_.id(v));
  return result;
}

/// Folds slot, subview and transpose; the shape counts in dimensions of the buffer.
View Importer::bufferView(mlir::Value value) {
  if (auto slot = value.getDefiningOp<ir::SlotOp>()) {
    View view = bufferView(slot.getBuffer());
    view.slot = index(slot.getIndex());
    return view;
  }
  if (auto transpose = value.getDefiningOp<ir::TransposeOp>()) {
    View view = bufferView(transpose.getBuffer());
    view.transposed = !view.transposed;
    return view;
  }
  if (auto sub = value.getDefiningOp<ir::SubviewOp>()) {
    View view = bufferView(sub.getBuffer());
    for (int d : {0, 1}) {
      int own = view.transposed ? 1 - d : d;
      view.shape[own] = sub.getView().getType().getShape()[d];
      Index more = index(sub.getOffsets()[d]);
      if (!view.offset[own].isConstant() && !more.isConstant())
        fail(*sub, "a subview of a subview, both with run-time offsets in one dimension");
      view.offset[own].constant += more.constant;
      if (!more.isConstant())
        view.offset[own].value = more.value;
    }
    return view;
  }
  View view;
  auto it = buffers_.find(value);
  if (it == buffers_.end()) {
    if (auto *op = value.getDefiningOp())
      fail(*op, "'" + op->getName().getStringRef().str() + "' does not make a buffer");
    return view;
  }
  view.object = it->second;
  view.offset.resize(2);
  view.shape = program_.buffers[it->second].shape;
  return view;
}

std::vector<View> Importer::bufferViews(mlir::ValueRange values) {
  std::vector<View> views;
  for (mlir::Value v : values)
    views.push_back(bufferView(v));
  return views;
}

/// The box of a tensor that corresponds to an on-chip box; leading dimensions have extent 1.
View Importer::tensorView(mlir::Value tensor, mlir::ValueRange offsets, const View &box) {
  View view;
  view.kind = View::tensor;
  while (auto clip = tensor.getDefiningOp<ir::ClipOp>()) {
    view.clips.push_back({int(clip.getDimension()), index(clip.getExtent())});
    tensor = clip.getTensor();
  }
  const int rows = mlir::cast<ir::TensorType>(tensor.getType()).getRows();
  view.object = tensors_.lookup(tensor);
  for (mlir::Value offset : offsets)
    view.offset.push_back(index(offset));
  view.shape.assign(offsets.size(), 1);
  if (box.shape.size() != 2)
    return view;
  view.shape.back() = box.cols();
  if (rows >= 0)
    view.shape[rows] = box.rows();
  return view;
}

MbarrierRef Importer::barrier(mlir::Value array, mlir::Value slot, mlir::Value rank) {
  MbarrierRef ref;
  ref.object = mbarriers_.lookup(array);
  if (slot)
    ref.slot = index(slot);
  if (rank)
    ref.remote = index(rank);
  return ref;
}

// ---- Control ----------------------------------------------------------------------------------

Block Importer::importBlock(mlir::Block &block) {
  Block result;
  for (mlir::Operation &op : block) {
    if (isa<scf::ConditionOp>(op))
      continue; // importWhile takes its operands
    if (auto yield = dyn_cast<scf::YieldOp>(op))
      result.yields = ids(yield.getOperands());
    else
      importOp(op, result);
    if (error_)
      break;
  }
  return result;
}

static bool carriesCursor(mlir::Operation *op) {
  return isa<scf::ForOp, scf::WhileOp>(op) &&
         llvm::any_of(op->getOperandTypes(), [](mlir::Type t) { return isa<ir::CursorType>(t); });
}

/// Whether its iterations are those that verdicts and timelines count: as a mark says or, where no
/// loop of the kernel has one, if it is the innermost that goes round a ring.
static bool isPipelined(mlir::Operation *loop) {
  const auto any = [](mlir::Operation *in, llvm::function_ref<bool(mlir::Operation *)> holds) {
    return in
        ->walk([&](mlir::Operation *op) {
          return op != in && holds(op) ? mlir::WalkResult::interrupt()
                                       : mlir::WalkResult::advance();
        })
        .wasInterrupted();
  };
  const auto isMarked = [](mlir::Operation *op) { return marks::pipelined.on(op); };
  return isMarked(loop) || (carriesCursor(loop) && !any(loop, carriesCursor) &&
                            !any(loop->getParentOfType<ir::KernelOp>(), isMarked));
}

void Importer::importFor(scf::ForOp op, Block &into) {
  importStep(op);
  For loop;
  loop.iv = scalars_.id(op.getInductionVar());
  loop.lower = scalars_.id(op.getLowerBound());
  loop.upper = scalars_.id(op.getUpperBound());
  loop.step = scalars_.id(op.getStep());
  loop.inits = ids(op.getInitArgs());
  loop.iterArgs = ids(op.getRegionIterArgs());
  loop.results = ids(op.getResults());
  if (auto name = marks::name.of(op)) {
    loop.name = name.str();
    scalars_.name(op.getInductionVar(), loop.name);
  }
  if (auto names = marks::carries.of(op))
    for (auto [value, text] : llvm::zip(op.getRegionIterArgs(), names))
      scalars_.name(value, llvm::cast<mlir::StringAttr>(text).str());
  loop.pipelined = isPipelined(op);
  loop.body = importBlock(*op.getBody());
  push(into, *op, std::move(loop));
}

ValueId Importer::constant(mlir::Operation &op, int64_t value, Block &into) {
  const ValueId id = scalars_.fresh();
  push(into, op, Scalar{ScalarOp::constant, id, {}, value});
  return id;
}

/// A value of a type, for what nobody reads.
ValueId Importer::anyValue(mlir::Operation &op, mlir::Type type, Block &into) {
  auto cursor = dyn_cast<ir::CursorType>(type);
  if (!cursor)
    return constant(op, 0, into);
  const ValueId id = scalars_.fresh();
  push(into, op, Scalar{ScalarOp::cursorInit, id, {}, cursor.getSlots()});
  return id;
}

/// The part before the condition is the loop's body; the part after it a branch of the body. What
/// the condition hands on is carried beside the loop's own values, to be the loop's results.
void Importer::importWhile(scf::WhileOp op, Block &into) {
  const size_t own = op.getBeforeArguments().size();
  auto condition = op.getConditionOp();
  For loop;
  loop.iv = scalars_.fresh();
  loop.lower = loop.upper = constant(*op, 0, into);
  loop.step = constant(*op, 1, into);
  loop.inits = ids(op.getInits());
  loop.iterArgs = ids(op.getBeforeArguments());
  for (size_t i = 0; i < own; ++i)
    loop.results.push_back(scalars_.fresh());
  for (mlir::Value result : op.getResults()) {
    loop.inits.push_back(anyValue(*op, result.getType(), into));
    loop.iterArgs.push_back(scalars_.fresh());
    loop.results.push_back(scalars_.id(result));
  }
  loop.body = importBlock(*op.getBeforeBody());
  for (auto [to, from] : llvm::zip(op.getAfterArguments(), condition.getArgs()))
    scalars_.alias(to, from);
  Block after = importBlock(*op.getAfterBody());
  loop.condition = scalars_.id(condition.getCondition());
  loop.pipelined = isPipelined(op);
  if (after.stmts.empty()) {
    loop.body.yields = std::move(after.yields);
  } else {
    If goesOn;
    goesOn.condition = loop.condition;
    goesOn.thenBlock = std::move(after);
    goesOn.elseBlock.yields.assign(loop.iterArgs.begin(), loop.iterArgs.begin() + int64_t(own));
    for (size_t i = 0; i < own; ++i)
      goesOn.results.push_back(scalars_.fresh());
    loop.body.yields = goesOn.results;
    push(loop.body, *op, std::move(goesOn));
  }
  for (ValueId handedOn : ids(condition.getArgs()))
    loop.body.yields.push_back(handedOn);
  push(into, *op, std::move(loop));
}

void Importer::importIf(scf::IfOp op, Block &into) {
  If branch;
  branch.condition = scalars_.id(op.getCondition());
  branch.results = ids(op.getResults());
  branch.thenBlock = importBlock(*op.thenBlock());
  if (op.elseBlock())
    branch.elseBlock = importBlock(*op.elseBlock());
  push(into, *op, std::move(branch));
}

void Importer::importRole(ir::RoleOp op, Block &into) {
  Role role;
  role.name = op.getName().str();
  if (op.getFirst()) {
    role.firstWarp = int(*op.getFirst());
    role.warps = int(*op.getEnd()) - role.firstWarp;
  }
  role.core = op.getCore().value_or("").str();
  role.registers = int(op.getRegisters().value_or(0));
  std::string outer = std::exchange(role_, role.name);
  role.body = importBlock(op.getBody().front());
  role_ = outer;
  push(into, *op, std::move(role));
}

void Importer::importOp(mlir::Operation &op, Block &into) {
  if (auto alloc = dyn_cast<ir::AllocOp>(op))
    return importAlloc(alloc);
  if (auto alloc = dyn_cast<ir::MbarrierAllocOp>(op))
    return importMbarriers(alloc);
  if (auto assume = dyn_cast<ir::AssumeOp>(op))
    return importAssumption(assume);
  if (assumed_.contains(&op))
    return;
  if (isa<ir::SlotOp, ir::SubviewOp, ir::TransposeOp, ir::ClipOp>(op))
    return; // views are folded into their users
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return importFor(loop, into);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return importIf(branch, into);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return importWhile(loop, into);
  if (auto role = dyn_cast<ir::RoleOp>(op))
    return importRole(role, into);
  if (auto grid = dyn_cast<ir::GridOp>(op))
    return importGrid(grid, into);
  if (isa<mlir::arith::ConstantOp>(op) && op.getResult(0).getType().isFloat())
    return; // element functions take it where they use it
  if (isa<mlir::arith::ArithDialect>(op.getDialect()))
    noteInteger(op);
  if (scalars_.importAlias(op))
    return;
  if (auto scalar = scalars_.import(op, tensors_)) {
    auto advance = dyn_cast<ir::CursorAdvanceOp>(op);
    if (advance && advance.getBy() != 1) {
      ValueId by = scalars_.fresh();
      push(into, op, Scalar{ScalarOp::constant, by, {}, int64_t(advance.getBy())});
      scalar->operands.push_back(by);
    }
    if (const std::string name = ir::valueName(op.getResult(0)); !name.empty())
      scalars_.name(op.getResult(0), name);
    return push(into, op, *scalar);
  }
  if (isa<ir::ScalarWriteOp, ir::CounterAddOp, ir::CounterWaitOp>(op))
    integers_.push_back(&op);
  if (importData(op, into) || importMap(op, into) || importMbarrierOp(op, into) ||
      importGroups(op, into) || importFlags(op, into) || importNumbers(op, into) ||
      importTensorMemory(op, into))
    return;
  fail(op, "'" + op.getName().getStringRef().str() + "' is not supported at the barrier level yet");
}

Result<Program> Importer::run() {
  program_.name = kernel_.getName().str();
  program_.loc = locationOf(kernel_.getLoc());
  if (auto target = kernel_.getTarget())
    program_.target = *parseTarget(target->str());
  program_.warps = int(kernel_.getWarps().value_or(0));
  program_.sharedBytes = kernel_.getSharedBytes().value_or(0);
  if (auto cluster = kernel_.getCluster())
    for (size_t d = 0; d < 3 && d < cluster->size(); ++d)
      program_.cluster[d] = (*cluster)[d];
  importArguments();
  findAssumed();
  Block body = importBlock(kernel_.getBody().front());
  if (error_)
    return *error_;
  for (Stmt &s : body.stmts)
    program_.body.stmts.push_back(std::move(s));
  checkIntegers();
  if (!error_)
    error_ = checkShortParts(program_);
  if (error_)
    return *error_;
  findWatchers(program_);
  return std::move(program_);
}

Result<Program> toProgram(ir::KernelOp kernel) {
  return Importer(kernel).run();
}

} // namespace sluice
