// Copies and fills by threads, and tiles that are printed while the kernel runs.
#pragma once

#include "Emit/Cuda/Views.h"

namespace sluice::cuda {

class CopyPrinter : public ViewPrinter {
public:
  using ViewPrinter::ViewPrinter;

  void copy(const Copy &o);
  void fill(const Fill &o);
  void prefetch(const Prefetch &o);
  void printTile(const Print &o);
  bool prints() const { return prints_; }

private:
  void copyToShared(const Copy &o);
  void copyFromShared(const Copy &o);
  void copyToRegisters(const Copy &o);
  void copyFromRegisters(const Copy &o);
  void sharedRows(std::string_view verb, const View &shared, const std::string &before,
                  const std::string &behind);
  bool shiftsRows(const View &from, const RegisterTile &to, const TensorTile &tile);
  int64_t numbersAtOnce(const View &column, int64_t count);
  int64_t bytesOfStore(const View &to, int along) const;
  void tileCopy(std::string_view function, const View &tensor, const View &buffer, bool load,
                int64_t smallest, const std::optional<RowNumbers> &rows = {});
  std::string rowNumbers(const View &numbers);
  bool converts(DType from, DType to, bool narrows = false);

  bool prints_ = false; // tiles, by printf
};

} // namespace sluice::cuda
