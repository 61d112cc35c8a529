// sluice explain: a rule, or what a kernel takes and which roles it has.
#include "Console.h"
#include "Load.h"
#include "Proof.h"
#include "Verbs.h"

#include "Diagnose/Rules.h"
#include "Program/RoleTable.h"
#include "Support/Json.h"
#include "Support/Nearest.h"
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
  return (p.real ? "a number from " : "") + std::to_string(p.low) + " to " + std::to_string(p.high);
}

std::vector<std::string> targets(const KernelEntry &entry) {
  std::vector<std::string> names;
  for (Target t : entry.targets)
    names.emplace_back(name(t));
  return names;
}

std::string parametersText(const KernelEntry &entry) {
  std::string text = entry.name + ": " + entry.summary + "\n  targets  " + joined(targets(entry)) +
                     "\n\n  --set name=value:\n";
  for (const Parameter &p : entry.parameters)
    text += "  " + padded(p.name, 10) + padded(p.value, 10) + p.help + " (" + takes(p) + ")\n";
  return text + "\n";
}

void writeParameters(JsonWriter &json, const KernelEntry &entry) {
  json.member("summary", entry.summary);
  json.member("targets", targets(entry)).key("parameters").beginArray();
  for (const Parameter &p : entry.parameters) {
    json.beginObject().member("name", p.name).member("default", p.value).member("help", p.help);
    json.member("takes", takes(p)).endObject();
  }
  json.endArray();
}

/// A kernel of the catalogue with what it takes, or those of a file; each with its roles.
Result<std::string> kernelsText(const Options &options) {
  auto loaded = load(options, Missing::chosen);
  if (!loaded)
    return loaded.error();
  JsonWriter json;
  std::string text = loaded->front().entry ? parametersText(*loaded->front().entry) : "";
  if (loaded->size() > 1)
    json.beginArray();
  for (const Loaded &kernel : *loaded) {
    const Program &program = kernel.program;
    const auto roles = roleTable(program);
    text += "roles of " + program.name + " on " + std::string(name(program.target)) + " (" +
            kernel.arch->name + "):\n" + roleTableText(roles);
    json.beginObject().member("kernel", program.name);
    if (kernel.entry)
      writeParameters(json, *kernel.entry);
    json.key("roles");
    writeRoleTable(json, roles);
    json.endObject();
  }
  if (loaded->size() > 1)
    json.endArray();
  return options.json ? json.str() + "\n" : text;
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

Result<std::string> explanation(const Options &options) {
  const std::string &topic = options.kernel;
  if (topic.empty())
    return options.json ? overviewJson() : overviewText();
  if (findKernel(topic) || topic.ends_with(".mlir"))
    return kernelsText(options);
  std::vector<std::string> names = kernelNames();
  for (const Rule &rule : rules()) {
    bool same = editDistance(rule.label, topic) == 0; // R7 and r7
    if (same)
      return options.json ? ruleJson(rule) : explain(rule);
    names.push_back(rule.label);
  }
  return inputError(unknownName("rule or kernel", topic, names));
}

} // namespace

int explainVerb(const Options &options) {
  auto text = explanation(options);
  if (!text)
    return refuse(text.error(), options);
  if (auto written = writeText("", *text); !written)
    return report(written.error());
  return kExitGood;
}

} // namespace sluice::tool
