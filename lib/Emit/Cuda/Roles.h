// Roles as branches, the registers of their threads, and which threads execute a statement.
#pragma once

#include "Emit/Cuda/PrinterPart.h"

namespace sluice::cuda {

class RolePrinter : public PrinterPart {
public:
  using PrinterPart::PrinterPart;

  size_t roles(const Block &b, size_t at);
  void declareRegisters(const std::string &role, Text &text);
  std::string warp();
  std::string thread();

  void openGuard(Exec exec);
  void closeGuard();
  /// A statement that waits, perhaps under the guard.
  void blocks() { guardBlocks_ |= guard_.has_value(); }

private:
  /// `ownWarpgroups`: no other role shares them, so it changes its registers itself.
  void role(const Role &r, bool first, bool ownWarpgroups = true);
  struct Together;
  static Together together(const Block &b, size_t at, size_t end);
  void rolesOfWarpgroups(const Block &b, const Together &all, bool first);
  void registersOfRole(const Role &r, Text &text);

  bool usesWarp_ = false, usesThread_ = false; // in the role (or outside roles)
  std::optional<Exec> guard_;
  bool guardBlocks_ = false; // a statement under the guard waits
};

} // namespace sluice::cuda
