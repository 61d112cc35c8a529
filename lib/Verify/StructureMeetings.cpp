// R47: the meeting of all cores of a launch.
#include "Program/Blocks.h"
#include "Program/CoreMeeting.h"
#include "Program/OperationFacts.h"
#include "Verify/Names.h"
#include "Verify/Structure.h"

namespace sluice {
namespace {

/// A set or a wait between cores, and where it stands.
struct CrossUse {
  const Stmt *stmt;
  const CrossSet *set; // null: a wait
  const Role *role;
  bool once; // each core of the role comes to it once: no loop is around it, and no branch

  const Index &id() const { return set ? set->id : std::get<CrossWait>(stmt->op).id; }
  bool meets() const { return set && set->mode == allCores; }
};

class CrossUses {
public:
  void block(const Block &b, const Role *role, bool once) {
    for (const Stmt &s : b.stmts) {
      const auto *set = std::get_if<CrossSet>(&s.op);
      if (set || std::holds_alternative<CrossWait>(s.op))
        found.push_back({&s, set, role, once});
      const auto *inner = std::get_if<Role>(&s.op);
      forBlocks(s, [&](const Block &in) { block(in, inner ? inner : role, once && inner); });
    }
  }
  std::vector<CrossUse> found;
};

class MeetingRule {
public:
  explicit MeetingRule(const StructureContext &c) : c_(c) {
    uses_.block(c.program.body, nullptr, true);
  }

  void check() {
    for (const CrossUse &use : uses_.found)
      if (use.meets() && !set_)
        set_ = &use;
      else if (use.meets())
        return refuse(use,
                      "is a second meeting of all cores" + elsewhere(*set_) + "; a launch has one");
    if (set_ && comesOnce(*set_) && ownsItsId())
      waitIsOfAll();
  }

private:
  /// All cores of its kind come to it, each once.
  bool comesOnce(const CrossUse &use) {
    const bool ofAKind = use.role && (use.role->core == "aic" || use.role->core == "aiv");
    if (!ofAKind)
      refuse(use, "stands in no role of all cube cores or all vector cores, and all cores of a "
                  "kind meet");
    else if (!use.once)
      refuse(use, "stands in a loop or a branch; each core has to come to the meeting of all, and "
                  "once. Put it behind the loop");
    return ofAKind && use.once;
  }

  bool ownsItsId() {
    if (!set_->id().isConstant())
      return refuse(*set_, "has a computed id; that of a meeting of all cores is a number"), false;
    for (const CrossUse &use : uses_.found) {
      const bool same = use.id().isConstant() && use.id().constant == set_->id().constant;
      if (&use == set_ || (use.id().isConstant() && !same))
        continue;
      if (!same)
        return refuse(use, "has a computed id, which may be that of the meeting of all cores" +
                               elsewhere(*set_)),
               false;
      if (use.set)
        return refuse(use, "has the id of the meeting of all cores" + elsewhere(*set_) +
                               "; take another"),
               false;
      if (wait_)
        return refuse(use, "is a second wait for the meeting of all cores" + elsewhere(*set_)),
               false;
      wait_ = &use;
    }
    return true;
  }

  void waitIsOfAll() {
    if (!wait_)
      return refuse(*set_, "is waited for by nobody: the flag of every core would stay set");
    if (comesOnce(*wait_) && wait_->role->core != set_->role->core)
      refuse(*wait_, "waits in a role of core " + wait_->role->core +
                         " for the meeting of all cores" + elsewhere(*set_) + ", where those of " +
                         set_->role->core + " meet");
  }

  static std::string elsewhere(const CrossUse &use) { return place(use.stmt->loc); }

  void refuse(const CrossUse &use, const std::string &what) {
    c_.refuse("R47", operationName(use.stmt->op) + place(use.stmt->loc) + " " + what, use.stmt->loc,
              "cross-core flag");
  }

  const StructureContext &c_;
  CrossUses uses_;
  const CrossUse *set_ = nullptr, *wait_ = nullptr;
};

} // namespace

void checkMeetings(const StructureContext &c) {
  MeetingRule(c).check();
}

} // namespace sluice
