// Barriers, fences, groups and counters: one wrapper call per statement.
#pragma once

#include "Emit/Cuda/Views.h"

#include <map>

namespace sluice::cuda {

/// Start of a call of a wrapper: the narrowest scope, the default, is not written.
std::string scoped(const std::string &function, Scope scope);

class BarrierPrinter : public ViewPrinter {
public:
  BarrierPrinter(PrinterState &state, PrinterParts &parts);

  /// False where the statement is no synchronisation.
  bool synchronise(const Stmt &s);
  void ask(const Stmt &s, const MbarrierTest &o);
  std::string barrier(const MbarrierRef &b);
  /// Gives the call of a synchronisation its number, where numbers are wanted.
  void numberCall(std::string &call, const Stmt &s) const;

private:
  void synchronisation(const Stmt &s, std::string call);
  std::string lookAt(const std::string &function, Scope scope, const MbarrierRef &ref,
                     const Index &parity);
  void initialise(const Stmt &s, const MbarrierInit &o);
  bool count(const Stmt &s);

  std::map<const Stmt *, int> syncIds_;
};

} // namespace sluice::cuda
