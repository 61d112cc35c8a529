// The pipeline level of a kernel that is being written: its roles, its rings and what follows from
// how they are used.
#pragma once

#include "Dialect/Dialect.h"
#include "Language/Cursors.h"
#include "sluice/Pipeline.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace sluice::lang::detail {

class Recorder;

struct Ring {
  ir::PipelineOp op;
  SourceLocation at;
  std::set<std::string> producers = {}, consumers = {}; // roles that have such an end
};

class Roles {
public:
  explicit Roles(Recorder &recorder) : r_(recorder) {}

  /// Whether the kernel has anything of this level.
  bool any() const { return !roles_.empty() || !rings_.empty() || !buffers_.empty(); }
  void begin(const std::string &name, Warps warps, SourceLocation at);
  void end();
  /// The role whose statements are being written; null outside.
  ir::RoleOp current() const { return current_; }

  mlir::Value addBuffer(DType type, Shape shape, int minor, const std::string &name,
                        SourceLocation at);
  /// Negative, with the mistake recorded, where it cannot be.
  int addRing(const std::string &name, int64_t slots, const std::vector<Buffer> &over,
              SourceLocation at);
  Ring &ring(int number) { return rings_[number]; }
  /// A position at the first slot of a ring, for the current role; negative after a mistake.
  int begin(int ring, bool produces, SourceLocation at);

  /// Who takes part in what, which warps run it, and where tiles lie.
  void finish();

  Cursors cursors;

private:
  struct Role {
    ir::RoleOp op;
    Warps warps;
  };
  /// The buffer; null, with the mistake recorded, where it cannot have so many.
  mlir::Value giveSlots(const Buffer &buffer, const std::string &pipeline, int64_t slots,
                        SourceLocation at);
  void nameParticipants(Ring &ring);
  void checkVerbs(Ring &ring);
  void placeWarps();
  void placeTiles();

  Recorder &r_;
  std::vector<Role> roles_;
  std::vector<Ring> rings_;
  std::vector<ir::AllocOp> buffers_;
  ir::RoleOp current_;
};

} // namespace sluice::lang::detail
