// Hands each statement on to who prints it.
#pragma once

#include "Emit/Cuda/Views.h"

namespace sluice::cuda {

class ControlPrinter : public ViewPrinter, public Dialect {
public:
  using ViewPrinter::ViewPrinter;

  void block(const Block &b) override;
  size_t statements(const Block &b, size_t at) override;
  std::string machineValue(const Scalar &s) override;
  void round(const Block &body) override;
  void closeGuard() override;

private:
  bool isFoldedMap(const Stmt &s, const Stmt &next);
  void foldMap(const Stmt &s, const Stmt &next);
  void statement(const Stmt &s);
  void operation(const Stmt &s);
  void grid(const Grid &g);
  void draw(const Stmt &s, const CounterAdd &o);
};

} // namespace sluice::cuda
