// Tensor memory: one wrapper call per statement.
#pragma once

#include "Emit/Cuda/Views.h"

namespace sluice::cuda {

class TensorMemoryPrinter : public ViewPrinter {
public:
  using ViewPrinter::ViewPrinter;

  /// False where the statement is none of tensor memory.
  bool tensorMemory(const Stmt &s);
  std::string loadedTiles();
  void sharedToLanes(const Copy &o, const RegisterTile &to);
  void lanesToShared(const Copy &o, const RegisterTile &from, const std::string &values);
  /// What is read inside a block is seen inside: the address before, put back behind it.
  const std::string &seen() const { return tmem_; }
  void see(const std::string &address) { tmem_ = address; }

private:
  void tcgen05Mma(const Tcgen05Mma &o);
  std::optional<std::string> operandA(const View &v);
  void tmemCopy(const TmemCopy &o);
  void tmemLoad(const TmemLoad &o);
  void tmemStore(const TmemStore &o);
  std::string tmemPlace(const View &v);
  std::string tmemPlace(const View &v, int64_t lane);
  std::string tmemBase();

  std::vector<std::string> loading_; // register tiles, from tensor memory
  std::string tmem_; // the variable with the address of tensor memory, where one is seen
};

} // namespace sluice::cuda
