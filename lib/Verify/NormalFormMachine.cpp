// The normal form of barriers, flags and memories.
#include "Verify/NormalForm.h"

#include <algorithm>

namespace sluice {

void NormalForm::trimGroups() {
  const auto trim = [](Queue &q, int64_t pending) {
    while (static_cast<int64_t>(q.groups.size()) > pending + 1)
      q.groups.pop_front(); // no wait looks further back
  };
  for (Actor &a : run_.actors_) {
    trim(a.wgmmas, needs_.mostPending[GroupDeed::wgmmas]);
    trim(a.bulkReads, needs_.mostPending[GroupDeed::bulk]);
    trim(a.copies, needs_.mostPending[GroupDeed::copies]);
    trim(a.electedCopies, needs_.mostPending[GroupDeed::copies]);
  }
}

void NormalForm::barriers() {
  eachBarrier([&](const TrackedMbarrier &b, bool turnsParity) {
    put(b.state.valid());
    if (b.ended)
      events({*b.ended});
    if (b.init) {
      put(b.initFence.has_value() + 1);
      events({*b.init});
      if (b.initFence)
        events({{*b.initFence, 0, nullptr}});
    } else {
      put(0);
    }
    if (!b.state.valid())
      return;
    put((b.state.phase() & 1) ^ static_cast<int64_t>(turnsParity));
    put(std::min<int64_t>(b.state.phase(), 2));
    put(b.state.expected());
    put(b.state.pending());
    put(b.state.tx());
    events(b.contributions());
    events(b.previous());
    events(b.beforePrevious());
    everyEvent(b.expects()); // C4 asks the arrivals made so far, whatever others know by now
    events(b.waits());
    put(b.waits().empty()); // that somebody has looked is asked, whoever knows it
    put(static_cast<int64_t>(b.blocked.size()));
  });
}

void NormalForm::hardwareBarriers() {
  put(static_cast<int64_t>(run_.parts_.meetings.named_.size()));
  for (const auto &[key, b] : run_.parts_.meetings.named_) {
    put(key.first * NamedBarrier::ids + key.second);
    put(b.arrived);
    put(b.arrived ? b.threads : 0);
    for (const BarrierEvent &e : b.current)
      put(e.actor); // who counts a second time
    events(b.current);
    events(b.previous);
  }
  for (const auto &[key, b] : run_.parts_.meetings.pipes_)
    put(b.arrived);
  for (const auto &[key, group] : run_.parts_.warpgroups.together_) {
    for (const auto &[stmt, tiles] : group.open) {
      place(stmt);
      for (const int64_t number : tiles)
        put(number);
    }
    put(-19);
    for (const size_t done : group.done)
      put(static_cast<int64_t>(done));
  }
  put(run_.parts_.exit.previousEnded());
  put(static_cast<int64_t>(run_.parts_.meetings.cluster_.arrived));
  for (const auto &[phase, k] : run_.parts_.meetings.cluster_.completed)
    put(run_.parts_.meetings.cluster_.phase - phase);
}

/// Whether all pipes of a core that may set a flag know the wait that a set asks for: then it holds
/// for good.
bool NormalForm::knownToSetters(const std::string &core, uint32_t pipes, Stamp wait) const {
  return std::all_of(running_.begin(), running_.end(), [&](const Actor *a) {
    const AgentId &id = a->agent.id();
    return id.core != core || !(pipes >> static_cast<unsigned>(id.pipe) & 1) ||
           a->lanes.order.knows(wait);
  });
}

void NormalForm::flags() {
  for (const auto &[key, f] : run_.parts_.flags.flags_) {
    // The next set asks whether its pipe knows the last wait.
    const auto &[core, source, destination, id] = key;
    const bool asked =
        !f.state.passes() && f.lastWait &&
        !knownToSetters(core, 1u << static_cast<unsigned>(source), f.lastWait->stamp);
    if (!f.state.passes() && !asked)
      continue;
    out_ += core;
    put(static_cast<int64_t>(source) * 16 + static_cast<int64_t>(destination));
    put(id);
    put(asked);
    if (asked)
      stamp(f.lastWait->stamp);
  }
  put(-7);
  for (const auto &[key, f] : run_.parts_.flags.crossFlags_) {
    const auto &[from, to, id] = key;
    out_ += from + to;
    put(id);
    put(f.sets > 0); // whether the peer uses this flag at all
    put(f.state.count());
    // Set number n asks for wait n - 15; waits before the first are as good as known to all.
    for (size_t i = 0; i < f.waits.size(); ++i) {
      const int64_t number = f.waited - static_cast<int64_t>(f.waits.size() - i) + 1;
      if (f.sets + 1 - number > CrossFlagState::maxCount ||
          knownToSetters(from, needs_.crossSetters, f.waits[i]))
        continue;
      put(f.sets - number);
      stamp(f.waits[i]);
    }
    put(-1);
  }
  const auto &meeting = run_.parts_.flags.meeting_;
  for (const auto &[core, known] : meeting.sets) {
    out_ += core;
    put(meeting.waited.contains(core));
  }
  put(-1);
  for (const auto &[core, waits] : run_.parts_.flags.waits_)
    for (const Actor *a : running_)
      if (a->agent.id().core == core) {
        const auto at = waits.walked.find(a->index);
        put(waits.passed - (at == waits.walked.end() ? 0 : at->second));
      }
  put(-1);
}

/// How far each agent that counts a mutex is behind, or ahead of, its unlocks.
void NormalForm::mutexes() {
  for (const auto &[key, m] : run_.parts_.mutexes.mutexes_) {
    out_ += key.first;
    put(key.second);
    put(static_cast<int64_t>(m.by));
    for (const Actor *a : running_) {
      const auto at = m.walked.find(a->index);
      if (at == m.walked.end())
        continue;
      put(a->index);
      put(m.unlocked - at->second.passed);
      place(at->second.open);
    }
    put(-1);
  }
}

/// Slots of L0C are of no turning ring.
void NormalForm::units() {
  for (const auto &[key, tile] : run_.parts_.units.tiles_) {
    put(key.first);
    put(key.second);
    put(tile.ofFix | tile.open << 1);
  }
  put(-20);
}

// ---- Memory ----------------------------------------------------------------------------------

void NormalForm::access(const Access &a) {
  place(a.stmt);
  put(a.actor);
  put(a.async | a.queued << 1 | sinceFence(a) << 2);
  put(a.object);
  put(nameOf(a.stamp.component) + 1);
  bits(a, known_);
  lanes(a);
}

/// Whether no lane of the warp has anything to learn of the others' parts.
bool NormalForm::toldToLanes(const Access &a) const {
  const Actor &owner = run_.actors_[a.actor];
  return !a.way || owner.done || owner.areTold(a);
}

/// Which lanes did what, until all of them are told; who may tell them is in the bits of order, and
/// of sight.
void NormalForm::lanes(const Access &a) {
  const bool open = !toldToLanes(a);
  put(open);
  if (!open)
    return;
  put(static_cast<int64_t>(a.way));
  bits(a.stamp, memories_);
}

/// Order matters of a write to whoever touches its bytes; sight to whoever reads them; the fences
/// where an asynchronous operation may.
void NormalForm::written(const Access &a, Place where) {
  if (!a.stmt)
    return place(nullptr);
  if (seenByAll(a, where) && toldToLanes(a)) {
    place(a.stmt);
    put(a.actor);
    put(a.async | a.queued << 1);
    put(a.object);
    return put(sinceFence(a) ? -13 : -8);
  }
  access(a);
  bits(a, memories_);
  if (where == Place::tensorMemory) {
    bits(a, columns_);
    bits(a, afters_);
  }
  if (a.async || where == Place::other)
    return;
  if (where == Place::shared)
    bits(a, proxies_);
  bits(a, where == Place::shared ? shared_ : global_);
}

NormalForm::Place NormalForm::placeOf(const Access &a) const {
  const Space space = a.object < 0 ? Space::global : run_.program_.buffers[a.object].space;
  return space == Space::smem   ? Place::shared
         : space == Space::tmem ? Place::tensorMemory
                                : Place::other;
}

/// R25 and R33 compare the accesses of an agent with its own last fence or barrier.
bool NormalForm::sinceFence(const Access &a) const {
  const Actor &owner = run_.actors_[a.actor];
  return a.stamp.component == owner.lanesComponent &&
         a.stamp.count > std::max(owner.wgmmaFence, owner.drained);
}

/// By the names of their strands.
std::vector<const Access *> NormalForm::inOrder(std::vector<const Access *> accesses) {
  std::sort(accesses.begin(), accesses.end(), [this](auto *x, auto *y) {
    return std::pair(nameOf(x->stamp.component), x->stamp.count) <
           std::pair(nameOf(y->stamp.component), y->stamp.count);
  });
  return accesses;
}

void NormalForm::memory() {
  for (auto &[key, m] : run_.parts_.memory.memories_) {
    put(key);
    std::vector<TurnedCell> ofRings;
    for (size_t i = 0; i < m.cells().size(); ++i) {
      const Cell &c = m.cells()[i];
      if (!c.write.stmt && c.reads.empty())
        continue;
      if (const auto at = turned(key, m, i)) {
        ofRings.push_back(*at);
        continue;
      }
      put(static_cast<int64_t>(i));
      cell(c);
    }
    put(-18);
    std::sort(ofRings.begin(), ofRings.end());
    for (const TurnedCell &c : ofRings) {
      for (const int64_t part : {c.buffer, c.place, c.offset, c.form})
        put(part);
      cell(m.cells()[c.cell]);
    }
    put(-9);
  }
}

void NormalForm::tensorMemory() {
  for (const auto &[cta, m] : run_.parts_.tensorMemory.tensorMemory_) {
    put(cta);
    put(m.allocated.has_value() | m.freed.has_value() << 1 | m.relinquished << 2);
    if (m.allocated)
      events({*m.allocated});
  }
}

void NormalForm::cell(const Cell &c) {
  written(c.write, placeOf(c.write));
  if (c.write.stmt)
    origin(c.write);
  if (c.write.stmt)
    leftovers(c.write);
  put(c.write.isNumber);
  if (c.write.isNumber)
    number(c.write.object, c.write.number);
  std::vector<const Access *> reads;
  for (const Access &r : c.reads)
    if (sinceFence(r) || !isPast(r, placeOf(r)))
      reads.push_back(&r);
  put(static_cast<int64_t>(reads.size()));
  for (const Access *r : inOrder(std::move(reads)))
    read(*r, placeOf(*r));
}

/// Whether nothing is asked of a read any more; R39 asks for generic ones that nobody's fence
/// covers, products for loads of tensor memory behind the fences of all.
bool NormalForm::isPast(const Access &read, Place where) const {
  const bool fences = !read.async && where != Place::other;
  return knownToAll(read) && toldToLanes(read) && (!fences || fencedByAll(read, where)) &&
         (where != Place::tensorMemory || behindFencesOfAll(read));
}

void NormalForm::read(const Access &a, Place where) {
  access(a);
  if (!a.async && where != Place::other)
    bits(a, where == Place::asyncTensor ? global_ : proxies_);
  if (where == Place::tensorMemory) {
    bits(a, columns_);
    bits(a, afters_);
  }
}

/// What a slot holds for those who will read it, as an agent's value.
void NormalForm::number(int object, Affine written) {
  const Need &need = needs_.number(object);
  std::optional<int64_t> told = 0;
  if (!written.isConstant()) {
    term(written);
    told = run_.context_.terms[written.term].value;
  } else if (need.bound || need.order) {
    number(written.constant);
  }
  if (told)
    matters(*told + written.constant, need);
  else if (need.value())
    rounds(written.term, need);
}

/// Whence a tile is that somebody may multiply.
void NormalForm::origin(const Access &write) {
  if (write.tag < 0 || !run_.context_.multiplied[write.object])
    return put(0);
  const Origin &o = run_.context_.origins[write.tag];
  put(o.tensor + 1);
  put(o.swapped);
  for (const int32_t place : o.place)
    tilePlace(place);
}

void NormalForm::tilePlace(int32_t number) {
  put(number == TilePlaces::none);
  if (number == TilePlaces::none)
    return;
  const TilePlace &p = run_.context_.places[number];
  put(run_.context_.places.shape(number));
  put(p.constant);
  put(static_cast<int64_t>(p.terms.size()));
  for (const auto &[term, times] : p.terms) { // a number in it may be a warp's, or one that a loop
    shape(term);                              // of a constant length counts
    put(times);
  }
  path(p.path);
  if (const Path &at = run_.context_.terms.path(p.path); at.depth == 1)
    put(std::clamp(at.iteration, int64_t{-1}, int64_t{1})); // TilePlaces::goesUp
}

/// Whether all who run have left a path for good, and the loop that it is of or so many of its
/// rounds that none of its tiles is waited for. Of outermost loops that are over the first
/// iterations stay, as those of a prologue: they are few.
bool NormalForm::isLeft(int32_t number) const {
  constexpr int64_t rounds = 16;
  const Terms &terms = run_.context_.terms;
  const Path &p = terms.path(number);
  const bool late = p.depth > 1 || p.iteration > run_.facts_.head();
  return number != 0 && std::ranges::all_of(running_, [&](const Actor *a) {
           for (const LoopLevel &l : a->agent.scalars().levels())
             if (const Path &here = terms.path(l.path); l.loop && here.parent == p.parent &&
                                                        here.bound == p.bound &&
                                                        here.ordinal == p.ordinal)
               return here.iteration - p.iteration > rounds * l.step;
           return late && past(*a, number);
         });
}

/// Places in loops that are over, whose rounds no form tells, are no longer known to the run
/// either.
void NormalForm::forgetPlaces() {
  Context &context = run_.context_;
  const auto forget = [&](int32_t &place) {
    if (place == TilePlaces::none)
      return false;
    const TilePlace &p = context.places[place];
    const bool left = isLeft(p.path) || std::ranges::any_of(p.terms, [&](const auto &part) {
                        return isLeft(context.terms[part.first].home);
                      });
    place = left ? TilePlaces::none : place;
    return left;
  };
  for (auto &[key, m] : run_.parts_.memory.memories_)
    for (Cell &c : m.cells()) {
      if (c.write.stmt && c.write.tag >= 0) {
        Origin o = context.origins[c.write.tag];
        if (forget(o.place[0]) | forget(o.place[1]))
          c.write.tag = context.tagOf(o);
      }
      if (c.write.stmt && c.write.product >= 0) {
        Product p = context.products[c.write.product];
        if (forget(p.operands[0].place) | forget(p.operands[1].place))
          c.write.product = context.productNumber(p);
      }
    }
  for (auto &[key, d] : run_.parts_.origin.distances_)
    forget(d.place);
}

void NormalForm::distances() {
  for (const auto &[key, d] : run_.parts_.origin.distances_) {
    const auto &[actor, stmt, slot, left, right] = key;
    if (run_.actors_[actor].done || run_.context_.sumsApart.count(stmt))
      continue; // its next product, if any, begins a sum
    put(actor);
    place(stmt);
    put(slot);
    put(left);
    put(right);
    put(d.told | d.alike << 1);
    // Far off, those that forms do not tell are alike.
    const int64_t far = 8 * longestExtent() + 1;
    put(d.told ? d.value : std::clamp(d.value, -far, far));
    tilePlace(d.place);
    put(d.direction + 2);
  }
}

/// Of a tile.
int64_t NormalForm::longestExtent() const {
  int64_t longest = 0;
  for (const Buffer &b : run_.program_.buffers)
    longest = std::max({longest, b.shape[0], b.shape[1]});
  return longest;
}

/// How far a tile lies from one that a store has written: a copy takes a part of a tile, no further
/// off than the largest is long.
void NormalForm::between(const std::array<Affine, 2> &tile, const Operand &stored) {
  const int64_t longest = longestExtent();
  for (const int d : {0, 1})
    if (tile[d].term != stored.at[d].term)
      put(-15);
    else
      put(std::clamp(tile[d].constant - stored.at[d].constant, -longest - 1, longest + 1));
}

/// Which of the tiles that stores have written last are still there, to be multiplied again.
void NormalForm::leftovers(const Access &write) {
  const std::vector<Product> &products = run_.context_.products;
  const Product *own = write.product >= 0 ? &products[write.product] : nullptr;
  put(own != nullptr);
  for (int side = 0; own && side < 2; ++side) {
    const Operand &o = own->operands[side];
    put(o.tensor);
    put(o.along);
    put(o.first);
    tilePlace(o.place);
  }
  for (const auto &[key, stored] : run_.parts_.products.stored_)
    for (const int side : {0, 1}) {
      const Operand &o = stored.product.operands[side];
      if (stored.again[side] || stored.roams)
        continue;
      if (write.tag >= 0 && run_.context_.origins[write.tag].tensor == o.tensor)
        between(run_.context_.origins[write.tag].at, o);
      if (own && own->operands[side].tensor == o.tensor)
        between(own->operands[side].at, o);
    }
}

void NormalForm::products() {
  for (const auto &[key, stored] : run_.parts_.products.stored_) {
    put(std::get<0>(key));
    place(std::get<1>(key));
    put(stored.again[0] | stored.again[1] << 1 | stored.roams << 2);
    for (const int side : {0, 1}) {
      put(stored.told[side].has_value());
      put(stored.told[side].value_or(0));
    }
    if (stored.roams)
      continue;
    put(stored.distance[0]);
    put(stored.distance[1]);
    put(stored.alongK);
  }
}

/// What brackets are told from, of visits that somebody may still come to: of the others nobody
/// makes an access any more.
void NormalForm::counters() {
  std::erase_if(run_.parts_.brackets.visits_, [this](const auto &v) {
    const auto &[cta, counter, at] = v.first;
    const bool over =
        at != 0 && std::ranges::none_of(running_, [&](const Actor *a) { return comesTo(*a, at); });
    if (over && !v.second.waits.empty())
      run_.parts_.brackets.left_.insert(counter);
    return over;
  });
  for (const int counter : run_.parts_.brackets.left_)
    put(counter);
  put(-17);
  for (const auto &[key, visit] : run_.parts_.brackets.visits_) {
    const auto &[cta, counter, at] = key;
    put(cta);
    put(counter);
    path(at);
    put(visit.added);
    put(static_cast<int64_t>(visit.waits.size()));
    for (const BarrierEvent &wait : visit.waits) {
      stamp(wait.stamp);
      bits(wait.stamp, memories_);
      bits(wait.stamp, global_);
    }
    std::map<std::tuple<const Stmt *, bool, int32_t, int32_t>, const Access *> open; // by names
    for (const auto &[key, last] : visit.open) {
      const auto &[stmt, writes, component, elected] = key;
      open[{stmt, writes, nameOf(component), elected}] = &last;
    }
    for (const auto &[key, last] : open) {
      access(*last);
      put(std::get<1>(key));
      put(last->electedEnd.component);
      bits(*last, memories_);
      bits(*last, global_);
    }
    put(-16);
  }
}

/// Which responses may still have said that nothing is left, and which requests somebody may not
/// know.
void NormalForm::launches() {
  const RunLaunches &launches = run_.parts_.launches;
  for (const auto &[cta, asking] : launches.asking_) {
    std::vector<BarrierEvent> requests;
    for (const auto &[actor, request] : asking.requests)
      requests.push_back(request);
    events(requests);
    put(static_cast<int64_t>(asking.open.size()));
    for (const auto &[number, query] : asking.open)
      operand(number);
  }
  put(static_cast<int64_t>(launches.races_.size()));
  for (const RunLaunches::Race &race : launches.races_)
    operand(race.number);
}

void NormalForm::debts() {
  const std::vector<RunExit::Ends> ends = run_.parts_.exit.endsByCta();
  std::vector<std::pair<int, Stamp>> open;
  for (const auto &[key, debt] : run_.parts_.exit.debts_)
    if (!ends[key.first].meets(debt))
      open.emplace_back(key.first, debt.event.stamp);
  std::sort(open.begin(), open.end(), [this](const auto &x, const auto &y) {
    return std::pair(x.first, nameOf(x.second.component)) <
           std::pair(y.first, nameOf(y.second.component));
  });
  for (const auto &[cta, end] : open) {
    put(cta);
    stamp(end);
    bits(end, ended_);
  }
}

} // namespace sluice
