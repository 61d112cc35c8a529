// Blocks, loops and branches: hands each statement on to who prints it.
#pragma once

#include "Emit/Cuda/Views.h"

namespace sluice::cuda {

class ControlPrinter : public ViewPrinter {
public:
  using ViewPrinter::ViewPrinter;

  void block(const Block &b);

private:
  void statement(const Stmt &s);
  void operation(const Stmt &s);
  void grid(const Grid &g);
  void loop(const For &f);
  void keepPacked(const Block &body);
  void draw(const Stmt &s, const CounterAdd &o);
  void branch(const If &i);
};

} // namespace sluice::cuda
