#include "Language/TextNames.h"

#include "Dialect/ValueNames.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Operation.h"

#include <algorithm>
#include <cctype>

namespace sluice {
namespace {

/// "row" of "%row"; empty where it is no identifier of the author.
std::string nameIn(llvm::SMRange range) {
  const std::string text(range.Start.getPointer(), range.End.getPointer());
  if (text.size() < 2 || text[0] != '%' || std::isdigit(static_cast<unsigned char>(text[1])))
    return "";
  const bool plain = std::all_of(text.begin() + 1, text.end(),
                                 [](unsigned char c) { return c == '_' || std::isalnum(c); });
  return plain ? text.substr(1) : "";
}

} // namespace

void keepTextNames(const mlir::AsmParserState &state) {
  for (const auto &definition : state.getOpDefs()) {
    mlir::Operation *op = definition.op;
    llvm::APInt constant;
    if (op->getNumResults() != 1 || definition.resultGroups.size() != 1 ||
        !op->getResult(0).getType().isIntOrIndex() ||
        mlir::matchPattern(op->getResult(0), mlir::m_ConstantInt(&constant)))
      continue;
    if (auto name = nameIn(definition.resultGroups[0].definition.loc); !name.empty())
      ir::setValueName(op->getResult(0), name);
  }
}

} // namespace sluice
