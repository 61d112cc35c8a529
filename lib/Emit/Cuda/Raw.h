// Raw text, behind names for its operands.
#pragma once

#include "Emit/Cuda/Views.h"

namespace sluice::cuda {

class RawPrinter : public ViewPrinter {
public:
  using ViewPrinter::ViewPrinter;

  void raw(const Raw &o);

private:
  std::string declaration(const Raw &o) const;
  std::vector<std::string> nameOperands(const Raw &o);
  std::string reference(const View &v, const std::string &name);
};

} // namespace sluice::cuda
