#include "Graphs/RoleGraph.h"

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <sstream>

namespace sluice::test {

using namespace lang;

namespace {

// ---- Drawn -------------------------------------------------------------------------------------

class Draw {
public:
  explicit Draw(uint64_t seed) : random_(seed) {}

  RoleGraph graph() {
    const int roles = int(between(2, 5));
    g_.roles.resize(roles);
    g_.roles[0].source = chance(0.6) ? Source::tma : Source::registers;
    for (int role = 1; role < roles; ++role) {
      addRing(int(between(0, role - 1)), role);
      if (chance(0.3))
        g_.roles[role] = {chance(0.5) ? Source::registers : Source::ahead, between(1, 3)};
    }
    while (rings() < 4 && chance(0.4))
      if (const int to = int(between(1, roles - 1)); chance(0.7))
        addRing(int(between(0, to - 1)), to);
      else
        addTurn(to);
    for (int role = 0; role < roles; ++role) // who loads for nobody stores what it loads
      if (g_.roles[role].source == Source::tma && !g_.handsOn(role))
        g_.roles[role].source = Source::registers;
    return g_;
  }

private:
  int64_t between(int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random_);
  }
  bool chance(double p) { return std::bernoulli_distribution(p)(random_); }
  int rings() const { return int(g_.rings.size()); }

  void addRing(int from, int to) {
    GraphRing ring{.from = from, .to = {to}, .stages = between(1, 4)};
    ring.tile = g_.roles[from].source == Source::tma || chance(0.85);
    if (const int other = int(between(from + 1, int(g_.roles.size()) - 1));
        other != to && chance(0.25))
      ring.to.push_back(other);
    ring.late = chance(0.3) ? between(0, ring.stages - 1) : 0;
    ring.releasesAtEnd = chance(0.3);
    if (ring.late == 0 && chance(0.3))
      ring.steps = Steps(between(1, 3));
    if (chance(0.3))
      ring.arrive = Arrive(between(0, 3));
    ring.lent = chance(0.2) ? between(0, ring.stages) : 0;
    if (chance(0.5))
      merge(ring);
    g_.rings.push_back(ring);
  }

  /// With a ring that comes to the same role alone, which gets as many slots and is used as often.
  void merge(GraphRing &ring) {
    for (int i = 0; i < rings(); ++i) {
      const GraphRing &other = g_.rings[i];
      if (ring.to.size() > 1 || other.to != ring.to || other.primed || other.merged >= 0)
        continue;
      ring.merged = i;
      ring.stages = other.stages;
      ring.steps = other.steps;
      ring.late = ring.lent = 0;
    }
  }

  /// From a role to one before it that computes; some turns are there when they begin.
  void addTurn(int from) {
    const int to = int(between(0, from - 1));
    if (g_.roles[to].source == Source::tma)
      return;
    GraphRing ring{.from = from, .to = {to}, .stages = between(1, 4), .tile = false};
    ring.primed = between(1, ring.stages);
    g_.rings.push_back(ring);
  }

  std::mt19937_64 random_;
  RoleGraph g_;
};

// ---- Written down ------------------------------------------------------------------------------

Element plus(Element x, Element y) {
  return x + y;
}

class Writer {
public:
  explicit Writer(const RoleGraph &graph) : g_(graph), k_("graph") {}

  Result<Kernel> kernel() {
    declare();
    for (int role = 0; role < int(g_.roles.size()); ++role)
      g_.roles[role].source == Source::tma ? load(role) : compute(role);
    return k_.build();
  }

private:
  std::string numbered(const char *name, int number) const { return name + std::to_string(number); }
  Box box(int role, const Index &step) { return x_.at(role).at({row_, step * graphColumns}); }

  void declare() {
    for (int role = 0; role < int(g_.roles.size()); ++role)
      if (g_.roles[role].source != Source::none)
        x_.emplace(role, k_.input(numbered("X", role), f32, 2, {.align = 16}));
    for (int role = 0; role < int(g_.roles.size()); ++role)
      if (!g_.handsOn(role))
        y_.emplace(role, k_.output(numbered("Y", role), f32, 2));
    const Tensor &first = x_.begin()->second;
    auto [i] = k_.grid(ceilDiv(first.dim(0), graphRows));
    row_ = i * graphRows;
    steps_ = ceilDiv(first.dim(1), graphColumns);
    for (int ring = 0; ring < int(g_.rings.size()); ++ring)
      addRing(numbered("ring", ring), g_.rings[ring]);
    for (int role = 0; role < int(g_.roles.size()); ++role)
      if (g_.roles[role].source == Source::ahead) {
        own_.emplace(role, rings_.size());
        addRing(numbered("own", role), {.stages = g_.roles[role].ahead});
      }
  }

  void addRing(const std::string &name, const GraphRing &ring) {
    std::vector<Buffer> over;
    if (ring.tile)
      over.push_back(k_.shared(f32, {graphRows, graphColumns}, "tile_" + name));
    tiles_.push_back(over);
    lang::RingOptions options{.primed = ring.primed, .arrive = ring.arrive};
    if (ring.lent)
      options.first = ring.stages - ring.lent;
    if (ring.merged >= 0)
      options.merge = numbered("ring", ring.merged);
    rings_.push_back(k_.pipeline(name, stages(ring.stages), over, options));
  }

  /// In the steps in which the ring is used.
  void inSteps(const GraphRing &ring, const Index &t, const std::function<void()> &body) {
    switch (ring.steps) {
    case Steps::all:
      return body();
    case Steps::even:
      return k_.when(t % 2 == 0, body);
    case Steps::notFirst:
      return k_.when(t > 0, body);
    case Steps::notLast:
      return k_.when(t < steps_ - 1, body);
    }
  }

  std::vector<int> ringsFrom(int role) const {
    std::vector<int> found;
    for (int i = 0; i < int(g_.rings.size()); ++i)
      if (g_.rings[i].from == role)
        found.push_back(i);
    return found;
  }

  void load(int role) {
    k_.role(numbered("load", role), warps(1), [&] {
      std::map<int, Producer> to;
      for (int i : ringsFrom(role))
        to.emplace(i, rings_[i].producer());
      k_.loop(steps_, "t", [&](Index t) {
        for (auto &[i, end] : to)
          inSteps(g_.rings[i], t, [&, &end = end, i = i] {
            end.acquire();
            k_.load(box(role, t), tiles_[i][0][end]);
            end.commit();
            end.advance();
          });
      });
    });
  }

  struct Input {
    int ring;
    Consumer at, late;
  };

  void compute(int role) {
    k_.role(numbered("role", role), warps(4), [&] {
      const GraphRole &self = g_.roles[role];
      std::vector<Input> inputs;
      for (int i = 0; i < int(g_.rings.size()); ++i)
        if (std::ranges::count(g_.rings[i].to, role)) {
          Consumer from = rings_[i].consumer();
          inputs.push_back({i, from, from});
          Consumer lent = from;
          lent.advance(g_.rings[i].stages - g_.rings[i].lent);
          for (int64_t slot = 0; slot < g_.rings[i].lent; ++slot) {
            lent.release();
            lent.advance();
          }
        }
      std::map<int, Producer> outputs;
      for (int i : ringsFrom(role))
        outputs.emplace(i, rings_[i].producer());
      Tile sum = k_.accumulator(f32, {graphRows, graphColumns}, "sum");
      std::optional<Producer> to;
      std::optional<Consumer> from;
      if (self.source == Source::ahead) {
        to.emplace(ownRing(role).producer());
        from.emplace(ownRing(role).consumer());
        k_.loop(min(steps_, self.ahead), "first", [&](Index t) { loadOwn(role, *to, t); });
      }
      k_.loop(steps_, "t", [&](Index t) {
        Tile value = k_.tile(f32, {graphRows, graphColumns}, "value");
        k_.fill(value, 1);
        if (self.source == Source::registers)
          add(value, k_.load(box(role, t), {graphRows, graphColumns}, "x"));
        if (self.source == Source::ahead)
          takeOwn(role, *to, *from, value, t);
        for (Input &input : inputs)
          take(input, value, t);
        for (auto &[i, end] : outputs)
          give(i, end, value, t);
        for (Input &input : inputs)
          if (g_.rings[input.ring].releasesAtEnd)
            giveBack(input, t);
        if (!g_.handsOn(role))
          add(sum, value);
      });
      for (Input &input : inputs)
        if (const int64_t late = g_.rings[input.ring].late)
          k_.loop(min(steps_, late), "rest", [&](Index) {
            input.late.release();
            input.late.advance();
          });
      if (!g_.handsOn(role))
        k_.store(sum, y_.at(role).at({row_, 0}));
    });
  }

  void add(Tile &sum, const Tile &value) { k_.update(sum, {sum, value}, plus); }

  Pipeline &ownRing(int role) { return rings_[own_.at(role)]; }
  void loadOwn(int role, Producer &to, const Index &t) {
    to.acquire();
    k_.load(box(role, t), tiles_[own_.at(role)][0][to]);
    to.commit();
    to.advance();
  }
  void takeOwn(int role, Producer &to, Consumer &from, Tile &value, const Index &t) {
    from.wait();
    add(value, k_.read(tiles_[own_.at(role)][0][from], f32, "own"));
    from.release();
    from.advance();
    const Index next = t + g_.roles[role].ahead;
    k_.when(next < steps_, [&] { loadOwn(role, to, next); });
  }

  void take(Input &input, Tile &value, const Index &t) {
    const GraphRing &ring = g_.rings[input.ring];
    inSteps(ring, t, [&] {
      if (ring.merged < 0)
        input.at.wait();
      if (ring.tile)
        add(value, k_.read(tiles_[input.ring][0][input.at], f32, "in"));
      if (!ring.releasesAtEnd)
        release(input, t);
      input.at.advance();
    });
  }
  void giveBack(Input &input, const Index &t) {
    inSteps(g_.rings[input.ring], t, [&] { release(input, t); });
  }
  void release(Input &input, const Index &t) {
    const auto now = [&] {
      input.late.release();
      input.late.advance();
    };
    const int64_t late = g_.rings[input.ring].late;
    late ? k_.when(t >= late, now) : now();
  }

  void give(int i, Producer &end, const Tile &value, const Index &t) {
    inSteps(g_.rings[i], t, [&] {
      end.acquire();
      if (g_.rings[i].tile)
        k_.copy(value, tiles_[i][0][end]);
      end.commit();
      end.advance();
    });
  }

  const RoleGraph &g_;
  KernelBuilder k_;
  std::map<int, Tensor> x_, y_; // by role
  Index row_ = 0, steps_ = 0;
  std::vector<Pipeline> rings_; // those of the graph, then roles' own
  std::vector<std::vector<Buffer>> tiles_;
  std::map<int, size_t> own_; // by role
};

bool used(const GraphRing &ring, int64_t step, int64_t steps) {
  switch (ring.steps) {
  case Steps::all:
    return true;
  case Steps::even:
    return step % 2 == 0;
  case Steps::notFirst:
    return step > 0;
  case Steps::notLast:
    return step < steps - 1;
  }
  return false;
}

} // namespace

bool RoleGraph::handsOn(int role) const {
  return std::ranges::any_of(rings, [&](const GraphRing &r) { return r.from == role && r.tile; });
}

std::string RoleGraph::str() const {
  constexpr const char *sources[] = {"", " tma", " registers", " ahead"};
  constexpr const char *when[] = {"", " even", " not first", " not last"};
  std::ostringstream s;
  for (size_t i = 0; i < roles.size(); ++i)
    s << (i ? "; " : "") << i << sources[size_t(roles[i].source)];
  for (const GraphRing &r : rings) {
    s << "; " << r.from << "->" << r.to[0];
    for (size_t i = 1; i < r.to.size(); ++i)
      s << "," << r.to[i];
    s << " x" << r.stages << (r.tile ? "" : " turn") << when[size_t(r.steps)];
    s << " late " << r.late << (r.releasesAtEnd ? " at end" : "");
    s << " lent " << r.lent << " merged " << r.merged;
    s << " primed " << r.primed << " arrive " << int(r.arrive);
  }
  return s.str();
}

RoleGraph drawGraph(uint64_t seed) {
  return Draw(seed).graph();
}

Result<Kernel> kernelOf(const RoleGraph &graph) {
  return Writer(graph).kernel();
}

/// The value that a role adds up in a step: one, what it loads, and what comes to it.
static double valueIn(const RoleGraph &graph, int role, int64_t step, int64_t steps,
                      const ElementsOf &x, int64_t row, int64_t column) {
  const Source source = graph.roles[role].source;
  const double own = source == Source::none ? 0 : x(role, row, step * graphColumns + column);
  if (source == Source::tma)
    return own;
  double value = 1 + own;
  for (const GraphRing &ring : graph.rings)
    if (ring.tile && std::ranges::count(ring.to, role) && used(ring, step, steps))
      value += valueIn(graph, ring.from, step, steps, x, row, column);
  return value;
}

double expectedAt(const RoleGraph &graph, int role, int64_t steps, const ElementsOf &x, int64_t row,
                  int64_t column) {
  double sum = 0;
  for (int64_t step = 0; step < steps; ++step)
    sum += valueIn(graph, role, step, steps, x, row, column);
  return sum;
}

} // namespace sluice::test
