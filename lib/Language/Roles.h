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

/// Who fills a ring and takes from it, where its author says so.
enum class Kind : int {
  any,
  threads,
  tma,
  tmaManyConsumers,
  cpAsync,
  tmaStore,
  tmaUmma,
  ummaAsync,
  asyncUmma
};

struct Ring {
  std::string name;
  int64_t slots;
  std::vector<mlir::Value> buffers;
  Kind kind;
  SourceLocation at;
  RingOptions options = {};
  ir::PipelineOp op = {};                               // none: no other role takes part
  std::set<std::string> producers = {}, consumers = {}; // roles or pipes that have such an end

  /// The ring that has the barriers of the full side.
  const std::string &fullSide() const { return options.merge.empty() ? name : options.merge; }
};

class Roles {
public:
  explicit Roles(Recorder &recorder) : r_(recorder) {}

  /// Whether the kernel has anything of this level.
  bool any() const { return !roles_.empty() || !rings_.empty() || !buffers_.empty(); }
  void begin(const std::string &name, Warps warps, SourceLocation at);
  void begin(const std::string &name, Core core, SourceLocation at);
  void end();
  /// The role whose statements are being written; null outside.
  ir::RoleOp current() const { return current_; }
  /// Whether a statement of roles may stand here; a mistake otherwise.
  bool inRole(const std::string &what, SourceLocation at);
  /// The same of a role of warps, of the vector cores.
  bool inWarps(const std::string &what, SourceLocation at);
  bool inCore(const std::string &what, SourceLocation at);

  mlir::Value addBuffer(DType type, Shape shape, Space space, const BufferOptions &options,
                        const std::string &name, SourceLocation at);
  /// Negative, with the mistake recorded, where it cannot be.
  int addRing(const std::string &name, int64_t slots, const std::vector<Buffer> &over, Kind kind,
              SourceLocation at, const RingOptions &options = {});
  const Ring &ring(int number) const { return rings_[number]; }
  /// Whether loads of the current role to this tile are to be made by cp.async.
  bool loadsByCpAsync(mlir::Value tile) const;
  /// A position at the first slot of a ring, for the current role or one of its pipes; negative
  /// after a mistake.
  int begin(int ring, bool produces, Pipe pipe, SourceLocation at);

  /// All threads of the current role meet, at a named barrier of theirs.
  void meet(SourceLocation at);

  /// Who takes part in what, which warps run it, and where tiles lie.
  void finish();

  Cursors cursors;

private:
  struct Role {
    ir::RoleOp op;
    Warps warps;
    int64_t barrier = 0; // 0: its threads meet nowhere
  };
  /// A buffer that begins where another one does.
  struct Over {
    ir::AllocOp buffer, under;
  };
  /// Whether a role of this name may stand here; a mistake otherwise.
  bool mayBegin(const std::string &name, SourceLocation at);
  /// What is written goes into it, after a mistake too, for the mistakes in it.
  void enter(ir::RoleOp role, Warps warps);
  /// Whether the end of a ring can be of this pipe in the current role; a mistake otherwise.
  bool checkPipe(const Ring &ring, const std::string &end, Pipe pipe, SourceLocation at);
  void placeOnCores();
  /// The buffer; null, with the mistake recorded, where it cannot have so many.
  mlir::Value giveSlots(const Buffer &buffer, const std::string &pipeline, int64_t slots,
                        SourceLocation at);
  /// What is wrong with the options of a ring; empty: nothing.
  std::string wrongOptions(const Ring &ring) const;
  ir::PipelineOp createPipeline(const Ring &ring);
  void nameParticipants(Ring &ring);
  void checkVerbs(Ring &ring);
  void checkKind(Ring &ring);
  void checkManyConsumers(Ring &ring, const std::string &who);
  void placeWarps();
  void placeCluster();
  void placeTiles();
  bool addOver(ir::AllocOp buffer, const Tile &under, SourceLocation at);
  void placeOver();

  Recorder &r_;
  std::vector<Role> roles_;
  std::vector<Ring> rings_;
  std::vector<ir::AllocOp> buffers_;
  std::vector<Over> over_;
  ir::RoleOp current_;
  int64_t barriers_ = 0;
};

bool isInTensorMemory(ir::AllocOp buffer);
/// The position behind an end; null, with the mistake recorded, where it cannot be used.
mlir::Value use(const Carried &carried, SourceLocation at, const char *what = "an end");
/// Whether stages(n) alone is asked for; a mistake otherwise.
bool takesStagesAlone(Recorder &recorder, const std::string &pipeline, const LoopOptions &stages,
                      SourceLocation at);

} // namespace sluice::lang::detail
