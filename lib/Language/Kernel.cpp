// Kernels as objects and as text.
#include "Dialect/Marks.h"
#include "Language/Diagnostics.h"
#include "Language/KernelState.h"
#include "Language/Nesting.h"
#include "Language/TextNames.h"
#include "sluice/Compile.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

using namespace mlir;

namespace sluice {

std::shared_ptr<MLIRContext> makeContext() {
  auto context = std::make_shared<MLIRContext>(MLIRContext::Threading::DISABLED);
  context->printOpOnDiagnostic(false);
  context
      ->loadDialect<ir::SluiceDialect, arith::ArithDialect, math::MathDialect, scf::SCFDialect>();
  return context;
}

Kernel makeKernel(std::shared_ptr<MLIRContext> context, OwningOpRef<ModuleOp> module) {
  auto state = std::make_shared<Kernel::State>();
  state->context = std::move(context);
  state->module = std::move(module);
  state->kernel = *state->module->getOps<ir::KernelOp>().begin();
  state->name = state->kernel.getSymName().str();
  return Kernel(std::move(state));
}

Kernel::Kernel(std::shared_ptr<State> state) : state_(std::move(state)) {}

const std::string &Kernel::name() const {
  return state_->name;
}

std::optional<Target> Kernel::target() const {
  auto target = state_->kernel.getTarget();
  return target ? parseTarget(target->str()) : std::nullopt;
}

bool Kernel::byHand() const {
  const llvm::StringRef phase = state_->kernel.getPhase();
  return phase == "barrier" || phase == "allocated";
}

void Kernel::useMutexes() {
  ir::marks::mutexes.set(state_->kernel);
}

std::string Kernel::text() const {
  std::string text;
  llvm::raw_string_ostream out(text);
  state_->kernel.print(out, OpPrintingFlags().printNameLocAsPrefix());
  out << "\n";
  return text;
}

// ---- Text -------------------------------------------------------------------------------------

/// Each kernel in a module of its own.
static Result<std::vector<Kernel>> kernelsOf(ModuleOp module, std::shared_ptr<MLIRContext> context,
                                             const std::string &name) {
  std::vector<Kernel> kernels;
  for (mlir::Operation &op : *module.getBody()) {
    if (!isa<ir::KernelOp>(op))
      return inputError("'" + op.getName().getStringRef().str() +
                            "' at the top of a file; only sluice.kernel may stand there",
                        authorLocation(op.getLoc()));
    OwningOpRef<ModuleOp> own = ModuleOp::create(op.getLoc());
    own->push_back(op.clone());
    kernels.push_back(makeKernel(context, std::move(own)));
  }
  if (kernels.empty())
    return inputError("no kernel in it; a kernel is written sluice.kernel @name(...) {...}",
                      {name, 1, 1});
  return kernels;
}

Result<std::vector<Kernel>> parseKernelText(const std::string &text, const std::string &name) {
  if (auto error = checkNesting(text, name))
    return *error;
  auto context = makeContext();
  FirstDiagnostic diagnostics(&*context);
  llvm::SourceMgr source;
  source.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(text, name), llvm::SMLoc());
  AsmParserState names;
  OwningOpRef<ModuleOp> module = ModuleOp::create(FileLineColLoc::get(&*context, name, 0, 0));
  if (failed(parseAsmSourceFile(source, module->getBody(), ParserConfig(&*context), &names)))
    return diagnostics.error("it is no text of the dialect");
  keepTextNames(names);
  // A text that is one `module {...}` is that module.
  mlir::Block &top = *module->getBody();
  if (auto inner = llvm::hasSingleElement(top) ? dyn_cast<ModuleOp>(top.front()) : ModuleOp()) {
    inner->remove();
    module = inner;
  }
  return kernelsOf(*module, context, name);
}

Result<std::vector<Kernel>> parseKernels(const std::string &path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    return inputError("cannot read '" + path + "': it is a directory");
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return inputError("cannot read '" + path + "': " + std::strerror(errno));
  constexpr size_t most = size_t(256) << 20; // a kernel has kilobytes
  std::string text, piece(size_t(1) << 20, '\0');
  while (file.read(piece.data(), piece.size()) || file.gcount() > 0) {
    text.append(piece, 0, file.gcount());
    if (text.size() > most)
      return inputError("'" + path + "' has more than 256 MiB; no kernel is that large");
  }
  if (file.bad())
    return inputError("cannot read '" + path + "': " + std::strerror(errno));
  return parseKernelText(text, path);
}

} // namespace sluice
