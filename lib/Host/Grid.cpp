#include "Host/Grid.h"

#include <cstring>
#include <sys/mman.h>

namespace sluice::host {
namespace {

constexpr size_t laneStack = size_t(256) << 10;
constexpr int poison = 0xff; // NaN in every type
constexpr size_t toldOfStuck = 8;

Grid *current = nullptr; // of the process: contexts take no pointers

} // namespace

std::string nameOf(const Lane &lane) {
  const values::Index &at = lane.warp->cta->index;
  return "lane " + std::to_string(lane.number) + " of warp " + std::to_string(lane.warp->number) +
         " of CTA (" + std::to_string(at.x) + "," + std::to_string(at.y) + "," +
         std::to_string(at.z) + ")";
}

Cluster::~Cluster() {
  if (stacks)
    ::munmap(stacks, stackBytes);
}

/// x fastest.
std::optional<std::array<int64_t, 3>> Grid::nextFirst() {
  const auto &size = shape_.cluster;
  std::array<int64_t, 3> clusters;
  for (size_t d = 0; d < 3; ++d)
    clusters[d] = shape_.grid[d] / size[d];
  if (begun_ == clusters[0] * clusters[1] * clusters[2])
    return std::nullopt;
  const int64_t number = begun_++;
  return std::array{number % clusters[0] * size[0], number / clusters[0] % clusters[1] * size[1],
                    number / (clusters[0] * clusters[1]) * size[2]};
}

int64_t Grid::take() {
  const auto first = nextFirst();
  if (!first)
    return -1;
  const auto &[x, y, z] = *first;
  return x + shape_.grid[0] * (y + shape_.grid[1] * z);
}

/// The next cluster of the grid; null: all have begun, or were taken.
std::unique_ptr<Cluster> Grid::next() {
  const auto first = nextFirst();
  if (!first)
    return nullptr;
  auto cluster = std::make_unique<Cluster>();
  const auto &size = shape_.cluster;
  const int64_t ctas = size[0] * size[1] * size[2];
  cluster->live = cluster->meeting.threads = ctas * shape_.warps * lanesOfWarp;
  cluster->stackBytes = size_t(cluster->live) * laneStack;
  void *memory = ::mmap(nullptr, cluster->stackBytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    failure_ = "no memory for the stacks of " + std::to_string(cluster->live) + " lanes";
    return nullptr;
  }
  cluster->stacks = memory;
  auto *stack = static_cast<std::byte *>(memory);
  for (int64_t r = 0; r < ctas; ++r) {
    Cta &cta = cluster->ctas.emplace_back();
    cta.cluster = cluster.get();
    cta.rank = int(r);
    cta.index = {unsigned((*first)[0] + r % size[0]), unsigned((*first)[1] + r / size[0] % size[1]),
                 unsigned((*first)[2] + r / (size[0] * size[1]))};
    cta.shared.assign(size_t(shape_.sharedBytes), std::byte(poison));
    for (int w = 0; w < shape_.warps; ++w) {
      Warp &warp = cta.warps.emplace_back();
      warp.cta = &cta;
      warp.number = w;
      for (int l = 0; l < lanesOfWarp; ++l, stack += laneStack) {
        warp.lanes[size_t(l)].warp = &warp;
        warp.lanes[size_t(l)].number = l;
        prepare(warp.lanes[size_t(l)], stack);
      }
    }
  }
  return cluster;
}

void Grid::prepare(Lane &lane, void *stack) {
  getcontext(&lane.context);
  lane.context.uc_stack.ss_sp = stack;
  lane.context.uc_stack.ss_size = laneStack;
  lane.context.uc_link = &scheduler_;
  makecontext(&lane.context, &Grid::enter, 0);
}

void Grid::enter() {
  Grid &grid = *current;
  grid.kernel_.call(grid.parameters_);
  grid.running_->done = true;
  --grid.cluster().live;
}

void Grid::step(Lane &lane) {
  running_ = &lane;
  lane.waiting = nullptr;
  *kernel_.block = lane.warp->cta->index;
  *kernel_.thread = {unsigned(lanesOfWarp * lane.warp->number + lane.number), 0, 0};
  swapcontext(&scheduler_, &lane.context);
}

void Grid::await(const Waiting &waiting) {
  if (waiting.isOver())
    return;
  running_->waiting = &waiting;
  swapcontext(&running_->context, &scheduler_);
}

void Grid::fail(const std::string &why) {
  failure_ = nameOf(*running_) + ": " + why;
  setcontext(&scheduler_);
  std::abort(); // it does not return
}

/// Every lane that can go on, once. False: none could, or the run is over.
bool Grid::stepAll(Cluster &cluster) {
  bool moved = false;
  for (Cta &cta : cluster.ctas)
    for (Warp &warp : cta.warps)
      for (Lane &lane : warp.lanes) {
        if (lane.done || (lane.waiting && !lane.waiting->isOver()))
          continue;
        step(lane);
        moved = true;
        if (!failure_.empty())
          return false;
      }
  return moved;
}

/// The lanes that wait for ever, those of a warp that wait for the same told once.
std::string Grid::stuck() const {
  std::string text, before;
  size_t told = 0;
  for (const auto &cluster : live_)
    for (const Cta &cta : cluster->ctas)
      for (const Warp &warp : cta.warps) {
        before.clear();
        for (const Lane &lane : warp.lanes) {
          if (lane.done || !lane.waiting || lane.waiting->text() == before || told == toldOfStuck)
            continue;
          before = lane.waiting->text();
          text += (told++ ? "; " : "") + nameOf(lane) + " waits for " + before;
        }
      }
  return "lanes wait for ever: " + text;
}

std::string Grid::run() {
  current = this;
  const auto &g = shape_.grid, &c = shape_.cluster;
  *kernel_.grid = {unsigned(g[0]), unsigned(g[1]), unsigned(g[2])};
  *kernel_.blockExtents = {unsigned(shape_.warps * lanesOfWarp), 1, 1};
  if (g[0] % c[0] || g[1] % c[1] || g[2] % c[2])
    return "clusters do not fill the grid";
  while (failure_.empty()) {
    bool moved = false;
    for (auto &cluster : live_)
      while (stepAll(*cluster))
        moved = true;
    std::erase_if(live_, [](const auto &cluster) { return cluster->live == 0; });
    if (moved || !failure_.empty())
      continue;
    if (auto cluster = next())
      live_.push_back(std::move(cluster));
    else if (live_.empty() || !failure_.empty())
      return failure_;
    else
      return stuck();
  }
  return failure_;
}

} // namespace sluice::host
