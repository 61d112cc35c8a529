// sluice bench: a kernel and the vendor's library in turns, on the GPU.
#include "Console.h"
#include "Load.h"
#include "Peer.h"
#include "Standing.h"
#include "Tensors.h"
#include "Timing.h"
#include "Verbs.h"

#include "Support/Json.h"
#include "Support/Nearest.h"

#include <cstdio>

namespace sluice::tool {
namespace {

void member(JsonWriter &json, const char *name, const Spread &s) {
  json.key(name);
  json.beginArray().value(s.low).value(s.median).value(s.high).endArray();
}

void member(JsonWriter &json, const char *name, const std::optional<GpuState> &s) {
  if (!s)
    return;
  json.key(name);
  json.beginObject().member("sm_mhz", int64_t(s->smMHz)).member("watts", s->watts);
  json.member("limit_watts", s->limitWatts).endObject();
}

void member(JsonWriter &json, const char *name, const std::optional<Sustained> &s) {
  if (!s)
    return;
  json.key(name);
  json.beginObject().member("ms", s->ms);
  if (s->joules)
    json.member("joules", *s->joules);
  json.endObject();
}

/// "; for long 1545 MHz, 690 of 700 W"
std::string text(const std::optional<GpuState> &s) {
  char words[64];
  std::snprintf(words, sizeof words, "; for long %d MHz, %.0f of %.0f W", s ? s->smMHz : 0,
                s ? s->watts : 0, s ? s->limitWatts : 0);
  return s ? words : "";
}

/// "0.1802 ms and 0.1514 J"
std::string text(const Sustained &s) {
  char words[96];
  std::snprintf(words, sizeof words, "%.4f ms", s.ms);
  std::string line = words;
  if (!s.joules)
    return line + " and an unknown energy";
  std::snprintf(words, sizeof words, " and %.4g J", *s.joules);
  return line + words;
}

/// A line, if it was asked for.
std::string sustainedText(const BenchResult &r) {
  if (!r.sustained)
    return "";
  const std::string vendor = r.vendorSustained ? "; the vendor's " + text(*r.vendorSustained) : "";
  return "  sustained  " + text(*r.sustained) + " a call" + vendor + "\n";
}

/// "the fastest of 8 algorithms"
std::string peerText(const BenchResult &r) {
  const std::string fastest = "the fastest of " + std::to_string(r.algorithms) + " algorithms";
  return r.products == 1 ? fastest : std::to_string(r.products) + " products, each by " + fastest;
}

/// How fast a call is, in the unit that says most of the kernel.
struct Rate {
  double value = 0;
  const char *unit = "", *member = "";
};

/// Operations of products where the library is asked for these, else bytes of tensors, each once.
Rate rateOf(const Loaded &loaded, const std::vector<HostTensor> &tensors, double ms) {
  if (const double sum = operations(*peerOf(loaded)); sum > 0)
    return {sum / ms / 1e9, isFloat(loaded.program.tensors[0].type) ? "TFLOPS" : "TOPS", "tflops"};
  double bytes = 0;
  for (size_t i = 0; i < tensors.size(); ++i)
    if (const Tensor &t = loaded.program.tensors[i]; t.input || t.output) // no workspace
      bytes += double(tensors[i].elements() * byteSize(tensors[i].type));
  return {bytes / ms / 1e6, "GB/s", "gbps"};
}

std::string json(const Loaded &loaded, const BenchResult &r, const Rate &rate) {
  JsonWriter json;
  json.beginObject().member("kernel", loaded.program.name).member("shape", loaded.shape);
  member(json, "ms", r.ms);
  member(json, "sustained", r.sustained);
  member(json, "vendor_sustained", r.vendorSustained);
  if (!r.withoutVendor.empty()) {
    member(json, "mhz", r.mhz);
    member(json, "state", r.state);
    json.member(rate.member, rate.value).member("without_vendor", r.withoutVendor);
    json.member("device", r.device).endObject();
    return json.str() + "\n";
  }
  member(json, "vendor_ms", r.vendorMs);
  member(json, "ratio", r.ratio);
  member(json, "mhz", r.mhz);
  member(json, "vendor_mhz", r.vendorMhz);
  member(json, "state", r.state);
  member(json, "vendor_state", r.vendorState);
  json.member(rate.member, rate.value).member("difference", r.difference);
  json.member("products", int64_t(r.products)).member("algorithms", int64_t(r.algorithms));
  json.member("vendor", r.vendor);
  json.member("device", r.device).endObject();
  return json.str() + "\n";
}

std::string text(const Loaded &loaded, const BenchResult &r, const Rate &rate) {
  char line[512];
  std::snprintf(line, sizeof line,
                "%s %s on %s\n"
                "  ours       %.4f ms at %.0f MHz, %.0f %s%s\n",
                loaded.program.name.c_str(), loaded.shape.c_str(), r.device.c_str(), r.ms.median,
                r.mhz.median, rate.value, rate.unit, text(r.state).c_str());
  const std::string ours = line;
  if (!r.withoutVendor.empty())
    return ours + "  vendor     none: " + r.withoutVendor + "\n";
  std::snprintf(line, sizeof line,
                "  vendor     %.4f ms at %.0f MHz%s  (%s, %s)\n"
                "  ratio      %.3f  (quartiles %.3f to %.3f; above 1: ours is faster)\n"
                "  difference %.2g of the largest value\n",
                r.vendorMs.median, r.vendorMhz.median, text(r.vendorState).c_str(),
                r.vendor.c_str(), peerText(r).c_str(), r.ratio.median, r.ratio.low, r.ratio.high,
                r.difference);
  return ours + line;
}

/// The launches on the clock of the virtual machine.
int predict(const Parts &parts, const Options &options) {
  const Loaded &loaded = parts.whole;
  const auto cycles = predictedCycles(parts);
  if (!cycles)
    return refuse(cycles.error(), options);
  const double ms = milliseconds(*cycles, *loaded.arch);
  const std::string device = "virtual machine " + loaded.arch->name;
  for (const Part &part : parts.parts)
    warn(standingOf(part.loaded));
  JsonWriter json;
  json.beginObject().member("kernel", loaded.program.name).member("shape", loaded.shape);
  json.member("cycles", *cycles).member("ms", ms).member("device", device).endObject();
  char line[256];
  std::snprintf(line, sizeof line, "  predicted  %.4f ms, %.0f cycles\n", ms, *cycles);
  const std::string title = loaded.program.name + " " + loaded.shape + " on " + device + "\n";
  return writeText("", options.json ? json.str() + "\n" : title + line) ? kExitGood : kExitUsage;
}

} // namespace

int benchVerb(const Options &options) {
  auto parts = loadParts(options);
  if (!parts)
    return refuse(parts.error(), options);
  if (options.device == "sim" && options.sustained > 0)
    return refuse(inputError("--sustained is of a GPU; leave it out, or run with --device cuda"),
                  options);
  if (auto wrong = seedWithoutEffect(options, parts->whole); wrong && options.device == "sim")
    return refuse(*wrong, options);
  if (options.device == "sim")
    return predict(*parts, options);
  if (options.device != "cuda" && options.device != "auto")
    return refuse(inputError(unknownName("device", options.device, {"sim", "cuda"})), options);
  if (auto possible = checkBench(*parts); !possible)
    return refuse(possible.error(), options);
  const Loaded &whole = parts->whole;
  auto tensors = makeTensors(whole, options.seed);
  if (!tensors)
    return refuse(tensors.error(), options);
  auto result = measured(*parts, *tensors, options.sustained);
  if (!result)
    return refuse(result.error(), options);
  const Rate rate = rateOf(whole, *tensors, result->ms.median);
  const auto out = options.json ? json(whole, *result, rate)
                                : text(whole, *result, rate) + sustainedText(*result);
  return writeText("", out) ? kExitGood : kExitUsage;
}

} // namespace sluice::tool
