"""Device time of launches: medians of replays of CUDA graphs. Needs PyTorch."""

import statistics

import torch


def graph_of(launch, count):
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        launch()
        stream.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, stream=stream):
            for _ in range(count):
                launch()
    return graph


def milliseconds(launches, count, rounds=20):
    """Of one launch of each: graphs of `count`, replayed in turns."""
    graphs = [graph_of(launch, count) for launch in launches]
    times = [[] for _ in graphs]
    for _ in range(rounds):
        for graph, taken in zip(graphs, times):
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            begin.record()
            graph.replay()
            end.record()
            end.synchronize()
            taken.append(begin.elapsed_time(end) / count)
    return [statistics.median(t) for t in times]
