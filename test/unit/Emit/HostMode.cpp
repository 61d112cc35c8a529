#include "Emit/HostMode.h"

#include "Arch/Arch.h"
#include "Emit/Checksums.h"
#include "Emit/Stamps.h"
#include "Launch/DeviceHeaders.h"
#include "Program/Agent.h"
#include "Program/LayoutMap.h"
#include "Program/RawText.h"
#include "Program/Sharing.h"
#include "Program/TensorShape.h"
#include "Simulate/Simulate.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <sstream>
#include <unistd.h>

namespace sluice::test {
namespace {

namespace fs = std::filesystem;

std::string text(int64_t n) {
  return std::to_string(n);
}

// ---- Host mode

/// Of the variable that stands for it in the main.
std::string variableOf(const Tensor &t) {
  return t.name + (t.type == DType::i32 ? "Integers" : "Place");
}

/// The tensors, those of i32 with what a launch says of them.
std::string tensorsText(const Program &program, const Launch &launch) {
  std::string lines;
  for (size_t i = 0; i < program.tensors.size(); ++i) {
    const Tensor &t = program.tensors[i];
    if (t.type != DType::i32) {
      lines += "host_mode::Place " + variableOf(t) + "(\"" + t.name + "\");\n";
      continue;
    }
    std::string values;
    for (const int64_t value : launch.tensors[i].integers)
      values += (values.empty() ? "" : ", ") + text(value);
    int64_t size = 1;
    for (const int64_t extent : launch.tensors[i].extents)
      size *= extent;
    lines += "host_mode::Integers " + variableOf(t) + "(\"" + t.name + "\", " + text(size) + ", {" +
             values + "});\n";
  }
  return lines;
}

std::string argumentText(const Program &program, const LaunchPlan &plan, const Launch &launch,
                         const KernelParameter &p) {
  if (p.kind == KernelParameter::tensorMap) {
    const TensorMapPlan &m = plan.maps[p.object];
    const DType type = program.tensors[m.tensor].type;
    int64_t elements = 1;
    for (int64_t side : m.box)
      elements *= side;
    return "TensorMap{\"" + program.tensors[m.tensor].name + "\", " +
           text(elements * byteSize(type)) + ", " + text(bytesInTensors(type, elements)) + "}";
  }
  if (p.kind == KernelParameter::pointer && p.object >= int(program.tensors.size()))
    return "nullptr"; // of stamps, of checksums
  if (p.kind == KernelParameter::pointer)
    return variableOf(program.tensors[p.object]);
  if (p.kind == KernelParameter::argument) {
    const std::string value = text(launch.arguments[p.object]);
    const bool real = program.arguments[p.object].type == DType::f32;
    return real ? "__int_as_float(" + value + ")" : value;
  }
  const Launch::Shape &shape = launch.tensors[p.object];
  return text((p.kind == KernelParameter::extent ? shape.extents : shape.strides)[p.dim]);
}

std::string mainText(const Program &program, const LaunchPlan &plan, Launch launch,
                     const Chances &chances) {
  std::array<int64_t, 3> grid{};
  launch = passed(program, std::move(launch));
  for (size_t t = program.tensors.size(); t < plan.tensors.size(); ++t)
    launch.tensors.push_back(shapeOf(HostTensor::dense(plan.tensors[t].type, {1}, 0)));
  if (auto wrong = launchGrid(plan.grid, plan.kernel, plan.cluster,
                              {tensorArguments(plan, launch), launch.arguments}, grid))
    return "#error " + wrong->message + "\n";
  std::string arguments, order, responses;
  for (const std::string &warp : chances.additions)
    order += (order.empty() ? "\"" : ", \"") + warp + "\"";
  for (const auto &[first, numbers] : chances.responses) {
    std::string list;
    for (const int64_t number : numbers)
      list += (list.empty() ? "" : ", ") + text(number);
    responses += (responses.empty() ? "{" : ", {") + text(first) + ", {" + list + "}}";
  }
  for (const KernelParameter &p : plan.parameters)
    arguments += (arguments.empty() ? "" : ", ") + argumentText(program, plan, launch, p);
  auto sides = [](const auto &extents) {
    return "{" + text(extents[0]) + ", " + text(extents[1]) + ", " + text(extents[2]) + "}";
  };
  return "alignas(1024) unsigned char sharedBytes[1];\n" + tensorsText(program, launch) +
         "int main() {\n  return host_mode::run(" + sides(grid) + ", " + sides(program.cluster) +
         ", " + text(program.warps) + ", [] { " + plan.kernel + "(" + arguments + "); }, {" +
         order + "}, {" + responses + "});\n}\n";
}

// ---- The virtual machine

/// The words of host_mode.cuh for one operation of an agent; empty: it has none there.
class Words {
public:
  Words(const Program &program, const Launch &launch, const Agent &agent, const Stmt &s)
      : program_(program), launch_(launch), agent_(agent), stmt_(s) {}

  std::vector<std::string> lines() {
    return std::visit([this](const auto &op) { return say(op); }, stmt_.op);
  }

private:
  using Lines = std::vector<std::string>;

  std::string at(const MbarrierRef &b) const { return at(b, agent_.value(b.slot)); }
  std::string at(const MbarrierRef &b, int64_t slot) const {
    return "@" + text(program_.mbarriers[b.object].offset + 8 * slot) +
           (b.remote ? " of " + text(agent_.value(*b.remote)) : "");
  }
  std::vector<int64_t> offsets(const View &v) const {
    std::vector<int64_t> result;
    for (const Index &i : v.offset)
      result.push_back(agent_.value(i));
    return result;
  }
  static std::string range(const std::vector<Interval> &touched) {
    int64_t begin = INT64_MAX, end = 0;
    for (const Interval &i : touched)
      begin = std::min(begin, i.begin), end = std::max(end, i.end);
    return "[" + text(begin) + "," + text(end) + ")";
  }
  std::string range(const View &v) const {
    return range(footprint(program_, v, agent_.value(v.slot), offsets(v)));
  }
  /// Of the agent's rows of the operation, whose views are these.
  std::string ownRange(const View &v, const std::vector<const View *> &views) const {
    const auto value = [this](const Index &i) { return agent_.value(i); };
    std::vector<Interval> touched;
    for (const RowRange &rows : sharedRows(program_, agent_, stmt_.exec, views, value))
      for (const View &part : restrictedTo(v, rows, rowCount(*views[0])))
        for (const Interval &i : footprint(program_, part, agent_.value(part.slot), offsets(part)))
          touched.push_back(i);
    return range(touched);
  }
  int64_t bytes(const View &v) const { return v.rows() * v.cols() * byteSize(program_.type(v)); }
  /// Coordinates of a box as the copy engine takes them: the contiguous dimension first.
  std::string box(const View &v) const {
    const Tensor &t = program_.tensors[v.object];
    const auto from = offsets(v);
    std::string result = t.name + " " + text(from[t.minor]);
    for (int d = t.rank - 1; d >= 0; --d)
      if (d != t.minor)
        result += " " + text(from[d]);
    return result;
  }
  /// The matrix of a window by its elements before, then rows and columns.
  std::string window(const View &v) const {
    auto from = offsets(v);
    if (from.size() == 1) // a vector is a row
      from.insert(from.begin(), 0);
    const size_t column = from.size() - 1;
    size_t row = column - 1; // or the one dimension before the last that is longer
    for (size_t d = 0; d < column && v.shape.size() > 1; ++d)
      row = v.shape[d] != 1 ? d : row;
    int64_t before = 0;
    for (size_t d = 0; d < column; ++d)
      before += d == row ? 0 : from[d] * launch_.tensors[v.object].strides[d];
    return program_.tensors[v.object].name + (before ? " + " + text(before) : "") + " " +
           text(from[v.transposed ? column : row]) + " " + text(from[v.transposed ? row : column]);
  }

  Lines slots(const std::string &verb, const MbarrierRef &b, bool whole,
              const std::string &tail) const {
    Lines lines;
    if (!whole)
      return {verb + " " + at(b) + tail};
    for (int64_t slot = 0; slot < program_.mbarriers[b.object].slots; ++slot)
      lines.push_back(verb + " " + at(b, slot) + tail);
    return lines;
  }
  Lines say(const MbarrierInit &o) const {
    return slots("init", o.barrier, o.wholeArray, " count " + text(o.count));
  }
  Lines say(const MbarrierInval &o) const { return slots("inval", o.barrier, o.wholeArray, ""); }
  Lines say(const MbarrierArrive &o) const {
    return {"arrive " + at(o.barrier) + " count " + text(o.count)};
  }
  Lines say(const MbarrierArriveExpectTx &o) const {
    return {"arrive " + at(o.barrier) + " bytes " + text(agent_.value(o.bytes))};
  }
  Lines say(const MbarrierExpectTx &o) const {
    return {"expect " + at(o.barrier) + " bytes " + text(agent_.value(o.bytes))};
  }
  Lines say(const MbarrierWait &o) const {
    return {"wait " + at(o.barrier) + " parity " + text(agent_.value(o.parity) & 1)};
  }
  Lines say(const MbarrierTest &o) const {
    return {"test " + at(o.barrier) + " parity " + text(agent_.value(o.parity) & 1)};
  }
  Lines say(const NamedBarrier &o) const {
    return {(o.arriveOnly ? "bar.arrive " : "bar.sync ") + text(agent_.value(o.id)) + " of " +
            text(o.threads)};
  }
  Lines say(const ClusterBarrier &o) const {
    if (o.kind == ClusterBarrier::sync)
      return {"cluster.arrive", "cluster.wait"};
    return {o.kind == ClusterBarrier::wait ? "cluster.wait" : "cluster.arrive"};
  }
  Lines say(const Fence &o) const {
    return {o.kind == Fence::proxyAsync         ? "fence proxy async"
            : o.kind == Fence::proxyAsyncGlobal ? "fence proxy async global"
            : o.kind == Fence::tcgen05Before    ? "fence tmem before"
            : o.kind == Fence::tcgen05After     ? "fence tmem after"
                                                : "fence mbarrier init"};
  }
  Lines say(const BulkCommit &) const { return {"bulk commit"}; }
  Lines say(const BulkWait &o) const {
    return {(o.read ? "bulk wait read " : "bulk wait ") + text(o.pending)};
  }
  Lines say(const CpAsyncCommit &) const { return {"copies commit"}; }
  Lines say(const CpAsyncWait &o) const { return {"copies wait " + text(o.pending)}; }
  Lines say(const CpAsyncArrive &o) const { return {"copies arrive " + at(o.barrier)}; }
  Lines say(const WgmmaFence &) const { return {"wgmma fence"}; }
  Lines say(const WgmmaCommit &) const { return {"wgmma commit"}; }
  Lines say(const WgmmaWait &o) const { return {"wgmma wait " + text(o.pending)}; }
  Lines say(const GridDependency &o) const { return {o.launch ? "next kernel" : "kernel before"}; }
  Lines say(const TmaLoad &o) const {
    const Layout layout = program_.buffers[o.destination.object].layout;
    if (isAsItLies(layout))
      return {std::string(name(layout)) + " " + window(o.source) + " to " + range(o.destination) +
              " bytes " + text(bytes(o.destination)) + " " + at(o.barrier)};
    return {"load " + box(o.source) + " to " + range(o.destination) + " bytes " +
            text(program_.bytesOfCopy(o.destination)) + " " + at(o.barrier) +
            (o.multicast ? " mask " + text(o.multicast) : "")};
  }
  Lines say(const TmaStore &o) const {
    return {(o.add ? "add " : "store ") + box(o.destination) + " from " + range(o.source)};
  }
  /// "counter 3"
  std::string element(const View &v) const {
    const Tensor &t = program_.tensors[v.object];
    const std::vector<int64_t> index = offsets(v);
    int64_t place = 0;
    for (size_t d = 0; d < index.size(); ++d)
      place += index[d] * launch_.tensors[v.object].strides[d];
    return t.name + " " + text(place);
  }
  Lines say(const CounterAdd &o) const {
    return {"count " + element(o.counter) + " by " + text(agent_.value(o.value))};
  }
  Lines say(const CounterWait &o) const {
    return {"wait for " + element(o.counter) + " at " + text(agent_.value(o.value))};
  }
  /// Where one number of a tile lies.
  std::string number(const View &v) const {
    return "[" + text(footprint(program_, v, agent_.value(v.slot), offsets(v)).front().begin) + "]";
  }
  Lines say(const ClcTryCancel &o) const {
    return {"cancel to " + number(o.response) + " " + at(o.barrier) +
            (o.multicast ? " of all" : "")};
  }
  Lines say(const ScalarRead &o) const {
    if (o.response)
      return {"cluster " + text(agent_.value({o.result, 0})) + " of " + number(o.source)};
    return {"number " + text(agent_.value({o.result, 0})) + " of " + number(o.source)};
  }
  Lines say(const ScalarWrite &o) const {
    return {"number " + text(agent_.value(o.value)) + " to " + number(o.destination)};
  }
  Lines say(const RemoteCopy &o) const {
    if (program_.storesRegisters(o))
      return {"send to " + ownRange(o.destination, {&o.source, &o.destination}) + " " +
              at(o.barrier)};
    return {"send " + range(o.source) + " to " + range(o.destination) + " " + at(o.barrier)};
  }
  Lines say(const Fill &o) const {
    const Buffer *to = program_.buffer(o.destination);
    return to && to->space == Space::smem
               ? Lines{"fill " + ownRange(o.destination, {&o.destination})}
               : Lines{};
  }
  Lines say(const Wgmma &o) const {
    const bool registers = program_.buffers[o.a.object].space == Space::reg;
    return {"wgmma " + (registers ? "" : "a " + ownRange(o.a, {&o.d, &o.a}) + " ") + "b " +
            range(o.b) + " " + text(agent_.value(o.accumulate) != 0)};
  }
  Lines say(const TmemAlloc &o) const {
    return {"tmem alloc " + text(o.columns) + " to " + number(o.address) + ofPair(o.pair)};
  }
  static std::string ofPair(bool pair) { return pair ? " pair" : ""; }
  Lines say(const TmemRelinquish &o) const { return {"tmem relinquish" + ofPair(o.pair)}; }
  Lines say(const TmemDealloc &o) const {
    return {"tmem dealloc " + text(o.columns) + " at 0" + ofPair(o.pair)};
  }
  Lines say(const TmemAddress &o) const { return {"tmem address of " + number(o.source)}; }
  /// Column of a view's first element.
  std::string column(const View &v, int64_t lane = 0) const {
    const Buffer &b = program_.buffers[v.object];
    const int64_t first = b.offset + agent_.value(v.slot) * b.slotBytes;
    return text((first + offsets(v)[1] * byteSize(b.type)) / 4 + (lane << 16));
  }
  Lines say(const Tcgen05Mma &o) const {
    const bool columns = program_.buffers[o.a.object].space == Space::tmem;
    return {"mma at " + column(o.d) + (columns ? " a at " + column(o.a) : " a " + range(o.a)) +
            " b " + range(o.b) +
            (o.scales ? " scales at " + column(o.scales->a) + " " + column(o.scales->b) : "") +
            " " + text(agent_.value(o.accumulate) != 0) + ofPair(o.pair)};
  }
  Lines say(const TmemCopy &o) const {
    return {"tmem copy at " + column(o.destination, o.lane) + " from " + range(o.source) +
            ofPair(o.pair)};
  }
  Lines say(const TmemShift &o) const {
    return {"tmem shift at " + column(o.columns, offsets(o.columns)[0]) + ofPair(o.pair)};
  }
  Lines say(const Tcgen05Commit &o) const {
    return {"commit " + at(o.barrier) + (o.multicast ? " to " + text(o.multicast) : "") +
            ofPair(o.pair)};
  }
  Lines say(const TmemLoad &o) const { return {"tmem load " + lanes(o.source)}; }
  Lines say(const TmemStore &o) const { return {"tmem store " + lanes(o.destination)}; }
  std::string lanes(const View &v) const {
    return text(v.cols()) + " columns of lanes " + text(32 * agent_.warpInRole()) + " at " +
           column(v);
  }
  Lines say(const TmemWait &o) const { return {o.stores ? "tmem wait stores" : "tmem wait"}; }
  /// Each operand once.
  Lines say(const Raw &o) const {
    std::string names, places;
    const auto views = operandsOf(o);
    for (size_t i = 0; i < o.names.size(); ++i) {
      if (std::find(o.names.begin(), o.names.begin() + int64_t(i), o.names[i]) !=
          o.names.begin() + int64_t(i))
        continue;
      names += (names.empty() ? "" : ", ") + o.names[i];
      const Buffer *tile = i < views.size() ? program_.buffer(*views[i]) : nullptr;
      places += " " + (!tile                       ? text(agent_.value(o.scalars[i - views.size()]))
                       : tile->space == Space::reg ? "in registers"
                                                   : number(*views[i]));
    }
    return {"raw text of " + names + ":" + places};
  }
  Lines say(const Prefetch &o) const {
    return {"prefetch " + (stmt_.exec == Exec::one ? box(o.source) : window(o.source))};
  }
  Lines say(const Copy &o) const {
    const Buffer *from = program_.buffer(o.source), *to = program_.buffer(o.destination);
    const bool fromRegisters = from && from->space == Space::reg;
    const bool toRegisters = to && to->space == Space::reg;
    if (fromRegisters)
      return toRegisters ? Lines{}
             : to        ? Lines{"stage " + ownRange(o.destination, {&o.source, &o.destination})}
                         : Lines{"write " + window(o.destination)};
    if (toRegisters)
      return {from ? "read " + ownRange(o.source, {&o.destination, &o.source})
                   : "fetch " + window(o.source)};
    const Copy lines = byLines(program_, stmt_, o);
    return {from ? "copy " + ownRange(lines.source, {&lines.destination, &lines.source}) + " to " +
                       window(o.destination)
                 : "copy " + window(o.source) + " to " +
                       ownRange(lines.destination, {&lines.destination, &lines.source})};
  }
  /// What lies in shared memory it reads 8 columns of a lane at a time.
  Lines say(const Map &o) const {
    constexpr int64_t together = 32 * blockedPiece;
    std::vector<const View *> views;
    for (const auto *operands : {&o.outs, &o.ins})
      for (const View &v : *operands)
        views.push_back(&v);
    Lines lines;
    for (int64_t column = 0; column < o.outs[0].cols(); column += together)
      for (View part : o.ins) {
        const Buffer *b = program_.buffer(part);
        if (!b || b->space != Space::smem)
          continue;
        part.offset[1].constant += column, part.shape[1] = together;
        lines.push_back("read " + ownRange(part, views));
      }
    return lines;
  }
  template <typename Op> Lines say(const Op &) const { return {}; }

  const Program &program_;
  const Launch &launch_;
  const Agent &agent_;
  const Stmt &stmt_;
};

} // namespace

Result<WarpLines> runInHostMode(const Program &program, const EmittedSource &source,
                                const Launch &launch, const std::string &name,
                                const Chances &chances) {
  const fs::path folder = fs::temp_directory_path() / ("sluice-host-" + std::to_string(getpid()));
  if (auto written = writeDeviceHeaders(folder.string()); !written)
    return written.error();
  const fs::path file = folder / (name + ".cu"), program_ = folder / name,
                 out = folder / (name + ".txt"), log = folder / (name + ".log");
  std::ofstream(file) << source.text << mainText(program, source.plan, launch, chances);
  const std::string compile = "c++ -std=c++17 -Wall -Wextra -Werror -Wno-unknown-pragmas "
                              "-Wno-tautological-compare -DSLUICE_HOST -x c++ -I " +
                              folder.string() + " " + file.string() + " -o " + program_.string() +
                              " > " + log.string() + " 2>&1";
  if (std::system(compile.c_str()) != 0) {
    std::stringstream words;
    words << std::ifstream(log).rdbuf();
    return inputError("the host's compiler refuses " + file.string() + ": " + words.str());
  }
  const int status = std::system((program_.string() + " > " + out.string()).c_str());
  WarpLines lines;
  std::ifstream in(out);
  for (std::string line; std::getline(in, line);) {
    const size_t colon = line.find(": ");
    lines[line.substr(0, colon)].push_back(line.substr(colon + 2));
  }
  if (status != 0)
    return inputError(WIFEXITED(status) && WEXITSTATUS(status) == 3
                          ? "warps wait for ever in host mode"
                          : program_.string() + " ends with status " + std::to_string(status));
  fs::remove_all(folder);
  return lines;
}

namespace {

/// The words of kernels that note what happens.
class Records {
public:
  explicit Records(const Program &program) : program_(program), slots_(slotsRead(program)) {
    for (const Stmt *s : stampedStatements(program))
      events_.emplace(s, events_.size() + 1);
  }
  std::vector<std::string> lines(const Agent &agent, const Stmt &s) const {
    std::vector<std::string> lines;
    if (auto event = events_.find(&s); event != events_.end())
      lines.push_back("event " + std::to_string(event->second));
    if (auto buffers = slots_.find(&s); buffers != slots_.end() && agent.warpInRole() == 0)
      for (int buffer : buffers->second) {
        const Buffer &b = program_.buffers[buffer];
        const int64_t slot = agent.value(std::get<MbarrierWait>(s.op).barrier.slot);
        const int64_t begin = b.offset + slot * b.slotBytes;
        lines.push_back("sum [" + text(begin) + "," + text(begin + checksumBytes(b)) + ")");
      }
    return lines;
  }

private:
  const Program &program_;
  std::map<const Stmt *, size_t> events_;
  std::map<const Stmt *, std::vector<int>> slots_;
};

} // namespace

/// Zeros, but for the integers that the launch tells of.
std::vector<HostTensor> tensorsOf(const Program &program, const Launch &launch) {
  std::vector<HostTensor> tensors;
  for (size_t i = 0; i < program.tensors.size(); ++i) {
    const Tensor &t = program.tensors[i];
    tensors.push_back(
        HostTensor::dense(t.type, passed(t, launch.tensors[i]).extents, passed(t).minor));
    const std::vector<int64_t> &integers = launch.tensors[i].integers;
    for (size_t k = 0; k < integers.size(); ++k)
      storeElement(t.type, tensors.back().bytes.data() + 4 * k, static_cast<float>(integers[k]));
  }
  return tensors;
}

namespace {

using WarpNumbers = std::map<std::string, std::vector<int64_t>>;

/// The number of the first CTA of its cluster in the grid, x fastest.
int64_t firstOfCluster(const Program &program, const Launch &launch, const AgentId &id) {
  std::vector<int64_t> grid = gridExtents(program, launch);
  grid.resize(3, 1);
  int64_t number = 0;
  for (size_t d = 3; d-- > 0;)
    number = number * grid[d] + id.cta[d] / program.cluster[d] * program.cluster[d];
  return number;
}

} // namespace

Result<MachineRun> runOnMachine(const Program &program, const Launch &launch, bool records) {
  std::vector<HostTensor> tensors = tensorsOf(program, launch);
  MachineRun run;
  const Records recorded(program);
  SimulateOptions options;
  std::map<int64_t, WarpNumbers> read;
  std::mutex one; // CTAs run in threads of their own
  options.executed = [&](const Agent &agent, const Stmt &s) {
    const std::lock_guard lock(one);
    const AgentId &id = agent.id();
    const std::string warp = text(id.cta[0]) + "," + text(id.cta[1]) + "," + text(id.cta[2]) + " " +
                             std::to_string(id.warp);
    for (std::string &line : Words(program, launch, agent, s).lines())
      run.lines[warp].push_back(std::move(line));
    if (std::holds_alternative<CounterAdd>(s.op))
      run.chances.additions.push_back(warp);
    if (auto *query = std::get_if<ScalarRead>(&s.op); query && query->response)
      read[firstOfCluster(program, launch, id)][warp].push_back(agent.value({query->result, 0}));
    if (records)
      for (std::string &line : recorded.lines(agent, s))
        run.lines[warp].push_back(std::move(line));
  };
  auto result = simulate(program, defaultArch(program.target), launch.arguments, tensors, options);
  if (!result)
    return result.error();
  if (result->violation)
    return inputError(result->violation->rule + ": " + result->violation->message);
  for (const auto &[first, warps] : read) // who has read all of them
    for (const auto &[warp, numbers] : warps)
      if (auto &most = run.chances.responses[first]; numbers.size() > most.size())
        most = numbers;
  return run;
}

} // namespace sluice::test
