// What raw text demands of its operands and of what it says about them.
#include "Dialect/Checks.h"
#include "Program/RawText.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace sluice::ir {

static bool isIdentifier(StringRef name) {
  return !name.empty() && !llvm::isDigit(name[0]) &&
         llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

/// One name for each operand, and one operand for each name.
static LogicalResult verifyNames(RawOp op) {
  SmallVector<Value> operands(op.getOperands());
  if (op.getNames().size() != operands.size())
    return op.emitOpError("names ") << op.getNames().size() << " of " << operands.size()
                                    << " operands; name those of outs, ins and with, in this order";
  llvm::StringMap<Value> named;
  for (auto [name, operand] : llvm::zip(op.getNames().getAsValueRange<StringAttr>(), operands)) {
    if (!isIdentifier(name))
      return op.emitOpError("'") << name << "' is no name; letters, digits and _ make one";
    auto [at, isNew] = named.try_emplace(name, operand);
    if (!isNew && at->second != operand)
      return op.emitOpError("'") << name << "' names two operands";
  }
  return success();
}

static LogicalResult verifyTexts(RawOp op) {
  RawOperands declared;
  for (auto [i, name] : llvm::enumerate(op.getNames().getAsValueRange<StringAttr>()))
    (i < op.getOutputs().size() ? declared.writes : declared.reads).push_back(name.str());
  if (op.getTexts().empty())
    return op.emitOpError("has no text; give one for a target: {sm_90a = \"...\"}");
  for (NamedAttribute entry : op.getTexts()) {
    StringRef target = entry.getName().strref();
    if (!parseTarget(target.str()))
      return op.emitOpError("no target is called '") << target << "'";
    auto text = dyn_cast<StringAttr>(entry.getValue());
    if (!text)
      return op.emitOpError("the text for ") << target << " must be a string";
    if (std::string fault = rawFault(text.str(), declared); !fault.empty())
      return op.emitOpError("text for ") << target << ": " << fault;
  }
  return success();
}

LogicalResult RawOp::verify() {
  if (failed(verifyNames(*this)) || failed(verifyTexts(*this)))
    return failure();
  if (getModel().empty())
    return success();
  if (!getModel().hasOneBlock() || getOutputs().empty())
    return emitOpError("has a model that is no element function of an output");
  return verifyElementWise(*this, getInputs(), getOutputs(), false, getModel().front());
}

} // namespace sluice::ir
