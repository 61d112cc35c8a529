#include "Trace/ScheduleScene.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <tuple>

namespace sluice::trace {
namespace {

using AgentKey = std::tuple<std::array<int64_t, 3>, int, std::string, Pipe>;

AgentKey keyOf(const AgentId &id) {
  return {id.cta, id.warp, id.core, id.pipe};
}

/// "mma warp 3 of CTA (0)" as "mma warp", 3, " of CTA (0)"; -1: an agent without a number.
struct NameParts {
  std::string before, after;
  int number = -1;
};

NameParts partsOf(const std::string &name, const AgentId &id) {
  const std::string word = "warp " + std::to_string(id.warp);
  const size_t at = id.core.empty() ? name.find(word) : std::string::npos;
  if (at == std::string::npos)
    return {name, "", -1};
  return {name.substr(0, at + 4), name.substr(at + word.size()), id.warp};
}

/// "warp 3", "warps 0-3", "warps 0, 2".
std::string joined(const NameParts &parts, const std::vector<int> &numbers) {
  if (parts.number < 0)
    return parts.before;
  std::string text = parts.before + (numbers.size() > 1 ? "s " : " ");
  for (size_t i = 0; i < numbers.size();) {
    size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1)
      ++last;
    text += (i ? ", " : "") + std::to_string(numbers[i]) +
            (last > i ? "-" + std::to_string(numbers[last]) : "");
    i = last + 1;
  }
  return text + parts.after;
}

struct AgentSteps {
  AgentId id;
  std::vector<int> steps;
};

std::vector<AgentSteps> byAgent(const Schedule &schedule) {
  std::vector<AgentSteps> agents;
  std::map<AgentKey, size_t> numbers;
  for (size_t i = 0; i < schedule.steps.size(); ++i) {
    const AgentId &id = schedule.steps[i].id;
    const auto [at, isNew] = numbers.try_emplace(keyOf(id), agents.size());
    if (isNew)
      agents.push_back({id, {}});
    agents[at->second].steps.push_back(static_cast<int>(i));
  }
  std::stable_sort(agents.begin(), agents.end(),
                   [](auto &a, auto &b) { return keyOf(a.id) < keyOf(b.id); });
  return agents;
}

/// Whether two agents look the same in the picture.
bool alike(const Schedule &s, const AgentSteps &a, const AgentSteps &b) {
  if (a.steps.size() != b.steps.size() || a.id.cta != b.id.cta || !a.id.core.empty())
    return false;
  for (size_t i = 0; i < a.steps.size(); ++i) {
    const ScheduleStep &x = s.steps[a.steps[i]], &y = s.steps[b.steps[i]];
    if (x.operation != y.operation || x.column != y.column || x.state != y.state ||
        x.mark != ScheduleStep::none || y.mark != ScheduleStep::none)
      return false;
  }
  const NameParts p = partsOf(s.steps[a.steps.back()].agent, a.id);
  const NameParts q = partsOf(s.steps[b.steps.back()].agent, b.id);
  return p.before == q.before && p.after == q.after;
}

void makeRows(ScheduleScene &scene) {
  const Schedule &s = *scene.schedule;
  const std::vector<AgentSteps> agents = byAgent(s);
  std::set<std::string> places; // one CTA alone needs no name
  for (const AgentSteps &a : agents)
    places.insert(partsOf(s.steps[a.steps.back()].agent, a.id).after);
  std::vector<bool> done(agents.size(), false);
  scene.rowOf.assign(s.steps.size(), -1);
  for (size_t i = 0; i < agents.size(); ++i) {
    if (done[i])
      continue;
    NameParts parts = partsOf(s.steps[agents[i].steps.back()].agent, agents[i].id);
    if (places.size() == 1)
      parts.after.clear();
    std::vector<int> numbers;
    for (size_t j = i; j < agents.size(); ++j)
      if (!done[j] && (j == i || alike(s, agents[i], agents[j]))) {
        done[j] = true;
        numbers.push_back(agents[j].id.warp);
        for (const int step : agents[j].steps)
          scene.rowOf[step] = static_cast<int>(scene.rows.size());
      }
    scene.rows.push_back({joined(parts, numbers), agents[i].steps});
  }
}

int64_t phaseIn(const std::string &state) {
  int64_t phase = -1;
  if (state.starts_with("phase "))
    std::from_chars(state.data() + 6, state.data() + state.size(), phase);
  return phase;
}

void makePhases(ScheduleScene &scene) {
  const Schedule &s = *scene.schedule;
  std::vector<std::string> names; // in order of first use
  for (const ScheduleStep &step : s.steps)
    if (step.column >= scene.begin && phaseIn(step.after) >= 0 &&
        std::find(names.begin(), names.end(), step.barrier) == names.end())
      names.push_back(step.barrier);
  for (const std::string &name : names) {
    PhaseRow row{name, {}};
    for (const ScheduleStep &step : s.steps) {
      const int64_t phase = step.barrier == name ? phaseIn(step.after) : -1;
      if (phase < 0)
        continue;
      const int from = std::max(step.column + 1, scene.begin);
      if (row.spans.empty())
        row.spans.push_back({phase, scene.begin, scene.end, step.after});
      else if (row.spans.back().phase != phase) {
        row.spans.back().end = std::max(from, row.spans.back().begin);
        row.spans.push_back({phase, row.spans.back().end, scene.end, step.after});
      } else {
        row.spans.back().last = step.after;
      }
    }
    std::erase_if(row.spans, [](const PhaseSpan &p) { return p.begin >= p.end; });
    scene.phases.push_back(std::move(row));
  }
}

} // namespace

ScheduleScene makeScene(const Schedule &schedule, int columns) {
  ScheduleScene scene{&schedule, {}, {}, {}};
  for (const ScheduleStep &step : schedule.steps)
    scene.end = std::max(scene.end, step.column + 1);
  scene.begin = std::max(0, scene.end - columns);
  for (const ScheduleStep &step : schedule.steps)
    if (step.mark != ScheduleStep::none && step.column < scene.begin)
      scene.begin = std::max(step.column, scene.end - 4 * columns);
  for (const ScheduleStep &step : schedule.steps)
    scene.hidden += step.column < scene.begin;
  makeRows(scene);
  makePhases(scene);
  return scene;
}

} // namespace sluice::trace
