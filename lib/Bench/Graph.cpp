#include "Bench/Graph.h"

#include <utility>

namespace sluice {
namespace {

/// CUDA driver API, cuda.h.
struct Calls {
  CUresult (*streamCreate)(CUstream *, unsigned flags);
  CUresult (*streamDestroy)(CUstream);
  CUresult (*beginCapture)(CUstream, int mode);
  CUresult (*endCapture)(CUstream, void **graph);
  CUresult (*instantiate)(void **executable, void *graph, unsigned long long flags);
  CUresult (*launch)(void *executable, CUstream);
  CUresult (*destroyGraph)(void *);
  CUresult (*destroyExecutable)(void *);
};

Result<Calls> findCalls() {
  auto library = Library::open({"libcuda.so.1"}, "CUDA driver");
  if (!library)
    return library.error();
  Calls c;
  const bool all = library->find("cuStreamCreate", c.streamCreate) &&
                   library->find("cuStreamDestroy_v2", c.streamDestroy) &&
                   library->find("cuStreamBeginCapture_v2", c.beginCapture) &&
                   library->find("cuStreamEndCapture", c.endCapture) &&
                   library->find("cuGraphInstantiateWithFlags", c.instantiate) &&
                   library->find("cuGraphLaunch", c.launch) &&
                   library->find("cuGraphDestroy", c.destroyGraph) &&
                   library->find("cuGraphExecDestroy", c.destroyExecutable);
  if (!all)
    return inputError("the CUDA driver has no graphs; a driver for CUDA 12 or newer is needed");
  return c;
}

const Result<Calls> &calls() {
  static const Result<Calls> found = findCalls();
  return found;
}

} // namespace

Result<Graph> Graph::capture(const std::function<std::optional<Error>(CUstream)> &work) {
  if (!calls())
    return calls().error();
  const Calls &c = *calls();
  const Driver &d = **Driver::get();
  constexpr unsigned nonBlocking = 1;
  constexpr int threadLocal = 1; // CU_STREAM_CAPTURE_MODE_THREAD_LOCAL
  CUstream stream = nullptr;
  void *graph = nullptr, *executable = nullptr;
  std::optional<Error> failed;
  const auto check = [&](const char *call, CUresult r) {
    if (r && !failed)
      failed = d.error(call, "", r);
    return r == 0;
  };
  if (check("cuStreamCreate", c.streamCreate(&stream, nonBlocking)) &&
      check("cuStreamBeginCapture", c.beginCapture(stream, threadLocal))) {
    failed = work(stream);
    check("cuStreamEndCapture", c.endCapture(stream, &graph));
  }
  if (!failed)
    check("cuGraphInstantiate", c.instantiate(&executable, graph, 0));
  if (graph)
    c.destroyGraph(graph);
  if (stream)
    c.streamDestroy(stream);
  if (failed)
    return *failed;
  return Graph(executable);
}

Graph::Graph(Graph &&o) noexcept : executable_(std::exchange(o.executable_, nullptr)) {}

Graph::~Graph() {
  if (executable_)
    calls()->destroyExecutable(executable_);
}

std::optional<Error> Graph::launch() const {
  if (CUresult r = calls()->launch(executable_, nullptr))
    return (*Driver::get())->error("cuGraphLaunch", "", r);
  return std::nullopt;
}

} // namespace sluice
