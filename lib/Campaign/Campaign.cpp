#include "Campaign/Campaign.h"

#include "Explore/Explore.h"
#include "Machine/Json.h"
#include "Simulate/Simulate.h"

#include <algorithm>
#include <array>
#include <map>

namespace sluice {
namespace {

/// Small integers: sums of their products are exact in any order.
HostTensor pattern(const Tensor &tensor, const Launch::Shape &shape) {
  HostTensor t = HostTensor::dense(tensor.type, shape.extents, tensor.minor);
  std::vector<int64_t> index(shape.extents.size(), 0);
  for (int64_t n = 0; n < t.elements(); ++n) {
    int64_t rest = n;
    for (size_t d = index.size(); d-- > 0; rest /= shape.extents[d])
      index[d] = rest % shape.extents[d];
    t.set(index, static_cast<double>(n * 31 % 7 - 3));
  }
  return t;
}

/// What goes wrong in runs with random delays; empty: they agree bit by bit.
std::string chaosFault(const Program &program, const Arch &arch, const Launch &launch,
                       const CampaignOptions &options) {
  std::vector<HostTensor> inputs, first;
  for (size_t i = 0; i < program.tensors.size(); ++i)
    inputs.push_back(pattern(program.tensors[i], launch.tensors[i]));
  for (int run = 0; run < options.chaosRuns; ++run) {
    std::vector<HostTensor> tensors = inputs;
    SimulateOptions how;
    how.seed = static_cast<uint64_t>(run);
    how.chaos = run ? options.chaos : 0;
    const auto result = simulate(program, arch, launch.arguments, tensors, how);
    if (!result)
      return "the virtual machine refuses it: " + result.error().message;
    if (result->violation)
      return "delays of seed " + std::to_string(run) + " give " + result->violation->rule + ": " +
             result->violation->message;
    if (run == 0)
      first = std::move(tensors);
    else
      for (size_t i = 0; i < tensors.size(); ++i)
        if (tensors[i].bytes != first[i].bytes)
          return "delays of seed " + std::to_string(run) + " give another " +
                 program.tensors[i].name;
  }
  return "";
}

MutantVerdict judgeProven(const Program &program, const Arch &arch, const Launch &launch,
                          const CampaignOptions &options) {
  MutantVerdict v;
  const Exploration e = explore(program, launch, {options.maxStates, {0, 0, 0}, true});
  v.outcome = MutantVerdict::harmless;
  v.detail = std::to_string(e.states) + " states";
  if (e.kind == Exploration::faulty) {
    v.outcome = MutantVerdict::disagreement;
    v.detail = "the explorer finds " + e.rule + ": " + e.fault;
  } else if (e.kind == Exploration::bounded) {
    v.detail = std::to_string(options.chaosRuns) + " runs with random delays";
    if (const std::string fault = chaosFault(program, arch, launch, options); !fault.empty()) {
      v.outcome = MutantVerdict::disagreement;
      v.detail = fault;
    }
  }
  return v;
}

const char *const outcomes[] = {"refused", "refused oddly", "harmless", "unsupported",
                                "DISAGREEMENT"};

std::string padded(std::string text, size_t width) {
  text.resize(std::max(width, text.size() + 1), ' ');
  return text;
}

} // namespace

MutantVerdict judge(const Program &program, const Arch &arch, const Launch &launch,
                    const Mutation &mutation, const CampaignOptions &options) {
  const Program mutant = mutated(program, mutation);
  const Verdict verdict = check(mutant, arch, launch);
  MutantVerdict v;
  if (verdict.kind == Verdict::proven) {
    v = judgeProven(mutant, arch, launch, options);
  } else if (verdict.kind == Verdict::unsupported) {
    v.outcome = MutantVerdict::unsupported;
    v.detail = verdict.notes.empty() ? "" : verdict.notes.front();
  } else {
    const std::vector<std::string> &fitting = rulesOf(mutation.purpose);
    v.rule = verdict.violations.front().rule;
    v.detail = verdict.violations.front().message;
    const bool fits = std::find(fitting.begin(), fitting.end(), v.rule) != fitting.end();
    v.outcome = fits ? MutantVerdict::refused : MutantVerdict::refusedOddly;
  }
  v.mutation = mutation;
  return v;
}

std::vector<MutantVerdict> campaign(const Program &program, const Arch &arch, const Launch &launch,
                                    const CampaignOptions &options,
                                    const std::function<void(double)> &progress) {
  std::vector<MutantVerdict> all;
  const std::vector<Mutation> list = mutations(program);
  for (const Mutation &m : list) {
    all.push_back(judge(program, arch, launch, m, options));
    if (progress)
      progress(static_cast<double>(all.size()) / static_cast<double>(list.size()));
  }
  return all;
}

std::string campaignJson(const std::vector<MutantVerdict> &mutants) {
  JsonWriter json;
  json.beginObject().key("mutants").beginArray();
  for (const MutantVerdict &v : mutants) {
    json.beginObject().member("mutation", v.mutation.str());
    json.member("purpose", name(v.mutation.purpose)).member("location", v.mutation.loc.str());
    json.member("outcome", outcomes[v.outcome]).member("rule", v.rule);
    json.member("detail", v.detail).endObject();
  }
  json.endArray().endObject();
  return json.str();
}

std::string campaignText(const std::vector<MutantVerdict> &mutants) {
  std::string text;
  for (size_t i = 0; i < mutants.size(); ++i) {
    const MutantVerdict &v = mutants[i];
    text += padded(std::to_string(i), 5) + padded(v.mutation.str(), 36) +
            padded(v.mutation.loc.str(), 24) + padded(outcomes[v.outcome], 14) +
            (v.rule.empty() ? v.detail : v.rule) + "\n";
    if (v.outcome == MutantVerdict::disagreement || v.outcome == MutantVerdict::refusedOddly)
      text += "     " + v.detail + "\n";
  }
  return text + campaignSummary(mutants);
}

std::string campaignSummary(const std::vector<MutantVerdict> &mutants) {
  std::array<int64_t, std::size(outcomes)> counts{};
  std::map<std::string, std::array<int64_t, 2>> purposes; // refused, all
  for (const MutantVerdict &v : mutants) {
    ++counts[v.outcome];
    auto &[bad, all] = purposes[std::string(name(v.mutation.purpose))];
    bad += v.outcome == MutantVerdict::refused || v.outcome == MutantVerdict::refusedOddly;
    ++all;
  }
  std::string text = std::to_string(mutants.size()) + " mutants";
  for (size_t i = 0; i < counts.size(); ++i)
    if (counts[i] || i == MutantVerdict::refused || i == MutantVerdict::disagreement)
      text += ", " + std::to_string(counts[i]) + " " + outcomes[i];
  text += "\nrefused by purpose:";
  for (const auto &[purpose, count] : purposes)
    text += (purpose == purposes.begin()->first ? " " : ", ") + purpose + " " +
            std::to_string(count[0]) + " of " + std::to_string(count[1]);
  return text + "\n";
}

} // namespace sluice
