// Statements of the embedded language: arguments, structure, movement, products.
#include "sluice/KernelBuilder.h"

#include "Dialect/Marks.h"
#include "Dialect/ValueNames.h"
#include "Language/Recorder.h"
#include "Language/TileText.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <algorithm>
#include <utility>

using namespace mlir;

namespace sluice::lang {

namespace marks = ir::marks;

KernelBuilder::KernelBuilder(std::string name, SourceLocation at)
    : recorder_(std::make_unique<detail::Recorder>(name, at)) {}
KernelBuilder::~KernelBuilder() = default;

Result<Kernel> KernelBuilder::build(SourceLocation at) {
  return recorder_->finish(at);
}
const std::vector<Error> &KernelBuilder::errors() const {
  return recorder_->errors;
}

// ---- Arguments --------------------------------------------------------------------------------

Tensor KernelBuilder::input(std::string name, DType type, int rank, TensorOptions options,
                            SourceLocation at) {
  return addTensor(std::move(name), type, rank, options, nullptr, at);
}
Tensor KernelBuilder::output(std::string name, DType type, int rank, TensorOptions options,
                             SourceLocation at) {
  return addTensor(std::move(name), type, rank, options, marks::out.name.data(), at);
}
Tensor KernelBuilder::inout(std::string name, DType type, int rank, TensorOptions options,
                            SourceLocation at) {
  return addTensor(std::move(name), type, rank, options, marks::inout.name.data(), at);
}

/// Whether there is a row whose last parts may be short.
static bool isOfShortParts(const TensorOptions &options) {
  const std::vector<int64_t> &extents = options.extents;
  return options.joined == 1 && extents.size() == 3 && options.joinedExtent > 0 &&
         options.joinedExtent < extents[1] * extents[2];
}

/// What is wrong with the description of a tensor; empty: nothing.
static std::string wrongTensor(const std::string &name, int rank, const TensorOptions &options) {
  std::string start = "tensor '" + name + "': ";
  if (rank < 1 || rank > 5)
    return start + "rank " + std::to_string(rank) + "; 1 to 5 is possible";
  if (options.minor < -1 || options.minor >= rank)
    return start + "minor = " + std::to_string(options.minor) + " names no dimension of rank " +
           std::to_string(rank);
  if (options.rows < -1 || (options.rows >= 0 && options.rows >= rank - 1))
    return start + "rows = " + std::to_string(options.rows) +
           " names no dimension before the last of rank " + std::to_string(rank);
  if (options.align < 0 || (options.align & (options.align - 1)))
    return start + "align = " + std::to_string(options.align) + " is no power of two";
  if (!options.extents.empty() && int(options.extents.size()) != rank)
    return start + std::to_string(options.extents.size()) + " extents for rank " +
           std::to_string(rank);
  for (int64_t extent : options.extents)
    if (extent < 0 && extent != anyExtent)
      return start + "an extent of " + std::to_string(extent);
  if (options.joined < -1 || (options.joined >= 0 && options.joined >= rank - 1))
    return start + "joined = " + std::to_string(options.joined) +
           " names no dimension before the last of rank " + std::to_string(rank);
  if (options.joinedExtent && !isOfShortParts(options))
    return start + "joinedExtent = " + std::to_string(options.joinedExtent) +
           " is of rows x parts x columns of a part, with joined = 1, and less than the fixed "
           "extents of both";
  if (options.line && (options.extents.size() != 2 || options.extents[0] != anyExtent ||
                       options.extents[1] == anyExtent || options.joined >= 0))
    return start + "line is of any number of lines of so many elements: extents {anyExtent, 1024}";
  return "";
}

Tensor KernelBuilder::addTensor(std::string name, DType type, int rank,
                                const TensorOptions &options, const char *access,
                                SourceLocation at) {
  auto &r = *recorder_;
  Tensor none(r.poison(), name, type, rank);
  if (!r.open(at))
    return none;
  if (std::string wrong = wrongTensor(name, rank, options); !wrong.empty())
    return r.fail(at, wrong), none;
  if (r.hasScalarArguments)
    return r.fail(at, "tensor '" + name + "' after a scalar argument; tensors come first"), none;
  SmallVector<int64_t> shape(rank, ShapedType::kDynamic);
  for (auto [extent, given] : llvm::zip(shape, options.extents))
    extent = given == anyExtent ? ShapedType::kDynamic : given;
  auto tensorType = ir::TensorType::get(
      r.builder.getContext(), shape, r.type(type), options.minor < 0 ? rank - 1 : options.minor,
      options.rows < 0 ? ir::TensorType::defaultRows(rank) : options.rows,
      options.align ? options.align : byteSize(type));
  Value value = r.argument(tensorType, name, access, at);
  if (value && options.joined >= 0)
    r.mark(value, marks::joined, r.builder.getI64IntegerAttr(options.joined));
  if (value && options.joinedExtent)
    r.mark(value, marks::joinedExtent, r.builder.getI64IntegerAttr(options.joinedExtent));
  if (value && options.line)
    r.mark(value, marks::line, r.builder.getUnitAttr());
  return value ? Tensor(r.handleOf(value), name, type, rank) : none;
}

void KernelBuilder::inPlace(const Tensor &output, const Tensor &input, SourceLocation at) {
  auto &r = *recorder_;
  const Value written = r.open(at) ? r.use(output.handle(), at) : Value();
  if (written && r.use(input.handle(), at))
    r.mark(written, marks::inPlace, r.builder.getStringAttr(input.name()));
}

void KernelBuilder::mutexes(SourceLocation at) {
  auto &r = *recorder_;
  if (r.open(at))
    marks::mutexes.set(r.kernel());
}

Index KernelBuilder::argument(std::string name, SourceLocation at) {
  auto &r = *recorder_;
  Value value = r.open(at) ? r.argument(r.builder.getIndexType(), name, nullptr, at) : Value();
  r.hasScalarArguments = true;
  return Index(value ? r.handleOf(value) : r.poison());
}

Element KernelBuilder::number(std::string name, SourceLocation at) {
  auto &r = *recorder_;
  Value value = r.open(at) ? r.argument(r.type(DType::f32), name, nullptr, at) : Value();
  r.hasScalarArguments = true;
  return {value ? r.handleOf(value) : r.poison(), DType::f32};
}

Index KernelBuilder::name(Index value, std::string name, SourceLocation at) {
  auto &r = *recorder_;
  if (!r.checkName(name, "value", at) || value.isConstant() || !value.isDefined())
    return value;
  Value known = r.use(value, at);
  if (known && !r.named.insert(known.getAsOpaquePointer()).second && r.open(at)) {
    // Has a name: this one is of what follows. x - 0 is x.
    known = arith::AddIOp::create(r.builder, r.at(at), known, r.constant(0));
    r.named.insert(known.getAsOpaquePointer());
    value = Index(r.handleOf(known));
  }
  if (known)
    ir::setValueName(known, name);
  return value;
}

void KernelBuilder::assume(Condition condition, std::string message, SourceLocation at) {
  auto &r = *recorder_;
  Value value = r.open(at) ? r.use(condition, at) : Value();
  if (value)
    ir::AssumeOp::create(r.builder, r.at(at), value, r.builder.getStringAttr(message));
}

// ---- Structure --------------------------------------------------------------------------------

/// What is wrong with the options of a grid; empty: nothing.
static std::string wrongOptions(const GridOptions &options) {
  const auto [x, y] = options.cluster;
  if (x < 1 || y < 1 || x > 16 || y > 16 || x * y > 16)
    return "a cluster of " + std::to_string(x) + " x " + std::to_string(y) +
           " CTAs; 1 to 16 in all are possible";
  if (options.group < 0)
    return "groups of " + std::to_string(options.group) +
           " rows; a grid takes groups of 1 or more, 0: none";
  if (options.pingpong && !options.persistent)
    return "ping-pong is of the tiles that a CTA computes one after the other; make the grid "
           "persistent";
  if (options.dynamic && (options.pingpong || options.loadAhead))
    return "tiles are drawn, and beside that " +
           std::string(options.pingpong ? "ping-pong" : "loads by who computes") +
           " needs to know them ahead; leave one out";
  if (options.stream < 0 || options.stream > 65536 || (options.stream > 0 && !options.persistent))
    return "steps dealt out of " + std::to_string(options.stream) +
           " tiles; a persistent grid deals out those of 1 to 65536, 0: whole tiles";
  if (options.stream > 0 &&
      (options.pingpong || options.dynamic || options.loadAhead || options.group > 0))
    return "steps of all tiles are dealt out, and beside that " +
           std::string(options.pingpong    ? "ping-pong"
                       : options.dynamic   ? "drawing tiles"
                       : options.loadAhead ? "loads by who computes"
                                           : "an order in groups") +
           " needs whole ones; leave one out";
  if (options.pair && x * y != 2)
    return "a pair in a cluster of " + std::to_string(x) + " x " + std::to_string(y) +
           " CTAs; it is the two of a cluster";
  if (options.ctasPerSm < 1 || options.ctasPerSm > 32)
    return std::to_string(options.ctasPerSm) + " CTAs on an SM; 1 to 32 are possible";
  if (options.ctasPerSm > 1 && options.persistent)
    return std::to_string(options.ctasPerSm) +
           " CTAs on an SM; a persistent grid has one on each, leave either out";
  if (options.pingpong && options.loadAhead)
    return "ping-pong and loads by who computes; two groups that take turns need a role that loads";
  return "";
}

std::vector<Index> KernelBuilder::addGrid(std::vector<Index> extents, const GridOptions &options,
                                          SourceLocation at) {
  auto &r = *recorder_;
  std::vector<Index> none(extents.size(), Index(r.poison()));
  if (!r.open(at))
    return none;
  if (r.hasGrid)
    return r.fail(at, "a second grid; a kernel has one"), none;
  if (!r.inKernelBlock())
    return r.fail(at, "a grid inside a loop; it stands directly in the kernel"), none;
  if (std::string wrong = wrongOptions(options); !wrong.empty())
    return r.fail(at, wrong), none;
  if (options.pair && r.roles.any())
    return r.fail(at, "a grid of pairs behind roles or buffers; it comes first, since products "
                      "follow it"),
           none;
  r.hasGrid = true;
  r.hasPairs = options.pair;
  SmallVector<Value> values;
  if (!r.use(extents, at, values))
    return none;
  SmallVector<Type> types(values.size(), r.builder.getIndexType());
  auto grid = ir::GridOp::create(r.builder, r.at(at), types, values);
  grid.setPersistent(options.persistent);
  if (options.pingpong)
    marks::turns.set(grid, 2);
  if (options.dynamic && options.persistent)
    marks::dynamic.set(grid);
  else if (options.dynamic)
    r.drawsTiles = at;
  if (options.stream)
    marks::stream.set(grid, options.stream);
  if (options.loadAhead)
    marks::loadAhead.set(grid);
  if (options.ctasPerSm > 1)
    marks::ctasPerSm.set(grid, options.ctasPerSm);
  if (options.group)
    grid.setGroup(options.group);
  if (options.cluster != std::array<int64_t, 2>{1, 1}) {
    SmallVector<int64_t> cluster(options.cluster.begin(), options.cluster.end());
    cluster.resize(values.size(), 1);
    grid.setCluster(cluster);
  }
  if (options.pair)
    marks::pair.set(grid);
  std::vector<Index> coordinates;
  for (Value coordinate : grid.getCoordinates())
    coordinates.push_back(Index(r.handleOf(coordinate)));
  return coordinates;
}

std::array<Index, 1> KernelBuilder::grid(Index x, SourceLocation at) {
  return grid(x, {}, at);
}
std::array<Index, 1> KernelBuilder::grid(Index x, const GridOptions &options, SourceLocation at) {
  auto c = addGrid({x}, options, at);
  return {c[0]};
}
std::array<Index, 2> KernelBuilder::grid(Index x, Index y, SourceLocation at) {
  auto c = addGrid({x, y}, {}, at);
  return {c[0], c[1]};
}
std::array<Index, 2> KernelBuilder::grid(Index x, Index y, const GridOptions &options,
                                         SourceLocation at) {
  auto c = addGrid({x, y}, options, at);
  return {c[0], c[1]};
}
std::array<Index, 3> KernelBuilder::grid(Index x, Index y, Index z, SourceLocation at) {
  return grid(x, y, z, {}, at);
}
std::array<Index, 3> KernelBuilder::grid(Index x, Index y, Index z, const GridOptions &options,
                                         SourceLocation at) {
  auto c = addGrid({x, y, z}, options, at);
  return {c[0], c[1], c[2]};
}

Index KernelBuilder::rank(SourceLocation at) {
  auto &r = *recorder_;
  if (!r.open(at))
    return Index(r.poison());
  auto type = r.builder.getIndexType();
  return Index(r.handleOf(ir::ClusterRankOp::create(r.builder, r.at(at), type)));
}

/// What is wrong with the options of a loop; empty: nothing.
static std::string wrongOptions(const LoopOptions &options) {
  if (options.stages < 0 || options.stages > 64)
    return std::to_string(options.stages) + " stages; 1 to 64 is possible";
  if (options.ahead && !(options.stages && *options.ahead >= 0 && *options.ahead < options.stages))
    return "prefetch(" + std::to_string(*options.ahead) + ") of " + std::to_string(options.stages) +
           " stages; 0 to one fewer than these";
  if (options.ctas < 1 || options.ctas > 8)
    return "split over " + std::to_string(options.ctas) + " CTAs; 1 to 8 are possible";
  for (auto &[space, count] : options.slots) {
    auto known = parseSpace(space);
    if (!known || *known == Space::unplaced || *known == Space::global)
      return "slots in '" + space +
             "', which is no on-chip memory; one of smem, reg, tmem, l1, l0a, l0b, l0c, ub";
    if (count < 1 || count > 64)
      return std::to_string(count) + " slots in " + space + "; 1 to 64 is possible";
    const auto named = [&space](const auto &other) { return other.first == space; };
    if (std::count_if(options.slots.begin(), options.slots.end(), named) > 1)
      return "slots in " + space + " are asked for twice";
  }
  return "";
}

Index KernelBuilder::beginLoop(const Range &range, const LoopOptions &options,
                               const std::string &name, SourceLocation at) {
  auto &r = *recorder_;
  auto &b = r.builder;
  bool good = r.open(at) && r.checkName(name, "loop", at);
  if (std::string wrong = wrongOptions(options); good && !wrong.empty())
    r.fail(at, "loop '" + name + "': " + wrong);
  Value from = good ? r.use(range.from, at) : Value();
  Value step = from ? r.use(range.step, at) : Value(), to = step ? r.use(range.to, at) : Value();
  // After a mistake the body is still followed, for the mistakes in it.
  if (!to)
    from = to = r.constant(0), step = r.constant(1);
  auto loop = r.roles.cursors.openLoop(b, r.at(at), from, to, step);
  marks::name.set(loop, name);
  if (options.stages)
    marks::stages.set(loop, options.stages);
  if (std::exchange(r.drawsTiles, std::nullopt))
    marks::dynamic.set(loop);
  if (options.ctas > 1)
    marks::split.set(loop, options.ctas);
  if (options.alternate)
    marks::alternate.set(loop);
  if (options.turns)
    marks::inTurn.set(loop);
  if (options.ahead)
    marks::prefetch.set(loop, *options.ahead);
  SmallVector<NamedAttribute> slots;
  for (auto &[space, count] : options.slots)
    slots.push_back(b.getNamedAttr(space, b.getI64IntegerAttr(count)));
  if (!slots.empty())
    marks::slots.set(loop, b.getDictionaryAttr(slots));
  return Index(r.handleOf(loop.getInductionVar()));
}

void KernelBuilder::endLoop() {
  recorder_->roles.cursors.closeLoop(recorder_->builder);
}

void KernelBuilder::beginWhen(Condition condition, SourceLocation at) {
  auto &r = *recorder_;
  Value value = r.open(at) ? r.use(condition, at) : Value();
  if (!value)
    value = r.use(Condition(false), at);
  r.roles.cursors.openBranch(r.builder, r.at(at), value);
}

void KernelBuilder::beginOtherwise() {
  recorder_->roles.cursors.otherwise(recorder_->builder);
}

void KernelBuilder::endWhen() {
  recorder_->roles.cursors.closeBranch(recorder_->builder);
}

void KernelBuilder::beginRepeat(SourceLocation at) {
  recorder_->open(at);
  recorder_->roles.cursors.openWhile(recorder_->builder, recorder_->at(at));
}

Index KernelBuilder::beginRepeated(const Next &next, SourceLocation at) {
  auto &r = *recorder_;
  Value more = r.use(next.more, at), what = more ? r.use(next.what, at) : Value();
  if (!what) // after a mistake the body is still followed
    more = r.use(Condition(false), at), what = r.constant(0);
  return Index(r.handleOf(r.roles.cursors.openBody(r.builder, more, what)));
}

void KernelBuilder::endRepeat() {
  recorder_->roles.cursors.closeWhile(recorder_->builder);
}

void KernelBuilder::epoch(SourceLocation at) {
  if (recorder_->open(at))
    ir::EpochOp::create(recorder_->builder, recorder_->at(at));
}

// ---- Movement ---------------------------------------------------------------------------------

std::string detail::lowered(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return char(std::tolower(c)); });
  return name;
}

Tile KernelBuilder::tile(DType type, Shape shape, std::string name, SourceLocation at) {
  auto &r = *recorder_;
  Value value = r.open(at) ? r.buffer(type, shape, 1, name, "tile", at) : Value();
  return Tile(value ? r.handleOf(value) : r.poison(), shape, type);
}

Tile KernelBuilder::load(const Box &from, Shape shape, std::string name, SourceLocation at) {
  return load(from, shape, std::move(name), LoadOptions(), at);
}

Tile KernelBuilder::load(const Box &from, Shape shape, std::string name, LoadOptions options,
                         SourceLocation at) {
  auto &r = *recorder_;
  Tile none(r.poison(), shape, from.tensor.type());
  Value source = r.open(at) ? r.use(from.tensor.handle(), at) : Value();
  if (!source)
    return none;
  auto tensor = mlir::cast<ir::TensorType>(source.getType());
  // The tile keeps the order of the tensor: its contiguous dimension, where the box has it.
  int minor = tensor.getRank() >= 2 && tensor.getMinor() == tensor.getRows() ? 0 : 1;
  Value to =
      r.buffer(from.tensor.type(), shape, minor, name, detail::lowered(from.tensor.name()), at);
  if (!to)
    return none;
  Tile tile(r.handleOf(to), shape, from.tensor.type());
  load(from, tile, options, at);
  return tile;
}

void KernelBuilder::load(const Box &from, const Tile &to, LoadOptions options, SourceLocation at) {
  auto &r = *recorder_;
  Value tile = r.open(at) ? r.use(to.handle(), at) : Value();
  Value source = tile ? r.use(from, at) : Value();
  SmallVector<Value> offsets;
  if (!source || !r.use(from.offsets, at, offsets))
    return;
  const Value rows = from.rows ? r.use(from.rows->handle(), at) : Value();
  if (from.rows && !rows)
    return;
  auto load = ir::LoadOp::create(r.builder, r.at(at), source, offsets, tile, rows);
  load.setCache(ir::CachePolicy(int(options.cache)));
  load.setAsync(r.roles.loadsByCpAsync(tile));
  if (options.paced)
    marks::paced.set(load);
  if (options.by) {
    constexpr llvm::StringRef names[] = {"tensor", "bulk", "threads", "async"};
    marks::loadedBy.set(load, names[size_t(*options.by)]);
  }
}

void KernelBuilder::storeTile(const Tile &from, const Box &to, bool add, StoreOptions options,
                              SourceLocation at) {
  auto &r = *recorder_;
  if (!r.open(at))
    return;
  Value source = r.use(from.handle(), at), tensor = r.use(to, at);
  SmallVector<Value> offsets;
  if (!source || !tensor || !r.use(to.offsets, at, offsets))
    return;
  if (from.type() != to.tensor.type())
    return r.fail(at, r.describe(source) + " is " + text(from.type()) + ", tensor '" +
                          to.tensor.name() + "' is " + text(to.tensor.type()) +
                          "; convert with cast(tile, " + text(to.tensor.type()) + ")");
  if (options.staging && (*options.staging < 0 || *options.staging > 1024))
    return r.fail(at, "staging is " + std::to_string(*options.staging) + "; 0 to 1024 slots");
  auto store = ir::StoreOp::create(r.builder, r.at(at), source, tensor, offsets, add);
  store.setCache(ir::CachePolicy(int(options.cache)));
  if (options.staging)
    marks::staging.set(store, *options.staging);
  if (options.paced)
    marks::paced.set(store);
  if (options.byUnits)
    marks::byUnits.set(store);
}

void KernelBuilder::store(const Tile &from, const Box &to, StoreOptions options,
                          SourceLocation at) {
  storeTile(from, to, false, options, at);
}
void KernelBuilder::storeAdd(const Tile &from, const Box &to, StoreOptions options,
                             SourceLocation at) {
  storeTile(from, to, true, options, at);
}

void KernelBuilder::copy(const Tile &from, const Tile &to, SourceLocation at) {
  auto &r = *recorder_;
  Value source = r.open(at) ? r.use(from.handle(), at) : Value();
  Value destination = source ? r.use(to.handle(), at) : Value();
  if (!destination)
    return;
  if (from.rows() != to.rows() || from.cols() != to.cols())
    return r.fail(at, "copies " + r.describe(source) + " of " + text(from.shape()) + " to " +
                          r.describe(destination) + " of " + text(to.shape()));
  ir::CopyOp::create(r.builder, r.at(at), source, destination);
}

Tile KernelBuilder::read(const Tile &from, DType type, std::string name, SourceLocation at) {
  if (name.empty())
    name = recorder_->nameOf(from, "tile") + "_read";
  Tile own = tile(type, from.shape(), std::move(name), at);
  copy(from, own, at);
  return own;
}

void KernelBuilder::fill(const Tile &tile, double value, SourceLocation at) {
  auto &r = *recorder_;
  Value to = r.open(at) ? r.use(tile.handle(), at) : Value();
  if (to)
    ir::FillOp::create(r.builder, r.at(at), to, r.builder.getF64FloatAttr(value));
}

void KernelBuilder::print(const Tile &tile, SourceLocation at) {
  auto &r = *recorder_;
  if (Value source = r.open(at) ? r.use(tile.handle(), at) : Value())
    ir::PrintOp::create(r.builder, r.at(at), source);
}

void KernelBuilder::prefetch(const Box &box, Shape shape, std::optional<LoadedBy> by,
                             SourceLocation at) {
  auto &r = *recorder_;
  Value source = r.open(at) ? r.use(box, at) : Value();
  SmallVector<Value> offsets;
  if (!source || !r.use(box.offsets, at, offsets))
    return;
  if (shape.rows < 1 || shape.cols < 1)
    return r.fail(at, "a box of " + text(shape) + " elements; both extents must be at least 1");
  if (by && *by != LoadedBy::tensor && *by != LoadedBy::threads)
    return r.fail(at, "a prefetch goes through a tensor map or is by threads");
  auto tensor = mlir::cast<ir::TensorType>(source.getType());
  SmallVector<int64_t> extents(tensor.getRank(), 1);
  extents.back() = shape.cols;
  if (tensor.getRank() > 1)
    extents[tensor.getRows()] = shape.rows;
  else if (shape.rows != 1)
    return r.fail(at, "a box of " + text(shape) + " elements of a tensor of rank 1");
  auto prefetch = ir::PrefetchOp::create(r.builder, r.at(at), source, offsets, extents);
  if (by)
    marks::loadedBy.set(prefetch, *by == LoadedBy::tensor ? "tensor" : "threads");
}

} // namespace sluice::lang
