// How views are written: windows on tensors, addresses of slots, objects in registers.
#pragma once

#include "Emit/Cuda/PrinterPart.h"
#include "Emit/Cuda/RegisterTile.h"

namespace sluice::cuda {

/// Dimensions of a tensor that the rows and columns of a tile run along; -1: none (extent 1).
struct TensorTile {
  int row = -1, col = -1;
};

class ViewPrinter : public PrinterPart {
public:
  using PrinterPart::PrinterPart;

protected:
  ~ViewPrinter() = default;

  std::optional<TensorTile> tensorTile(const View &v, int64_t rows, int64_t cols);
  std::string window(const View &v, TensorTile tile, bool write);
  std::string address(const View &v);
  std::string element(const View &v);
  /// Of elements that are computed with; others are moved, and multiplied by wgmma.
  std::string valueType(DType type, bool integers = false, bool bytes = false);
  /// `ofLanes`: 32 columns too, of which a lane has one.
  std::optional<RegisterTile> registerTile(const View &v, bool ofLanes = false);
  std::string numberAddress(const View &v);
  int64_t bytesAtOnce(const View &box, int along) const;

private:
  std::string partsOfRow(const View &v, bool write);
  std::string linesOfTensor(const View &v, bool write);
  std::string clipped(const std::string &extent, const Clip &clip);
  int64_t rowBlocks(int64_t rows);
  int64_t rowsOfWarp(int64_t rows);
};

} // namespace sluice::cuda
