#include "Transform/ToProgram.h"

#include "Transform/ElementFnImport.h"
#include "Transform/ScalarImport.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

namespace sluice {
namespace {

namespace scf = mlir::scf;
using mlir::dyn_cast;
using mlir::isa;

/// Builds one Program; the first failure stays in error_ and ends the walk.
class Importer {
public:
  explicit Importer(ir::KernelOp kernel) : kernel_(kernel) {}
  Result<Program> run();

private:
  void importArguments();
  void importAlloc(ir::AllocOp op);
  void importMbarriers(ir::MbarrierAllocOp op);

  Block importBlock(mlir::Block &block);
  void importOp(mlir::Operation &op, Block &into);
  void importFor(scf::ForOp op, Block &into);
  void importIf(scf::IfOp op, Block &into);
  void importRole(ir::RoleOp op, Block &into);
  bool importData(mlir::Operation &op, Block &into);
  bool importMap(mlir::Operation &op, Block &into);
  bool importMbarrierOp(mlir::Operation &op, Block &into);
  bool importGroups(mlir::Operation &op, Block &into);
  bool importFlags(mlir::Operation &op, Block &into);

  std::vector<ValueId> ids(mlir::ValueRange values);
  Index index(mlir::Value value) { return scalars_.index(value); }
  View bufferView(mlir::Value value);
  std::vector<View> bufferViews(mlir::ValueRange values);
  View tensorView(mlir::Value tensor, mlir::ValueRange offsets, const View &box);
  View element(mlir::Value tensor, mlir::ValueRange offsets) {
    return tensorView(tensor, offsets, View{});
  }
  MbarrierRef barrier(mlir::Value array, mlir::Value slot, mlir::Value rank = {});
  Index accumulate(mlir::Value condition) { return condition ? index(condition) : Index{kNone, 1}; }

  template <typename T> void push(Block &into, mlir::Operation &op, T operation);
  void fail(mlir::Operation &op, const std::string &message);

  ir::KernelOp kernel_;
  Program program_;
  ScalarImport scalars_{program_};
  llvm::DenseMap<mlir::Value, int> tensors_, buffers_, mbarriers_;
  std::string role_;
  std::optional<Error> error_;
};

void Importer::fail(mlir::Operation &op, const std::string &message) {
  if (!error_)
    error_ = unsupportedError(message, locationOf(op.getLoc()));
}

static Exec execOf(mlir::Operation &op) {
  auto attr = op.getAttrOfType<ir::ExecAttr>("exec");
  return attr ? Exec(int(attr.getValue())) : Exec::threads;
}

static Pipe pipeOf(mlir::Operation &op) {
  auto attr = op.getAttrOfType<ir::PipeAttr>("pipe");
  static const Pipe pipes[] = {Pipe::none, Pipe::s,   Pipe::mte1, Pipe::mte2, Pipe::mte3,
                               Pipe::m,    Pipe::fix, Pipe::v,    Pipe::all};
  return attr ? pipes[int(attr.getValue())] : Pipe::none;
}

static Scope scopeOf(ir::Scope scope) {
  static const Scope scopes[] = {Scope::cta, Scope::cluster, Scope::gpu};
  return scopes[int(scope)];
}

static Pipe pipeOf(ir::Pipe pipe) {
  static const Pipe pipes[] = {Pipe::none, Pipe::s,   Pipe::mte1, Pipe::mte2, Pipe::mte3,
                               Pipe::m,    Pipe::fix, Pipe::v,    Pipe::all};
  return pipes[int(pipe)];
}

template <typename T> void Importer::push(Block &into, mlir::Operation &op, T operation) {
  into.stmts.push_back({std::move(operation), execOf(op), pipeOf(op), locationOf(op.getLoc())});
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
      program_.arguments.push_back({kernel_.argumentName(i), dtype});
      scalars_.name(argument, kernel_.argumentName(i));
      continue;
    }
    bool out = bool(kernel_.getArgAttr(i, "sluice.out"));
    bool inout = bool(kernel_.getArgAttr(i, "sluice.inout"));
    bool workspace = bool(kernel_.getArgAttr(i, "sluice.workspace"));
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
                  bool(kernel_.getArgAttr(i, "sluice.previous"))};
    program_.tensors.push_back(tensor);
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
  buffer.slotBytes = *ir::byteSizeOf(type);
  buffer.role = role_;
  buffer.loc = locationOf(op.getLoc());
  if (buffer.space == Space::unplaced)
    return fail(*op, "buffer '" + buffer.name + "' has no memory space yet");
  if (buffer.space == Space::tmem)
    return fail(*op, "tensor memory is not supported yet");
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
  view.object = tensors_.lookup(tensor);
  for (mlir::Value offset : offsets)
    view.offset.push_back(index(offset));
  view.shape.assign(offsets.size(), 1);
  if (box.shape.size() != 2)
    return view;
  view.shape.back() = box.cols();
  if (offsets.size() > 1)
    view.shape[offsets.size() - 2] = box.rows();
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
    if (auto yield = dyn_cast<scf::YieldOp>(op))
      result.yields = ids(yield.getOperands());
    else
      importOp(op, result);
    if (error_)
      break;
  }
  return result;
}

void Importer::importFor(scf::ForOp op, Block &into) {
  For loop;
  loop.iv = scalars_.id(op.getInductionVar());
  loop.lower = scalars_.id(op.getLowerBound());
  loop.upper = scalars_.id(op.getUpperBound());
  loop.step = scalars_.id(op.getStep());
  loop.inits = ids(op.getInitArgs());
  loop.iterArgs = ids(op.getRegionIterArgs());
  loop.results = ids(op.getResults());
  if (auto name = op->getAttrOfType<mlir::StringAttr>("sluice.name")) {
    loop.name = name.str();
    scalars_.name(op.getInductionVar(), loop.name);
  }
  if (auto names = op->getAttrOfType<mlir::ArrayAttr>("sluice.carries"))
    for (auto [value, text] : llvm::zip(op.getRegionIterArgs(), names))
      scalars_.name(value, llvm::cast<mlir::StringAttr>(text).str());
  loop.pipelined = op->hasAttr("sluice.pipelined");
  loop.body = importBlock(*op.getBody());
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

// ---- Operations -------------------------------------------------------------------------------

bool Importer::importMap(mlir::Operation &op, Block &into) {
  std::string reason;
  if (auto map = dyn_cast<ir::MapOp>(op)) {
    auto fn = importElementFn(map.getBody().front(), int(map.getInputs().size()),
                              map.getCoordinates(), reason);
    if (!fn)
      return fail(op, reason), true;
    push(into, op, Map{bufferViews(map.getOutputs()), bufferViews(map.getInputs()), *fn});
    return true;
  }
  auto reduce = dyn_cast<ir::ReduceOp>(op);
  if (!reduce)
    return false;
  if (reduce.getOutputs().size() != 1 || reduce.getInputs().size() != 1)
    return fail(op, "reductions of several values are not supported yet"), true;
  auto fn = importElementFn(reduce.getBody().front(), 2, false, reason);
  if (!fn)
    return fail(op, reason), true;
  push(into, op,
       Reduce{bufferView(reduce.getOutputs()[0]), bufferView(reduce.getInputs()[0]),
              int(reduce.getAxis()), reduce.getIdentities()[0], *fn});
  return true;
}

bool Importer::importData(mlir::Operation &op, Block &into) {
  return llvm::TypeSwitch<mlir::Operation *, bool>(&op)
      .Case<ir::LoadOp>([&](ir::LoadOp o) {
        if (o.getRows())
          return fail(op, "gathering loads are not supported yet"), true;
        View to = bufferView(o.getDestination());
        push(into, op, Copy{to, tensorView(o.getSource(), o.getOffsets(), to), o.getAsync()});
        return true;
      })
      .Case<ir::StoreOp>([&](ir::StoreOp o) {
        if (o.getAdd())
          return fail(op, "adding stores by threads are not supported yet"), true;
        View from = bufferView(o.getSource());
        push(into, op, Copy{tensorView(o.getDestination(), o.getOffsets(), from), from, false});
        return true;
      })
      .Case<ir::CopyOp>([&](ir::CopyOp o) {
        push(into, op, Copy{bufferView(o.getDestination()), bufferView(o.getSource()), false});
        return true;
      })
      .Case<ir::FillOp>([&](ir::FillOp o) {
        push(into, op, Fill{bufferView(o.getDestination()), o.getValue().convertToDouble()});
        return true;
      })
      .Case<ir::TmaLoadOp>([&](ir::TmaLoadOp o) {
        View to = bufferView(o.getDestination());
        push(into, op,
             TmaLoad{to, tensorView(o.getSource(), o.getOffsets(), to),
                     barrier(o.getBarriers(), o.getIndex(), o.getRank()),
                     int64_t(o.getMulticast())});
        return true;
      })
      .Case<ir::TmaStoreOp>([&](ir::TmaStoreOp o) {
        View from = bufferView(o.getSource());
        push(into, op,
             TmaStore{tensorView(o.getDestination(), o.getOffsets(), from), from, o.getAdd()});
        return true;
      })
      .Case<ir::WgmmaOp>([&](ir::WgmmaOp o) {
        push(into, op,
             Wgmma{bufferView(o.getD()), bufferView(o.getA()), bufferView(o.getB()),
                   accumulate(o.getAccumulate())});
        return true;
      })
      .Case<ir::MmadOp>([&](ir::MmadOp o) {
        push(into, op,
             Mmad{bufferView(o.getD()), bufferView(o.getA()), bufferView(o.getB()),
                  accumulate(o.getAccumulate())});
        into.stmts.back().pipe = Pipe::m;
        return true;
      })
      .Default([](auto) { return false; });
}

bool Importer::importMbarrierOp(mlir::Operation &op, Block &into) {
  auto bytes = [&](int64_t constant, mlir::Value more) {
    Index total = more ? index(more) : Index{};
    total.constant += constant;
    return total;
  };
  return llvm::TypeSwitch<mlir::Operation *, bool>(&op)
      .Case<ir::MbarrierInitOp>([&](ir::MbarrierInitOp o) {
        push(into, op,
             MbarrierInit{barrier(o.getBarriers(), o.getIndex()), !o.getIndex(),
                          int64_t(o.getCount())});
        return true;
      })
      .Case<ir::MbarrierInvalOp>([&](ir::MbarrierInvalOp o) {
        push(into, op, MbarrierInval{barrier(o.getBarriers(), o.getIndex()), !o.getIndex()});
        return true;
      })
      .Case<ir::MbarrierArriveOp>([&](ir::MbarrierArriveOp o) {
        push(into, op,
             MbarrierArrive{barrier(o.getBarriers(), o.getIndex(), o.getRank()),
                            int64_t(o.getCount()), scopeOf(o.getScope())});
        return true;
      })
      .Case<ir::MbarrierArriveExpectTxOp>([&](ir::MbarrierArriveExpectTxOp o) {
        push(into, op,
             MbarrierArriveExpectTx{barrier(o.getBarriers(), o.getIndex(), o.getRank()),
                                    bytes(o.getBytes(), o.getMore()), scopeOf(o.getScope())});
        return true;
      })
      .Case<ir::MbarrierExpectTxOp>([&](ir::MbarrierExpectTxOp o) {
        push(into, op,
             MbarrierExpectTx{barrier(o.getBarriers(), o.getIndex(), o.getRank()),
                              bytes(o.getBytes(), o.getMore())});
        return true;
      })
      .Case<ir::MbarrierWaitOp>([&](ir::MbarrierWaitOp o) {
        push(into, op,
             MbarrierWait{barrier(o.getBarriers(), o.getIndex()), index(o.getParity()),
                          scopeOf(o.getScope())});
        return true;
      })
      .Case<ir::CpAsyncArriveOp>([&](ir::CpAsyncArriveOp o) {
        push(into, op, CpAsyncArrive{barrier(o.getBarriers(), o.getIndex()), true});
        return true;
      })
      .Default([](auto) { return false; });
}

bool Importer::importGroups(mlir::Operation &op, Block &into) {
  auto done = [&](auto operation) { return push(into, op, operation), true; };
  return llvm::TypeSwitch<mlir::Operation *, bool>(&op)
      .Case<ir::BarSyncOp>([&](auto o) {
        return done(NamedBarrier{int(o.getId()), int64_t(o.getThreads()), false});
      })
      .Case<ir::BarArriveOp>([&](auto o) {
        return done(NamedBarrier{int(o.getId()), int64_t(o.getThreads()), true});
      })
      .Case<ir::WarpSyncOp>([&](auto) { return done(WarpSync{}); })
      .Case<ir::ClusterArriveOp>([&](auto o) {
        return done(ClusterBarrier{o.getRelaxed() ? ClusterBarrier::arriveRelaxed
                                                  : ClusterBarrier::arrive});
      })
      .Case<ir::ClusterWaitOp>([&](auto) { return done(ClusterBarrier{ClusterBarrier::wait}); })
      .Case<ir::FenceOp>([&](auto o) {
        switch (o.getKind()) {
        case ir::FenceKind::proxy_async:
          return done(Fence{Fence::proxyAsync});
        case ir::FenceKind::proxy_async_global:
          return done(Fence{Fence::proxyAsyncGlobal});
        case ir::FenceKind::mbarrier_init:
          return done(Fence{Fence::mbarrierInit});
        default:
          return fail(op, "tcgen05 fences are not supported yet"), true;
        }
      })
      .Case<ir::BulkCommitOp>([&](auto) { return done(BulkCommit{}); })
      .Case<ir::BulkWaitOp>([&](auto o) {
        return done(BulkWait{int64_t(o.getPending()), o.getRead()});
      })
      .Case<ir::CpAsyncCommitOp>([&](auto) { return done(CpAsyncCommit{}); })
      .Case<ir::CpAsyncWaitOp>([&](auto o) { return done(CpAsyncWait{int64_t(o.getPending())}); })
      .Case<ir::WgmmaFenceOp>([&](auto) { return done(WgmmaFence{}); })
      .Case<ir::WgmmaCommitOp>([&](auto) { return done(WgmmaCommit{}); })
      .Case<ir::WgmmaWaitOp>([&](auto o) { return done(WgmmaWait{int64_t(o.getPending())}); })
      .Case<ir::EpochOp>([&](auto) { return done(Epoch{}); })
      .Case<ir::GridDependencyOp>([&](auto o) { return done(GridDependency{o.getLaunch()}); })
      .Case<ir::CounterAddOp>([&](auto o) {
        if (!o.getOld().use_empty())
          return fail(op, "the old value of a counter is not supported yet"), true;
        return done(CounterAdd{element(o.getCounter(), o.getOffsets()), index(o.getValue()),
                               scopeOf(o.getScope()), o.getRelaxed()});
      })
      .Case<ir::CounterWaitOp>([&](auto o) {
        return done(CounterWait{element(o.getCounter(), o.getOffsets()), index(o.getValue()),
                                scopeOf(o.getScope()), o.getCoResident()});
      })
      .Default([](auto) { return false; });
}

bool Importer::importFlags(mlir::Operation &op, Block &into) {
  auto done = [&](auto operation) { return push(into, op, operation), true; };
  return llvm::TypeSwitch<mlir::Operation *, bool>(&op)
      .Case<ir::SetFlagOp>([&](auto o) {
        return done(SetFlag{pipeOf(o.getSource()), pipeOf(o.getDestination()), index(o.getId())});
      })
      .Case<ir::WaitFlagOp>([&](auto o) {
        return done(WaitFlag{pipeOf(o.getSource()), pipeOf(o.getDestination()), index(o.getId())});
      })
      .Case<ir::PipeBarrierOp>([&](auto o) { return done(PipeBarrier{pipeOf(o.getPipe())}); })
      .Case<ir::CrossSetOp>([&](auto o) {
        return done(CrossSet{int(o.getMode()), pipeOf(o.getPipe()), index(o.getId())});
      })
      .Case<ir::CrossWaitOp>([&](auto o) {
        return done(CrossWait{pipeOf(o.getPipe()), index(o.getId())});
      })
      .Default([](auto) { return false; });
}

void Importer::importOp(mlir::Operation &op, Block &into) {
  if (auto alloc = dyn_cast<ir::AllocOp>(op))
    return importAlloc(alloc);
  if (auto alloc = dyn_cast<ir::MbarrierAllocOp>(op))
    return importMbarriers(alloc);
  if (isa<ir::SlotOp, ir::SubviewOp, ir::TransposeOp, ir::PrefetchOp>(op))
    return; // views are folded into their users; a prefetch has no effect on values
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return importFor(loop, into);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return importIf(branch, into);
  if (auto role = dyn_cast<ir::RoleOp>(op))
    return importRole(role, into);
  if (auto grid = dyn_cast<ir::GridOp>(op)) {
    program_.gridRank = int(grid.getExtents().size());
    return push(into, op, Grid{ids(grid.getExtents()), ids(grid.getCoordinates())});
  }
  if (scalars_.importAlias(op))
    return;
  if (auto scalar = scalars_.import(op, tensors_)) {
    auto advance = dyn_cast<ir::CursorAdvanceOp>(op);
    if (advance && advance.getBy() != 1) {
      ValueId by = scalars_.fresh();
      push(into, op, Scalar{ScalarOp::constant, by, {}, int64_t(advance.getBy())});
      scalar->operands.push_back(by);
    }
    return push(into, op, *scalar);
  }
  if (importData(op, into) || importMap(op, into) || importMbarrierOp(op, into) ||
      importGroups(op, into) || importFlags(op, into))
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
  Block body = importBlock(kernel_.getBody().front());
  if (error_)
    return *error_;
  for (Stmt &s : body.stmts)
    program_.body.stmts.push_back(std::move(s));
  return std::move(program_);
}

} // namespace

Result<Program> toProgram(ir::KernelOp kernel) {
  return Importer(kernel).run();
}

} // namespace sluice
