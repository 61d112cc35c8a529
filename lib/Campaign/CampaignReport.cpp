#include "Campaign/Campaign.h"
#include "Support/Json.h"

#include <algorithm>
#include <array>
#include <map>

namespace sluice {
namespace {

const char *const outcomes[] = {"refused", "refused oddly", "harmless", "unsupported",
                                "DISAGREEMENT"};

std::string padded(std::string text, size_t width) {
  text.resize(std::max(width, text.size() + 1), ' ');
  return text;
}

const char *const evidences[] = {"none", "structure", "explorer", "chaos", "drawn"};

} // namespace

std::string campaignJson(const std::vector<MutantVerdict> &mutants) {
  JsonWriter json;
  json.beginObject().key("mutants").beginArray();
  for (const MutantVerdict &v : mutants) {
    json.beginObject().member("mutation", v.mutation.str());
    json.member("statement", static_cast<int64_t>(v.mutation.statement));
    json.member("kind", v.mutation.kindName()).member("purpose", name(v.mutation.purpose));
    json.member("location", v.mutation.loc.str()).member("outcome", outcomes[v.outcome]);
    json.member("evidence", evidences[v.evidence]).member("all_trips", v.allTrips);
    json.member("other_result", v.otherResult).member("rule", v.rule);
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
