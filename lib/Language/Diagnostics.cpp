#include "Language/Diagnostics.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"

using namespace mlir;

namespace sluice {

sluice::Location authorLocation(mlir::Location location) {
  sluice::Location found;
  location->walk([&](mlir::Location at) {
    auto file = dyn_cast<FileLineColLoc>(at);
    if (!file)
      return WalkResult::advance();
    found = {file.getFilename().str(), int(file.getLine()), int(file.getColumn())};
    return WalkResult::interrupt();
  });
  return found;
}

/// What passes say of a kernel that is right but beyond them.
static bool saysUnsupported(const std::string &message) {
  return StringRef(message).contains("unsupported") || StringRef(message).contains("not supported");
}

FirstDiagnostic::FirstDiagnostic(MLIRContext *context)
    : handler_(context, [this](Diagnostic &diagnostic) {
        if (error_ || diagnostic.getSeverity() != DiagnosticSeverity::Error)
          return;
        std::string message = diagnostic.str();
        for (Diagnostic &note : diagnostic.getNotes())
          message += "; " + note.str();
        auto kind = saysUnsupported(message) ? Error::unsupported : Error::input;
        error_ = Error{kind, std::move(message), authorLocation(diagnostic.getLocation())};
      }) {}

Error FirstDiagnostic::error(const char *otherwise) const {
  return error_ ? *error_ : inputError(otherwise);
}

} // namespace sluice
