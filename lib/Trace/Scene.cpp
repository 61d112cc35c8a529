#include "Trace/Scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <string_view>
#include <tuple>

namespace sluice::trace {
namespace {

constexpr int kMostLanes = 8;

std::string lower(std::string_view text) {
  std::string result(text);
  for (char &c : result)
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

bool containsAny(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view w) { return text.find(w) != text.npos; });
}

std::string_view lastWord(std::string_view text) {
  return text.substr(text.rfind(' ') + 1); // npos + 1 == 0
}

/// The pipes of an Ascend core do one thing each, whatever the instruction is called.
bool pipeKind(std::string_view pipe, WorkKind &kind) {
  struct Entry {
    std::string_view pipe;
    WorkKind kind;
  };
  static constexpr Entry table[] = {
      {"mte2", WorkKind::load}, {"mte1", WorkKind::move}, {"mte3", WorkKind::store},
      {"fix", WorkKind::store}, {"m", WorkKind::mma},     {"v", WorkKind::vector},
  };
  for (const Entry &e : table)
    if (e.pipe == pipe) {
      kind = e.kind;
      return true;
    }
  return false;
}

bool kindOfText(std::string_view text, WorkKind &kind) {
  if (containsAny(text, {"store"}))
    kind = WorkKind::store;
  else if (containsAny(text, {"load", "fetch", "produce"}))
    kind = WorkKind::load;
  else if (containsAny(text, {"mma", "tensor core", "cube", "gemm"}))
    kind = WorkKind::mma;
  else if (containsAny(text, {"map", "reduce", "exp", "softmax", "correct", "scale", "vector",
                              "simt", "alu", "sfu", "fill", "cast", "add", "norm", "max", "sum"}))
    kind = WorkKind::vector;
  else if (containsAny(text, {"move", "copy", "convert"}))
    kind = WorkKind::move;
  else
    return false;
  return true;
}

double firstWork(const SceneRow &row) {
  for (const Bar &bar : row.bars)
    if (bar.event->kind == TimelineEvent::work)
      return bar.event->begin;
  return std::numeric_limits<double>::infinity();
}

bool usable(const TimelineEvent &e, size_t rows) {
  return e.row >= 0 && static_cast<size_t>(e.row) < rows && std::isfinite(e.begin) &&
         std::isfinite(e.end) && e.end >= e.begin;
}

/// Rows from above to below: roles, engines; core by core; along the flow of data; by first work.
using RowRank = std::tuple<int, std::string, int, double>;

RowRank rankOf(const SceneRow &row) {
  const std::string_view name = row.row->name;
  WorkKind kind = WorkKind::other;
  if (row.row->kind == TimelineRow::role) {
    kindOfText(lower(name), kind);
    return {0, "", static_cast<int>(kind), 0};
  }
  const std::string_view pipe = lastWord(name);
  const bool isPipe = pipeKind(lower(pipe), kind);
  if (!isPipe && !kindOfText(lower(name), kind) && name.find("TMA") != name.npos)
    kind = WorkKind::load;
  const std::string core = isPipe && pipe.size() < name.size()
                               ? std::string(name.substr(0, name.size() - pipe.size()))
                               : "";
  return {1, core, static_cast<int>(kind), firstWork(row)};
}

std::vector<SceneRow> makeRows(const Timeline &timeline) {
  std::vector<SceneRow> byIndex(timeline.rows.size());
  for (size_t i = 0; i < byIndex.size(); ++i)
    byIndex[i].row = &timeline.rows[i];
  for (const TimelineEvent &e : timeline.events)
    if (usable(e, byIndex.size())) {
      SceneRow &row = byIndex[static_cast<size_t>(e.row)];
      row.bars.push_back({&e, workKind(e, *row.row), 0});
    }
  for (SceneRow &row : byIndex)
    std::stable_sort(row.bars.begin(), row.bars.end(),
                     [](const Bar &a, const Bar &b) { return a.event->begin < b.event->begin; });
  std::vector<std::pair<RowRank, size_t>> order;
  for (size_t i = 0; i < byIndex.size(); ++i)
    order.emplace_back(rankOf(byIndex[i]), i);
  std::sort(order.begin(), order.end());
  std::vector<SceneRow> sorted;
  for (const auto &[rank, i] : order)
    sorted.push_back(std::move(byIndex[i]));
  return sorted;
}

/// First work event of every iteration on one row, as long as both count upwards.
std::vector<Mark> marksOf(const SceneRow &row) {
  std::vector<Mark> marks;
  for (const Bar &bar : row.bars) {
    const TimelineEvent &e = *bar.event;
    if (e.kind == TimelineEvent::work && e.iteration >= 0 &&
        (marks.empty() || e.iteration > marks.back().iteration))
      marks.push_back({e.iteration, e.begin});
  }
  return marks;
}

/// The critical engine's row where it tells iterations apart, else the row that tells most.
std::vector<Mark> chooseMarks(const Scene &scene) {
  std::vector<Mark> best;
  for (const SceneRow &row : scene.rows) {
    std::vector<Mark> marks = marksOf(row);
    const bool critical =
        row.row->kind == TimelineRow::engine && row.row->name == scene.timeline->critical;
    if (critical && marks.size() >= 2)
      return marks;
    if (marks.size() > best.size())
      best = std::move(marks);
  }
  return best;
}

double medianInterval(const std::vector<Mark> &marks) {
  std::vector<double> distances;
  for (size_t i = 1; i < marks.size(); ++i)
    distances.push_back((marks[i].begin - marks[i - 1].begin) /
                        static_cast<double>(marks[i].iteration - marks[i - 1].iteration));
  if (distances.empty())
    return 0;
  auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  return *middle;
}

void assignLanes(SceneRow &row) {
  constexpr double tolerance = 1e-6; // cycles
  std::vector<double> free;          // when each lane is free again
  for (Bar &bar : row.bars) {
    auto lane = std::find_if(free.begin(), free.end(),
                             [&](double at) { return at <= bar.event->begin + tolerance; });
    if (lane == free.end() && free.size() < kMostLanes)
      lane = free.insert(lane, bar.event->begin);
    else if (lane == free.end())
      lane = std::min_element(free.begin(), free.end());
    *lane = std::max(*lane, bar.event->end);
    bar.lane = static_cast<int>(lane - free.begin());
  }
  row.lanes = std::max<int>(1, static_cast<int>(free.size()));
}

} // namespace

const char *label(WorkKind kind) {
  static constexpr std::array<const char *, kWorkKinds> labels = {
      "load", "on-chip move", "matrix multiply", "vector", "store", "other work"};
  return labels[static_cast<size_t>(kind)];
}

WorkKind workKind(const TimelineEvent &event, const TimelineRow &row) {
  WorkKind kind = WorkKind::other;
  const std::string rowName = lower(row.name);
  if (pipeKind(lastWord(rowName), kind) || kindOfText(lower(event.name), kind))
    return kind;
  if (containsAny(rowName, {"tma"}))
    return WorkKind::load;
  kindOfText(rowName, kind);
  return kind;
}

Scene makeScene(const Timeline &timeline) {
  Scene scene{&timeline, makeRows(timeline), {}, 0, 0, 0};
  double begin = std::numeric_limits<double>::infinity(), end = -begin;
  for (const SceneRow &row : scene.rows)
    for (const Bar &bar : row.bars) {
      begin = std::min(begin, bar.event->begin);
      end = std::max(end, bar.event->end);
    }
  if (begin <= end) {
    scene.begin = begin;
    scene.end = end;
  }
  scene.marks = chooseMarks(scene);
  scene.interval = medianInterval(scene.marks);
  return scene;
}

void keepVisible(Scene &scene, const TimeScale &scale) {
  for (SceneRow &row : scene.rows) {
    std::erase_if(row.bars,
                  [&](const Bar &bar) { return !scale.visible(bar.event->begin, bar.event->end); });
    assignLanes(row);
  }
}

std::vector<std::pair<std::string, double>> utilisationInOrder(const Timeline &timeline) {
  std::vector<std::pair<std::string, double>> result;
  std::set<std::string> done;
  for (const SceneRow &r : makeRows(timeline)) {
    const TimelineRow &row = *r.row;
    auto found = timeline.utilisation.find(row.name);
    if (row.kind == TimelineRow::engine && found != timeline.utilisation.end() &&
        done.insert(row.name).second)
      result.push_back(*found);
  }
  for (const auto &entry : timeline.utilisation)
    if (!done.contains(entry.first))
      result.push_back(entry);
  return result;
}

} // namespace sluice::trace
