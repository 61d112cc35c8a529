#include "Diagnose/Report.h"

#include "Diagnose/Rules.h"
#include "Support/Json.h"

#include <algorithm>
#include <fstream>

namespace sluice {
namespace {

std::string known(const Location &loc) {
  return loc.line == 0 ? "" : loc.str();
}

/// The line of source and a caret under the column; empty when it cannot be read.
std::string excerpt(const Location &loc) {
  std::ifstream file(loc.file);
  std::string line;
  for (int i = 0; i < loc.line; ++i)
    if (!std::getline(file, line))
      return "";
  if (loc.line == 0 || loc.column < 1 || static_cast<size_t>(loc.column) > line.size() + 1)
    return "";
  const std::string number = std::to_string(loc.line);
  std::string caret; // keeps tabs, so that it lines up
  for (int i = 0; i + 1 < loc.column; ++i)
    caret += line[i] == '\t' ? '\t' : ' ';
  return "  " + number + " | " + line + "\n  " + std::string(number.size(), ' ') + " | " + caret +
         "^\n";
}

/// The events of a violation, each with its line of source; the last is at `shown` already.
std::string partiesText(const Violation &v) {
  if (v.parties.size() < 2)
    return "";
  std::string text;
  for (size_t i = 0; i < v.parties.size(); ++i) {
    const Party &p = v.parties[i];
    const std::string at = known(p.loc);
    text += std::string(i == 0 ? "  first:  " : "  second: ") + p.operation + " of " + p.agent +
            (p.does.empty() ? "" : " " + p.does) + (at.empty() ? "" : " at " + at) + "\n";
    if (at != known(v.location))
      text += excerpt(p.loc);
  }
  return text;
}

std::string countsText(const Violation &v) {
  if (!v.counts)
    return "";
  const BarrierCounts &c = *v.counts;
  const auto of = [](int64_t seen, int64_t expected) {
    return std::to_string(seen) + " of " + std::to_string(expected);
  };
  return "  barrier: " + v.barrier + ", slot " + std::to_string(c.slot) + ", phase " +
         std::to_string(c.phase) + ", arrivals " + of(c.arrivals, c.expectedArrivals) + ", bytes " +
         of(c.bytes, c.expectedBytes) + "\n";
}

std::string violationText(const Violation &v) {
  const std::string at = known(v.location);
  const Rule *rule = findRule(v.rule);
  return (at.empty() ? "" : at + ": ") + v.rule + (rule ? " (" + rule->title + ")" : "") + ": " +
         v.message + "\n" + excerpt(v.location) + partiesText(v) + countsText(v) +
         blockedText(v.blocked);
}

void writeCounts(JsonWriter &json, const BarrierCounts &c) {
  json.beginObject().member("slot", c.slot).member("phase", c.phase);
  json.member("arrivals", c.arrivals).member("arrivals_expected", c.expectedArrivals);
  json.member("bytes", c.bytes).member("bytes_expected", c.expectedBytes).endObject();
}

void writeViolation(JsonWriter &json, const Violation &v) {
  json.beginObject().member("rule", v.rule).member("message", v.message);
  json.member("location", known(v.location)).member("barrier", v.barrier);
  json.key("blocked").beginArray();
  for (const Blocked &b : v.blocked) {
    json.beginObject().member("agent", b.agent).member("waits_on", b.waitsOn);
    json.member("state", b.state).member("location", known(b.loc)).endObject();
  }
  json.endArray().key("parties").beginArray();
  for (const Party &p : v.parties) {
    json.beginObject().member("agent", p.agent).member("operation", p.operation);
    json.member("does", p.does).member("location", known(p.loc)).endObject();
  }
  json.endArray().key("counts");
  if (v.counts)
    writeCounts(json, *v.counts);
  else
    json.null();
  json.member("fix", v.fix).endObject();
}

} // namespace

std::string blockedText(const std::vector<Blocked> &blocked) {
  std::string text;
  std::vector<bool> told(blocked.size(), false);
  for (size_t i = 0; i < blocked.size(); ++i) {
    if (told[i])
      continue;
    size_t more = 0;
    for (size_t j = i + 1; j < blocked.size(); ++j)
      if (blocked[j].waitsOn == blocked[i].waitsOn && blocked[j].state == blocked[i].state &&
          known(blocked[j].loc) == known(blocked[i].loc)) {
        told[j] = true;
        ++more;
      }
    const std::string at = known(blocked[i].loc);
    text += "  blocked: " + blocked[i].agent +
            (more ? " and " + std::to_string(more) + " more" : "") + " on " + blocked[i].waitsOn +
            " (" + blocked[i].state + ")" + (at.empty() ? "" : " at " + at) + "\n";
  }
  return text;
}

std::string name(Verdict::Kind kind) {
  switch (kind) {
  case Verdict::proven:
    return "proven";
  case Verdict::violated:
    return "violated";
  default:
    return "unsupported";
  }
}

void writeViolations(JsonWriter &json, const std::vector<Violation> &violations) {
  json.key("violations").beginArray();
  for (const Violation &v : violations)
    writeViolation(json, v);
  json.endArray();
}

std::string verdictJson(const Verdict &verdict, double milliseconds) {
  JsonWriter json;
  json.beginObject().member("verdict", name(verdict.kind));
  json.key("coverage").beginObject().member("trips", verdict.coverage.trips);
  json.member("ctas", verdict.coverage.ctas).member("launches", verdict.coverage.launches);
  json.endObject();
  json.member("trip_counts", verdict.tripCounts).member("assumptions", verdict.assumptions);
  writeViolations(json, verdict.violations);
  json.member("notes", verdict.notes);
  json.member("events", verdict.events)
      .member("states", verdict.states)
      .member("ms", milliseconds)
      .endObject();
  return json.str();
}

std::string headline(const Verdict &verdict) {
  return name(verdict.kind) + ": " +
         (verdict.provenForEveryLaunch() ? "every launch" : verdict.tripCounts);
}

std::string verdictText(const Verdict &verdict) {
  std::string text = headline(verdict) + "\n";
  for (const Violation &v : verdict.violations)
    text += violationText(v);
  for (const std::string &a : verdict.assumptions)
    text += "assuming " + a + "\n";
  for (const std::string &n : verdict.notes)
    text += "note: " + n + "\n";
  return text;
}

Verdict worst(const Verdict &a, const Verdict &b) {
  const auto badness = [](const Verdict &of) {
    return of.kind == Verdict::violated      ? 3
           : of.kind == Verdict::unsupported ? 2
                                             : !of.provenForEveryLaunch();
  };
  const bool second = badness(b) > badness(a);
  Verdict v = second ? b : a;
  const Verdict &other = second ? a : b;
  const auto append = [](std::vector<std::string> &to, const std::vector<std::string> &from) {
    for (const std::string &s : from)
      if (std::find(to.begin(), to.end(), s) == to.end())
        to.push_back(s);
  };
  if (other.tripCounts != v.tripCounts)
    v.tripCounts += "; " + other.tripCounts;
  append(v.assumptions, other.assumptions);
  append(v.notes, other.notes);
  v.violations.insert(v.violations.end(), other.violations.begin(), other.violations.end());
  v.events += other.events;
  return v;
}

} // namespace sluice
