#include "Language/Recorder.h"

#include "Language/Diagnostics.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Verifier.h"

#include <algorithm>
#include <cctype>

using namespace mlir;

namespace sluice::lang::detail {

namespace marks = ir::marks;

Recorder::Recorder(const std::string &name, SourceLocation where)
    : builder(static_cast<MLIRContext *>(nullptr)), roles(*this), context_(makeContext()) {
  builder = OpBuilder(&*context_);
  start(checkName(name, "kernel", where) ? name : "kernel", at(where));
}

void Recorder::start(const std::string &name, mlir::Location where) {
  module_ = ModuleOp::create(where);
  builder.setInsertionPointToEnd(module_->getBody());
  OperationState state(where, ir::KernelOp::getOperationName());
  state.addAttribute("sym_name", builder.getStringAttr(name));
  state.addAttribute("function_type", TypeAttr::get(builder.getFunctionType({}, {})));
  state.addRegion()->emplaceBlock();
  kernel_ = cast<ir::KernelOp>(builder.create(state));
  builder.setInsertionPointToEnd(&kernel_.getBody().front());
  lastHoisted_ = nullptr;
  constants_.clear();
  dims_.clear();
}

// ---- Mistakes ---------------------------------------------------------------------------------

static sluice::Location locate(SourceLocation at) {
  return {at.file_name(), int(at.line()), int(at.column())};
}

void Recorder::fail(SourceLocation at, std::string message) {
  errors.push_back(inputError(std::move(message), locate(at)));
}

void Recorder::fail(Operation *at, std::string message) {
  errors.push_back(inputError(std::move(message), authorLocation(at->getLoc())));
}

bool Recorder::open(SourceLocation at) {
  if (finished_)
    fail(at, "the kernel is built; nothing can be added to it");
  else if (inElementFunction)
    fail(at, "a statement inside an element function; only elements are computed there");
  return !finished_ && !inElementFunction;
}

static bool isIdentifier(const std::string &name) {
  return !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) &&
         std::all_of(name.begin(), name.end(),
                     [](unsigned char c) { return c == '_' || (c < 128 && std::isalnum(c)); });
}

bool Recorder::checkName(const std::string &name, const char *what, SourceLocation at) {
  if (isIdentifier(name))
    return true;
  fail(at, "the name '" + name + "' of a " + what +
               " is no identifier: letters, digits and _, not a digit first");
  return false;
}

// ---- Values -----------------------------------------------------------------------------------

static std::string describeScope(Operation *op) {
  if (isa<scf::ForOp>(op)) {
    auto name = marks::name.of(op);
    return "loop '" + (name ? name.str() : std::string()) + "'";
  }
  if (auto role = dyn_cast<ir::RoleOp>(op))
    return "role '" + role.getName().str() + "'";
  if (isa<scf::IfOp>(op))
    return "'when'";
  return "its element function";
}

std::string Recorder::describe(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto view = dyn_cast_or_null<ir::TransposeOp>(op))
    return describe(view.getBuffer());
  if (auto slot = dyn_cast_or_null<ir::SlotOp>(op))
    return describe(slot.getBuffer());
  if (auto alloc = dyn_cast_or_null<ir::AllocOp>(op))
    return "tile '" + alloc.getName().str() + "'";
  if (auto loop = dyn_cast<scf::ForOp>(value.getParentBlock()->getParentOp());
      loop && loop.getInductionVar() == value)
    return "the loop variable";
  if (isa<ir::MapOp, ir::ReduceOp>(value.getParentBlock()->getParentOp()))
    return "an element";
  return "a value";
}

Value Recorder::use(const Handle &handle, SourceLocation at) {
  Value value = useRing(handle, at);
  auto type = value ? dyn_cast<ir::BufferType>(value.getType()) : ir::BufferType();
  if (!type || type.getSlots() == 1)
    return value;
  fail(at, describe(value) + " has " + std::to_string(type.getSlots()) +
               " slots; an end of its pipeline names one of them: buffer[end]");
  return {};
}

Value Recorder::useRing(const Handle &handle, SourceLocation at) {
  if (!handle.value || finished_)
    return {};
  if (handle.owner != this) {
    fail(at, "an operand belongs to another kernel");
    return {};
  }
  Value value = Value::getFromOpaquePointer(handle.value);
  Operation *scope = value.getParentBlock()->getParentOp();
  if (value.getParentRegion()->isAncestor(builder.getInsertionBlock()->getParent()))
    return value;
  fail(at, describe(value) + " is used outside of " + describeScope(scope) +
               ", where it was made; make it before");
  return {};
}

Value Recorder::use(const Index &index, SourceLocation at) {
  if (index.isDefined())
    return index.isConstant() ? constant(index.constant()) : use(index.handle(), at);
  fail(at, "an index from a division by zero, or beyond 64 bits");
  return {};
}

Value Recorder::use(const Condition &condition, SourceLocation where) {
  if (!condition.isConstant())
    return use(condition.handle(), where);
  return arith::ConstantOp::create(builder, at(where), builder.getBoolAttr(condition.constant()));
}

Value Recorder::use(const Box &box, SourceLocation where) {
  Value tensor = use(box.tensor.handle(), where);
  for (const Box::End &e : box.ends)
    if (Value end = tensor ? use(e.end, where) : Value())
      tensor = ir::ClipOp::create(builder, at(where), tensor.getType(), tensor, e.dimension, end);
    else
      return {};
  return tensor;
}

bool Recorder::use(const std::vector<Index> &indices, SourceLocation at,
                   SmallVectorImpl<Value> &values) {
  for (const Index &index : indices)
    values.push_back(use(index, at));
  return llvm::all_of(values, [](Value v) { return bool(v); });
}

std::string Recorder::nameOf(const Tile &tile, const char *otherwise) {
  if (!tile.handle().value || tile.handle().owner != this || finished_)
    return otherwise;
  std::string text = describe(Value::getFromOpaquePointer(tile.handle().value));
  return StringRef(text).starts_with("tile '") ? text.substr(6, text.size() - 7) : otherwise;
}

// ---- Writing ----------------------------------------------------------------------------------

mlir::Location Recorder::at(SourceLocation at) {
  return FileLineColLoc::get(&*context_, at.file_name(), at.line(), at.column());
}

Type Recorder::typeOf(DType type, MLIRContext *context) {
  return ir::typeOf(type, context);
}

template <typename F> Value Recorder::hoist(F &&create) {
  OpBuilder::InsertionGuard guard(builder);
  if (lastHoisted_)
    builder.setInsertionPointAfter(lastHoisted_);
  else
    builder.setInsertionPointToStart(&kernel_.getBody().front());
  Value value = create();
  lastHoisted_ = value.getDefiningOp();
  return value;
}

Value Recorder::constant(int64_t value) {
  Value &known = constants_[value];
  if (!known)
    known = hoist([&] {
      return arith::ConstantIndexOp::create(builder, kernel_.getLoc(), value).getResult();
    });
  return known;
}

Value Recorder::dim(Value tensor, int dimension, SourceLocation where) {
  Value &known = dims_[{tensor.getAsOpaquePointer(), dimension}];
  if (!known)
    known = hoist([&] {
      return ir::DimOp::create(builder, at(where), builder.getIndexType(), tensor, dimension)
          .getResult();
    });
  return known;
}

std::string Recorder::unique(const std::string &name) {
  std::string candidate = name;
  for (int n = 2; !names_.insert(candidate).second; ++n)
    candidate = name + "_" + std::to_string(n);
  return candidate;
}

Value Recorder::buffer(DType type, Shape shape, int minor, const std::string &name,
                       const std::string &otherwise, SourceLocation where) {
  std::string extents = std::to_string(shape.rows) + " x " + std::to_string(shape.cols);
  if (shape.rows < 1 || shape.cols < 1) {
    fail(where, "a tile of " + extents + " elements; both extents must be at least 1");
    return {};
  }
  constexpr int64_t most = int64_t(1) << 24; // elements; far above every on-chip memory
  if (shape.rows > most || shape.cols > most || shape.rows * shape.cols > most) {
    fail(where, "a tile of " + extents + " elements; no on-chip memory holds it");
    return {};
  }
  if (!name.empty() && !checkName(name, "tile", where))
    return {};
  auto bufferType = ir::BufferType::get(&*context_, {shape.rows, shape.cols}, this->type(type),
                                        Space::unplaced, Layout::none, minor, 1);
  return ir::AllocOp::create(builder, at(where), bufferType,
                             builder.getStringAttr(unique(name.empty() ? otherwise : name)),
                             IntegerAttr());
}

Value Recorder::argument(Type type, const std::string &name, const char *access,
                         SourceLocation where) {
  if (!checkName(name, "kernel argument", where))
    return {};
  if (!argumentNames_.insert(name).second) {
    fail(where, "a second kernel argument '" + name + "'");
    return {};
  }
  auto types = llvm::to_vector(kernel_.getArgumentTypes());
  types.push_back(type);
  kernel_.setFunctionType(builder.getFunctionType(types, {}));
  Value value = kernel_.getBody().front().addArgument(type, at(where));
  NamedAttrList attributes;
  attributes.append(marks::name.name, builder.getStringAttr(name));
  if (access)
    attributes.append(access, builder.getUnitAttr());
  argumentAttributes_.push_back(attributes.getDictionary(&*context_));
  kernel_.setArgAttrsAttr(builder.getArrayAttr(argumentAttributes_));
  return value;
}

void Recorder::setAttribute(Value argument, StringRef name, Attribute value) {
  const unsigned number = llvm::cast<BlockArgument>(argument).getArgNumber();
  NamedAttrList attributes(llvm::cast<DictionaryAttr>(argumentAttributes_[number]));
  attributes.set(name, value);
  argumentAttributes_[number] = attributes.getDictionary(&*context_);
  kernel_.setArgAttrsAttr(builder.getArrayAttr(argumentAttributes_));
}

bool Recorder::inKernelBlock() {
  return builder.getInsertionBlock() == &kernel_.getBody().front();
}

Result<Kernel> Recorder::finish(SourceLocation where) {
  if (finished_)
    return inputError("the kernel is built already", locate(where));
  if (!errors.empty())
    return errors.front();
  if (!inKernelBlock())
    return inputError("build() inside a loop; it ends the kernel", locate(where));
  if (kernel_.getBody().front().empty())
    return inputError("kernel '" + kernel_.getSymName().str() + "' has no statements",
                      authorLocation(kernel_.getLoc()));
  if (drawsTiles)
    return inputError("tiles are drawn where a CTA computes one after the other; make the grid "
                      "persistent, or go through them in a loop from the CTA's own number on",
                      locate(*drawsTiles));
  roles.finish();
  if (!errors.empty())
    return errors.front();
  FirstDiagnostic diagnostics(&*context_);
  if (mlir::failed(verify(*module_)))
    return diagnostics.error("the kernel is malformed");
  Kernel kernel = makeKernel(context_, std::move(module_));
  start("built", kernel_.getLoc()); // what is still said goes nowhere
  finished_ = true;
  return kernel;
}

} // namespace sluice::lang::detail
