// Diagnostics of MLIR as errors of ours.
#pragma once

#include "Support/Result.h"

#include "mlir/IR/Diagnostics.h"

#include <optional>

namespace sluice {

/// Line of the author that a location stands for: the innermost one with a file.
Location authorLocation(mlir::Location location);

/// Keeps the first error that the context reports during its life; nothing is printed.
class FirstDiagnostic {
public:
  explicit FirstDiagnostic(mlir::MLIRContext *context);
  bool failed() const { return error_.has_value(); }
  /// The first error, or `otherwise` where a pass failed without a word.
  Error error(const char *otherwise) const;

private:
  std::optional<Error> error_;
  mlir::ScopedDiagnosticHandler handler_;
};

} // namespace sluice
