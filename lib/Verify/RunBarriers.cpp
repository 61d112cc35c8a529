#include "Verify/Conditions.h"
#include "Verify/Names.h"
#include "Verify/Run.h"

namespace sluice {

using Outcome = MbarrierState::Outcome;

RunBarriers::RunBarriers(const RunLinks &links)
    : RunPart(links), mbarriers_(ctas_.size() * program_.mbarriers.size()) {
  for (size_t i = 0; i < mbarriers_.size(); ++i)
    mbarriers_[i].resize(program_.mbarriers[i % program_.mbarriers.size()].slots);
}

std::string RunPart::nameOf(const BarrierPlace &b) const {
  std::string text = barrierName(program_.mbarriers[b.object], b.slot);
  return ctas_.size() > 1 ? text + " of CTA " + coordinates(program_, ctas_[b.cta]) : text;
}

std::optional<RunBarriers::BarrierPlace> RunBarriers::resolve(Actor &a, const Stmt &s,
                                                              const MbarrierRef &ref) {
  const Mbarrier &object = program_.mbarriers[ref.object];
  const int64_t slot = a.agent.value(ref.slot);
  const int64_t rank = ref.remote ? a.agent.value(*ref.remote) : a.cta;
  if (slot < 0 || slot >= object.slots || rank < 0 || rank >= static_cast<int64_t>(ctas_.size())) {
    const std::string where = ref.remote ? " in CTA rank " + std::to_string(rank) : "";
    refuse("R24",
           what(a, s) + " names " + object.name + "[" + std::to_string(slot) + "]" + where +
               "; the array has " + std::to_string(object.slots) + " barriers and the cluster " +
               std::to_string(ctas_.size()) + " CTAs. Take the slot from a cursor of the ring",
           s, object.name);
    return {};
  }
  const int cta = static_cast<int>(rank);
  return BarrierPlace{&at(cta, ref.object, slot), cta, ref.object, slot};
}

RunBarriers::BarrierPlace RunBarriers::sameIn(int cta, const BarrierPlace &b) {
  return {&at(cta, b.object, b.slot), cta, b.object, b.slot};
}

bool RunBarriers::namesOthers(Actor &a, const Stmt &s, int64_t mask, const char *who,
                              const std::string &object) {
  if (ctas_.size() >= 63 || mask >> ctas_.size() == 0)
    return false;
  refuse("R24",
         what(a, s) + " names CTAs by the multicast mask " + std::to_string(mask) +
             " that the cluster of " + std::to_string(ctas_.size()) +
             " has not. Give one bit for each CTA of the cluster that " + who,
         s, object);
  return true;
}

bool RunBarriers::usable(Actor &a, const Stmt &s, const BarrierPlace &b, bool async) {
  if (!conditions().lives)
    return true;
  const TrackedMbarrier &m = *b.barrier;
  const Strands who = strands(a, s);
  if (!m.state.valid() || !m.init || !who.know(m.init->stamp)) {
    if (m.init)
      offence_ = {Offence::plain, *m.init, "initialises " + nameOf(b), "", {}};
    refuse("R1",
           what(a, s) + " uses " + nameOf(b) +
               (m.ended && !m.state.valid()
                    ? " after " + what(*m.ended) +
                          " has ended its life. Invalidate it after its last use"
                    : " before its initialisation is known there" +
                          (m.init ? " (initialised by " + what(*m.init) + ")" : "") +
                          ". Put a CTA barrier (cluster barrier, for a peer's) between the "
                          "initialisation and the first use"),
           s, nameOf(b));
    return false;
  }
  const bool remote = b.cta != a.cta;
  if ((async || remote) && !(m.initFence && who.know(*m.initFence))) {
    offence_ = {Offence::plain, *m.init, "initialises " + nameOf(b), "", {}};
    refuse("R2",
           what(a, s) + " uses " + nameOf(b) + ", whose initialisation by " + what(*m.init) +
               " no fence makes visible to " + (remote ? "the cluster" : "the async proxy") +
               ". Put fence.mbarrier_init after the initialisation, before the barrier that "
               "publishes it",
           s, nameOf(b));
    return false;
  }
  return true;
}

RunBarriers::Step RunBarriers::initialise(Actor &a, const Stmt &s, const MbarrierInit &op) {
  const int64_t slots = op.wholeArray ? program_.mbarriers[op.barrier.object].slots : 1;
  for (int64_t i = 0; i < slots; ++i) {
    MbarrierRef ref = op.barrier;
    if (op.wholeArray)
      ref.slot = {kNone, i};
    const auto place = resolve(a, s, ref);
    if (!place)
      return Step::stop;
    TrackedMbarrier &b = *place->barrier;
    const bool again = b.init && b.state.valid();
    if (const Outcome o = b.state.init(op.count); o != Outcome::ok)
      return refuse("R3",
                    what(a, s) + " of " + nameOf(*place) + " with count " +
                        std::to_string(op.count) + ": " + describe(o) +
                        (again ? ". Initialise a barrier once, or put mbarrier.inval before"
                               : ". Derive the count from the arrivals of one phase"),
                    s, nameOf(*place));
    if (conditions().lives && b.ended && !strands(a, s).know(b.ended->stamp))
      return refuse("R3",
                    what(a, s) + " of " + nameOf(*place) + " is not ordered after " +
                        what(*b.ended) +
                        ": it may be a live barrier still. Put a CTA barrier between",
                    s, nameOf(*place));
    b.reset();
    b.init = {initialisation(a, s), a.index, &s};
    b.initFence.reset();
  }
  return Step::done;
}

/// An initialisation or its fence: a strand of their own, which a relaxed cluster barrier hands on.
Stamp RunBarriers::initialisation(Actor &a, const Stmt &s) {
  const Stamp stamp{component(a, Strand::initialisations), ++a.initialised};
  strands(a, s).learn(stamp);
  return stamp;
}

RunBarriers::Step RunBarriers::invalidate(Actor &a, const Stmt &s, const MbarrierInval &op) {
  const int64_t slots = op.wholeArray ? program_.mbarriers[op.barrier.object].slots : 1;
  for (int64_t i = 0; i < slots; ++i) {
    MbarrierRef ref = op.barrier;
    if (op.wholeArray)
      ref.slot = {kNone, i};
    const auto place = resolve(a, s, ref);
    if (!place || !usable(a, s, *place, false))
      return Step::stop;
    if (const auto f = place->barrier->mayContribute(strands(a, s)))
      return fault(*f, a, s, *place);
    std::vector<BarrierEvent> users = place->barrier->waits();
    const std::vector<BarrierEvent> &signals = place->barrier->contributions();
    users.insert(users.end(), signals.begin(), signals.end());
    for (const BarrierEvent &looked : users)
      if (conditions().lives && !strands(a, s).know(looked.stamp))
        return refuse("R3",
                      what(a, s) + " ends the life of " + nameOf(*place) +
                          ", but nothing orders it after " + what(looked) +
                          ", which may still look at it. Put a CTA barrier between",
                      s, nameOf(*place));
    if (const Outcome o = place->barrier->state.inval(); o != Outcome::ok)
      return refuse("R3", what(a, s) + " of " + nameOf(*place) + ": " + describe(o), s,
                    nameOf(*place));
  }
  const BarrierEvent e = event(a, s);
  for (int64_t i = 0; i < slots; ++i) {
    MbarrierRef ref = op.barrier;
    if (op.wholeArray)
      ref.slot = {kNone, i};
    resolve(a, s, ref)->barrier->ended = e;
  }
  return Step::done;
}

RunBarriers::Step RunBarriers::fault(const BarrierFault &f, Actor &a, const Stmt &s,
                                     const BarrierPlace &b) {
  const std::string name = nameOf(b), phase = std::to_string(b.barrier->state.phase());
  // Bytes announced after all arrivals: the phase in progress has not completed yet.
  const bool open = b.barrier->state.pending() == 0;
  const std::string previous = std::to_string(b.barrier->state.phase() - !open);
  const bool misses = f.kind == BarrierFault::overtakenWait;
  const bool misreads = f.kind == BarrierFault::laggingWait;
  offence_ = {misses                               ? Offence::overtaken
              : misreads                           ? Offence::misread
              : f.kind == BarrierFault::unobserved ? Offence::plain
                                                   : Offence::tooEarly,
              f.other,
              "",
              "",
              {}};
  offence_.wholePhase = misses || f.kind == BarrierFault::unannouncedBytes;
  switch (f.kind) {
  case BarrierFault::earlyContribution:
    return refuse("R4",
                  what(a, s) + " counts for phase " + phase + " of " + name +
                      ", but nothing orders it after " + what(f.other) + " of phase " + previous +
                      ": it can slip into that phase. Wait for phase " + previous + " of " + name +
                      " (or for something that follows it) first",
                  s, name);
  case BarrierFault::laggingWait:
    return refuse("R5",
                  what(a, s) + " for phase " + previous + " of " + name +
                      " passes one phase early: it does not know " + what(f.other) + " of phase " +
                      std::to_string(b.barrier->state.phase() - 2) +
                      ", and the parity of two phases before looks the same. Wait for every phase "
                      "in turn, or take the parity from the ring's cursor",
                  s, name);
  case BarrierFault::overtakenWait: {
    const int64_t looked = b.barrier->state.phase() - 2;
    return refuse("R5",
                  "phase " + previous + " of " + name + " completes with " + what(a, s) +
                      " although " + what(f.other) +
                      (looked < 0 ? " may come later: it would then find the fresh barrier gone"
                                  : " may not have looked at phase " + std::to_string(looked) +
                                        " yet: it would then miss it") +
                      " and block. The waiter must be known to one of the arrivals of phase " +
                      previous,
                  s, name);
  }
  case BarrierFault::unobserved:
    return refuse(
        "R5",
        "phase " + previous + " of " + name + " completes with " + what(a, s) +
            " although no wait has found phase " + std::to_string(b.barrier->state.phase() - 2) +
            " complete: every phase must be observed before the next one is. Wait for each"
            " phase, or use a counter",
        s, name);
  case BarrierFault::tooFewBytes:
    return refuse("R6",
                  what(a, s) + " brings bytes to " + name + " that phase " + previous +
                      " has not announced: the phase completes with " + what(f.other) +
                      ", while this copy may still write. Announce the bytes of all copies of the "
                      "phase",
                  s, name);
  case BarrierFault::unannouncedBytes:
    break;
  }
  return refuse("R6",
                "phase " + previous + " of " + name + " may complete before " + what(f.other) +
                    " announces its bytes: no arrival of the phase is ordered after it. Use "
                    "arrive.expect_tx, or put the expect_tx before an arrival of the same thread",
                s, name);
}

RunBarriers::Step RunBarriers::contributed(Actor &a, const Stmt &s, const BarrierPlace &b,
                                           Outcome outcome) {
  TrackedMbarrier &m = *b.barrier;
  if (!conditions().c6 && (outcome == Outcome::txRange || outcome == Outcome::overArrival))
    return Step::done;
  switch (outcome) {
  case Outcome::ok:
    return Step::done;
  case Outcome::completed:
    if (const auto f = m.complete())
      return fault(*f, a, s, b);
    context_.used[b.object][b.slot] = true;
    wake(m.blocked);
    return Step::done;
  case Outcome::txRange:
    offence_.wholePhase = true;
    return refuse("R8",
                  what(a, s) + " on " + nameOf(b) + ": " + describe(outcome) + " (" +
                      m.state.str() + "). Split the phase's bytes over more slots",
                  s, nameOf(b));
  case Outcome::overArrival:
    offence_.wholePhase = true;
    return refuse("R7",
                  what(a, s) + " on " + nameOf(b) + ": more arrivals than the phase expects (" +
                      m.state.str() +
                      "). The count of the initialisation must be the number of "
                      "arrivals of one phase",
                  s, nameOf(b));
  default:
    return refuse("R3", what(a, s) + " on " + nameOf(b) + ": " + describe(outcome), s, nameOf(b));
  }
}

RunBarriers::Step RunBarriers::arrive(Actor &a, const Stmt &s, const MbarrierRef &ref,
                                      const Arrival &what) {
  const auto place = resolve(a, s, ref);
  if (!place || !usable(a, s, *place, false))
    return Step::stop;
  TrackedMbarrier &b = *place->barrier;
  const Strands who = strands(a, s);
  const BarrierEvent e = event(a, s);
  if (const auto f = b.mayContribute(who))
    return fault(*f, a, s, *place);
  const int64_t lanes = s.exec == Exec::threads ? 32 : 1; // each executing thread does it
  if (!what.arrives && b.state.pending() == 0 && conditions().c4)
    return fault({BarrierFault::unannouncedBytes, e}, a, s, *place);
  const bool remote = place->cta != a.cta;
  Release release = Release::nobody; // expect_tx is relaxed
  if (what.arrives && !remote)
    release = Release::cta;
  else if (what.arrives && what.scope == Scope::cluster)
    release = Release::cluster;
  b.contribute(e, who, {what.arrives, what.bytes > 0, release, {}});
  if (remote)
    parts_.exit.owe(place->cta, e, place->object, place->slot);
  if (s.exec == Exec::threads) { // the elected lane's part is an event of its own strand
    const BarrierEvent own{{a.electedComponent, ++a.steps}, a.index, &s};
    a.elected.learn(own.stamp);
    b.contribute(own, {&a.elected, nullptr}, {what.arrives, what.bytes > 0, release, {}});
    if (remote)
      parts_.exit.owe(place->cta, own, place->object, place->slot);
  }
  const int64_t bytes = MbarrierState::announcedBy(lanes, what.bytes);
  return contributed(a, s, *place,
                     what.arrives ? b.state.arriveExpectTx(bytes, what.count * lanes)
                                  : b.state.expectTx(bytes));
}

RunBarriers::Step RunBarriers::completeBytes(Actor &a, const Stmt &s, const BarrierPlace &b,
                                             int64_t bytes, Stamp end) {
  const Strands who = strands(a, s);
  if (auto f = b.barrier->mayContribute(who)) {
    // Not a turn too early, but a copy of the same turn, whose phase completed without it.
    const std::vector<BarrierEvent> &before = b.barrier->previous();
    const bool again = std::any_of(before.begin(), before.end(), [&](const BarrierEvent &e) {
      return e.actor == a.index && e.stmt == &s;
    });
    if (!again && b.barrier->state.announced() == 0)
      f->kind = BarrierFault::tooFewBytes;
    return fault(*f, a, s, b);
  }
  const BarrierEvent e{end, a.index, &s};
  b.barrier->contribute(e, who, {false, false, Release::nobody, end});
  return contributed(a, s, b, b.barrier->state.completeTx(bytes));
}

std::optional<RunBarriers::BarrierPlace> RunBarriers::lookedAt(Actor &a, const Stmt &s,
                                                               const MbarrierRef &ref) {
  if (conditions().c6 && ref.remote && a.agent.value(*ref.remote) != a.cta) {
    refuse("R5",
           what(a, s) + " names a barrier of another CTA: mbarrier.try_wait takes one of "
                        "the own CTA only. Wait on a local barrier that the peer signals",
           s, program_.mbarriers[ref.object].name);
    return {};
  }
  const auto place = resolve(a, s, ref);
  return place && usable(a, s, *place, false) ? place : std::nullopt;
}

RunBarriers::Step RunBarriers::wait(Actor &a, const Stmt &s, const MbarrierWait &op) {
  const auto place = lookedAt(a, s, op.barrier);
  if (!place || isOfOther(a, s, op, *place))
    return Step::stop;
  TrackedMbarrier &b = *place->barrier;
  if (!b.state.passes(a.agent.value(op.parity))) {
    b.blocked.push_back(a.index);
    return Step::blocked;
  }
  // All lanes are taken to leave the wait together: one event, known to both strands.
  const Strands who = strands(a, s);
  if (s.exec == Exec::threads)
    context_.assumptions.insert(
        "warps-converge: the lanes of a warp come to and leave a wait together");
  const BarrierEvent e{{a.electedComponent, ++a.steps}, a.index, &s};
  who.learn(e.stamp);
  observeWait(s, b, who);
  if (const auto f = b.pass(e, who, op.scope == Scope::cluster))
    return fault(*f, a, s, *place);
  if (s.exec == Exec::threads)
    tellLanes(a, b.completed());
  return Step::done;
}

RunBarriers::Step RunBarriers::cpAsyncArrive(Actor &a, const Stmt &s, const CpAsyncArrive &op) {
  const auto place = resolve(a, s, op.barrier);
  if (!place || !usable(a, s, *place, false))
    return Step::stop;
  TrackedMbarrier &b = *place->barrier;
  const Strands who = strands(a, s);
  const BarrierEvent e = event(a, s);
  if (const auto f = b.mayContribute(who))
    return fault(*f, a, s, *place);
  // Without .noinc the pending count rises by one first: the net effect on the phase is none, but
  // the rise has to come before the phase can complete, as with expect_tx.
  // It comes when the copies before it have ended, and carries them, not earlier stores of the
  // thread: known to those who wait for the phase.
  const auto carry = [&](const BarrierEvent &event, Stamp end) {
    b.contribute(event, who, {op.noinc, !op.noinc, Release::nobody, end});
  };
  const auto arriveLater = [&](Strand strand) {
    const BarrierEvent end{{component(a, strand), ++a.steps}, a.index, &s};
    carry(end, end.stamp);
    parts_.exit.owe(a.cta, end, place->object, place->slot);
  };
  carry(e, {a.electedCopies.component, a.electedCopies.issued});
  if (s.exec == Exec::threads)
    carry(e, {a.copies.component, a.copies.issued});
  arriveLater(Strand::arrivals);
  if (s.exec == Exec::threads)
    arriveLater(Strand::laneArrivals);
  const int64_t lanes = s.exec == Exec::threads ? 32 : 1;
  return contributed(a, s, *place, op.noinc ? b.state.arrive(lanes) : Outcome::ok);
}

/// What a relaxed arrive hands on: only what fence.mbarrier_init of the warp has released. The
/// fence comes after the initialisations in their component.
void RunBarriers::releaseInitialisations(const Actor &a, Clock &to) const {
  for (const auto &array : mbarriers_)
    for (const TrackedMbarrier &b : array)
      if (b.init && b.init->actor == a.index && b.initFence)
        to.learn(*b.initFence);
}

RunBarriers::Step RunBarriers::fenceInitialisations(Actor &a, const Stmt &s) {
  const Stamp fence = initialisation(a, s);
  context_.observed.open(s);
  for (auto &array : mbarriers_)
    for (TrackedMbarrier &b : array)
      if (b.init && b.init->actor == a.index && !b.initFence) {
        b.initFence = fence;
        context_.observed.matters(s);
      }
  return Step::done;
}

void RunBarriers::observeWait(const Stmt &s, const TrackedMbarrier &b, const Strands &who) {
  if (!context_.observed.open(s) || b.state.phase() == 0)
    return;
  for (const BarrierEvent &e : b.previous())
    if (!who.know(e.stamp))
      return context_.observed.matters(s);
}

bool RunBarriers::leftInPhase() {
  for (size_t i = 0; i < mbarriers_.size(); ++i)
    for (size_t slot = 0; slot < mbarriers_[i].size(); ++slot) {
      const MbarrierState &state = mbarriers_[i][slot].state;
      if (!state.valid() || (state.pending() == state.expected() && state.tx() == 0))
        continue;
      const BarrierEvent &last = mbarriers_[i][slot].contributions().back();
      const auto cta = static_cast<int>(i / program_.mbarriers.size());
      const auto object = static_cast<int>(i % program_.mbarriers.size());
      const std::string name =
          nameOf(BarrierPlace{nullptr, cta, object, static_cast<int64_t>(slot)});
      offence_ = {Offence::atExit, last, "is the last to signal " + name, "", {}};
      refuse("R14",
             name + " is left in the middle of a phase (" + state.str() +
                 "); the last to signal "
                 "it is " +
                 what(last) +
                 ". Make the arrivals and bytes of its last phase complete, "
                 "or none",
             *last.stmt, name);
      return true;
    }
  return false;
}

} // namespace sluice
