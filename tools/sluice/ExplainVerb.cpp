// sluice explain: a rule, or what a kernel takes.
#include "Console.h"
#include "Proof.h"
#include "Verbs.h"

#include "Support/Json.h"
#include "Support/Nearest.h"
#include "Verify/Rules.h"
#include "kernels/Catalog.h"

#include <algorithm>

namespace sluice::tool {
namespace {

std::string padded(std::string text, size_t width) {
  text.resize(std::max(width, text.size() + 1), ' ');
  return text;
}

std::string joined(const std::vector<std::string> &words) {
  std::string text;
  for (const std::string &word : words)
    text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string takes(const Parameter &p) {
  if (!p.choices.empty())
    return joined(p.choices);
  return std::to_string(p.low) + " to " + std::to_string(p.high);
}

std::vector<std::string> targets(const KernelEntry &entry) {
  std::vector<std::string> names;
  for (Target t : entry.targets)
    names.emplace_back(name(t));
  return names;
}

std::string kernelText(const KernelEntry &entry) {
  std::string text = entry.name + ": " + entry.summary + "\n  targets  " + joined(targets(entry)) +
                     "\n\n  --set name=value:\n";
  for (const Parameter &p : entry.parameters)
    text += "  " + padded(p.name, 10) + padded(p.value, 10) + p.help + " (" + takes(p) + ")\n";
  return text;
}

std::string kernelJson(const KernelEntry &entry) {
  JsonWriter json;
  json.beginObject().member("kernel", entry.name).member("summary", entry.summary);
  json.member("targets", targets(entry)).key("parameters").beginArray();
  for (const Parameter &p : entry.parameters) {
    json.beginObject().member("name", p.name).member("default", p.value).member("help", p.help);
    json.member("takes", takes(p)).endObject();
  }
  json.endArray().endObject();
  return json.str() + "\n";
}

std::string ruleJson(const Rule &rule) {
  JsonWriter json;
  json.beginObject().member("rule", rule.label).member("title", rule.title);
  json.member("statement", rule.statement).member("why", rule.why);
  json.member("source", rule.source).endObject();
  return json.str() + "\n";
}

std::string overviewText() {
  std::string text = "Kernels (sluice explain NAME shows the parameters):\n";
  for (const KernelEntry &entry : catalog())
    text += "  " + padded(entry.name, 12) + entry.summary + "\n";
  text += "\nRules (sluice explain R7 shows the whole text):\n";
  for (const Rule &rule : rules())
    text += "  " + padded(rule.label, 5) + rule.title + "\n";
  return text;
}

std::string overviewJson() {
  JsonWriter json;
  json.beginObject().member("kernels", kernelNames()).key("rules").beginArray();
  for (const Rule &rule : rules())
    json.beginObject().member("rule", rule.label).member("title", rule.title).endObject();
  json.endArray().endObject();
  return json.str() + "\n";
}

Result<std::string> explanation(const std::string &topic, bool json) {
  if (topic.empty())
    return json ? overviewJson() : overviewText();
  if (const KernelEntry *entry = findKernel(topic))
    return json ? kernelJson(*entry) : kernelText(*entry);
  std::vector<std::string> names = kernelNames();
  for (const Rule &rule : rules()) {
    bool same = editDistance(rule.label, topic) == 0; // R7 and r7
    if (same)
      return json ? ruleJson(rule) : explain(rule);
    names.push_back(rule.label);
  }
  return inputError(unknownName("rule or kernel", topic, names));
}

} // namespace

int explainVerb(const Options &options) {
  auto text = explanation(options.kernel, options.json);
  if (!text)
    return refuse(text.error(), options);
  if (auto written = writeText("", *text); !written)
    return report(written.error());
  return kExitGood;
}

} // namespace sluice::tool
