// The state of a run without clock values (docs/proof.md): two runs with the same normal form
// behave alike from there on.
#pragma once

#include "Verify/Relevance.h"
#include "Verify/Rings.h"
#include "Verify/Run.h"

#include <map>
#include <set>
#include <string>

namespace sluice {

class NormalForm {
public:
  NormalForm(CanonicalRun &run, const Relevance &relevance, const Rings &rings)
      : run_(run), needs_(relevance), rings_(rings) {}

  /// Forgets what no later check can look up, then writes the rest down. Only for a run in which
  /// every agent is done, blocked or undecided.
  std::string write();

private:
  /// What some agent or barrier knows, against which later checks hold stamps.
  struct Known {
    const Clock *clock = nullptr;
    Stamp upTo; // where clock is null: all of one component up to here

    uint32_t of(int32_t component) const {
      return clock ? (*clock)[component] : upTo.component == component ? upTo.count : 0;
    }
  };
  /// Clocks of one kind, and what they know of each component that was asked for,
  /// filled up with zeros to a multiple of eight.
  struct Knowers {
    std::vector<Known> clocks;
    std::vector<uint32_t> columns; // one after the other
    std::vector<int32_t> starts;   // by component: where its column begins, -1 not asked for

    size_t height() const { return (clocks.size() + 7) / 8 * 8; }
    const uint32_t *column(int32_t component);
  };

  // Forgetting
  bool isAgain(const Actor &a, const Stmt *owner) const;
  bool loopsAhead(const Actor &a) const;
  const std::vector<const For *> &ahead(const Actor &a, const Block &block, size_t from) const;
  bool isInside(const Actor &a, const Instance &i) const;
  bool comesLater(const Actor &a, const Instance &i) const;
  bool allGoTogether() const;
  bool past(const Actor &a, const Instance &i) const;
  bool stepsOver(const For *loop, int32_t path) const;
  bool past(const Actor &a, int32_t path) const;
  bool comesTo(const Actor &a, int32_t path) const;
  bool alive(const Instance &i) const;
  void carry(int32_t term);
  void findCarried();
  void forgetFacts();
  void trimGroups();
  void forgetBoxes();
  void addDrawn(int32_t term, std::set<int32_t> &found) const;
  std::set<int32_t> drawnInReach() const;
  void forgetDrawnBoxes();
  bool isLeft(int32_t path) const;
  void forgetPlaces();

  // Turning rings
  template <typename Frame, typename Visit>
  void eachLive(const Actor &a, const Frame &f, Visit visit) const;
  void turnRings();
  std::optional<int64_t> positionOf(const Actor &a, ValueId cursor) const;
  bool isTurned(int ring) const { return ring >= 0 && turns_[ring] >= 0; }
  int64_t lastPosition(int ring) const;
  int64_t fromTurn(int ring, int64_t position) const;
  int64_t slotAt(int ring, int64_t place) const;
  bool turnsParity(int ring, int64_t slot) const;
  int32_t nameOf(int32_t component);
  template <typename Visit> void eachBarrier(Visit visit);
  struct TurnedCell {
    int64_t buffer, place, offset, form; // offset: of its first byte in the slot
    size_t cell;
    auto operator<=>(const TurnedCell &) const = default;
  };
  std::optional<TurnedCell> turned(int64_t memory, Memory &m, size_t cell) const;

  // Writing
  void collectClocks();
  void add(const Sight &s);
  void add(const Knowledge &k);
  void addEnd(Stamp upTo);
  void put(int64_t v);
  /// A number where a term may stand, which begins with -2.
  void number(int64_t v) { put(v <= -2 ? v - 1 : v); }
  void place(const void *p) { put(static_cast<int64_t>(reinterpret_cast<intptr_t>(p))); }
  void bits(Stamp s, Knowers &clocks);
  void add(Knowers &to, const Clock &clock);
  void stamp(Stamp s);
  bool knownToAll(Stamp s) const;
  bool knownToSetters(const std::string &core, uint32_t pipes, Stamp wait) const;
  bool knownToAll(const Access &a) const {
    return a.all([this](Stamp s) { return knownToAll(s); });
  }
  /// The bits of all that an access ends with.
  void bits(const Access &a, Knowers &clocks);
  /// Where a write lies, which decides the clocks that matter of it.
  enum class Place { other, shared, asyncTensor, tensorMemory };
  bool seenByAll(const Access &write, Place place) const;
  bool fencedByAll(const Access &a, Place place) const;
  bool behindFencesOfAll(const Access &a) const;
  bool isPast(const Access &read, Place place) const;
  void events(const std::vector<BarrierEvent> &list); // that not everybody knows
  void everyEvent(const std::vector<BarrierEvent> &list);
  void writeKept();
  void actor(const Actor &a);
  void levels(const Actor &a);
  void value(const Actor &a, ValueId v);
  bool token(const Actor &a, Affine known);
  void reference(const Actor &a, Affine raw, const Need &need);
  void term(Affine raw);
  void shape(int32_t term);
  void operand(Affine a);
  void matters(int64_t c, const Need &need);
  void rounds(int32_t term, const Need &need);
  void path(int32_t number);
  void facts();
  void outOfSight(Range range);
  void bounds(Range range, int64_t from);
  void barriers();
  void hardwareBarriers();
  void flags();
  void mutexes();
  void units();
  void memory();
  void tensorMemory();
  void cell(const Cell &c);
  std::vector<const Access *> inOrder(std::vector<const Access *> accesses);
  void access(const Access &a);
  bool toldToLanes(const Access &a) const;
  void lanes(const Access &a);
  void written(const Access &a, Place place);
  void read(const Access &a, Place place);
  void number(int object, Affine written);
  bool sinceFence(const Access &a) const;
  bool isFinite(Affine a) const;
  void finiteParts(Affine sum);
  void box(const Box &where);
  void tensors();
  void counters();
  void launches();
  Place placeOf(const Access &a) const;
  void debts();
  void origin(const Access &write);
  void tilePlace(int32_t number);
  int64_t longestExtent() const;
  void distances();
  void products();
  void leftovers(const Access &write);
  void between(const std::array<Affine, 2> &tile, const Operand &stored);
  int64_t front(bool &inside) const;
  int64_t lowest(const Instance &i, bool &inside) const;
  int64_t last(const Path &of);

  CanonicalRun &run_;
  const Relevance &needs_;
  const Rings &rings_;
  std::vector<int64_t> turns_; // of rings: the position that slots are counted from; -1: none
  std::vector<int32_t> names_; // of components, once looked up
  // The clocks of Knowledge, of all agents and barriers.
  Knowers known_, proxies_, memories_, shared_, global_;
  Knowers columns_, afters_; // of tensor memory
  Knowers ended_;            // what relaxed cluster barriers have shown
  std::vector<const Actor *> running_;
  std::set<int32_t> carried_;        // paths of iterations that live values are of
  std::map<int32_t, int64_t> drawn_; // numbers drawn, in the order of their first mention
  std::map<std::array<int32_t, 3>, int64_t> last_; // of a loop's paths, once looked up
  std::vector<BarrierEvent> kept_;                 // of the list being written
  std::string out_;
};

/// Values that a frame of an agent's stack has and somebody may still read.
template <typename Frame, typename Visit>
void NormalForm::eachLive(const Actor &a, const Frame &f, Visit visit) const {
  const bool within = &f != &a.agent.stack().back(); // of the last statement begun
  for (const Relevance::Defined &d : needs_.definedIn(*f.block))
    if (d.isLive(f.next, within))
      visit(d.value);
}

/// All mbarriers, slots of rings from where they are turned to; and whether their parity turns.
template <typename Visit> void NormalForm::eachBarrier(Visit visit) {
  const size_t arrays = run_.program_.mbarriers.size();
  for (size_t i = 0; i < run_.parts_.barriers.mbarriers_.size(); ++i) {
    const int array = static_cast<int>(i % arrays);
    const auto &slots = run_.parts_.barriers.mbarriers_[i];
    for (size_t place = 0; place < slots.size(); ++place) {
      const int ring = rings_.ofBarrier(array, static_cast<int64_t>(place));
      const int64_t slot = slotAt(ring, static_cast<int64_t>(place));
      visit(slots[slot], turnsParity(ring, slot));
    }
  }
}

} // namespace sluice
