// A kernel written by hand with the headers of device/: sums of the columns of a matrix. One warp
// loads tiles of 64 x 32 through a ring of four slots, the other adds them up, a lane a column.
//
//   nvcc -std=c++17 -gencode=arch=compute_90a,code=sm_90a -I device examples/07_by_hand.cu
#include <sluice/device.cuh>
#include <sluice/host.cuh>

using namespace sluice;

namespace {

constexpr int tileRows = 64, tileCols = 32, slots = 4, tileBytes = tileRows * tileCols * 4;

struct Shared {
  alignas(128) float tile[slots][tileRows][tileCols]; // TMA writes at multiples of 128 bytes
  u64 full[slots], empty[slots];                      // mbarriers
};

/// Fills the slots in turn: each when its reader has handed it back. One thread.
__device__ void load(const TensorMap &X, Shared &shared, Mbarriers full, Mbarriers empty, int col,
                     int tiles) {
  Cursor<slots> at;
  for (int t = 0; t < tiles; ++t, at = at.advance()) {
    mbarrierWait(empty[at.slot], at.phase ^ 1); // passes at first: nobody has read anything
    mbarrierArriveExpectTx(full[at.slot], tileBytes);
    tmaLoadBox(sharedAddress(shared.tile[at.slot]), X, full[at.slot], col, t * tileRows);
  }
}

/// The sum of the lane's column. Beyond the matrix TMA fills zeros.
__device__ float sum(const Shared &shared, Mbarriers full, Mbarriers empty, int tiles) {
  float sum = 0;
  Cursor<slots> at;
  for (int t = 0; t < tiles; ++t, at = at.advance()) {
    mbarrierWait(full[at.slot], at.phase);
    for (int row = 0; row < tileRows; ++row)
      sum += shared.tile[at.slot][row][laneOfWarp()];
    warpSync(); // all lanes have read
    if (electLane())
      mbarrierArrive(empty[at.slot]);
  }
  return sum;
}

__global__ void __launch_bounds__(64)
    columnSums(const __grid_constant__ TensorMap X, float *sums, int rows, int cols) {
  __shared__ Shared shared;
  const Mbarriers full{sharedAddress(shared.full)}, empty{sharedAddress(shared.empty)};
  if (threadIdx.x == 0) {
    for (int slot = 0; slot < slots; ++slot) {
      mbarrierInit(full[slot], 1); // the loader's arrival, and the bytes that it announces
      mbarrierInit(empty[slot], 1);
    }
    fenceMbarrierInit();
  }
  __syncthreads();
  const int col = int(blockIdx.x) * tileCols, tiles = ceilDiv(rows, tileRows);
  if (warpOfCta() == 0) {
    if (electLane())
      load(X, shared, full, empty, col, tiles);
  } else {
    const float mine = sum(shared, full, empty, tiles);
    if (col + laneOfWarp() < cols)
      sums[col + laneOfWarp()] = mine;
  }
}

} // namespace

int main(int argc, char **argv) {
  i64 rows = 4099, cols = 1000;
  host::readSizes(argc, argv, {{"rows", &rows}, {"cols", &cols}});
  host::needDevice(9, 0);
  host::Tensor<float> X("X", {rows, cols}, 1, 16), sums("sums", {cols}, 0, 4);
  X.randomise(1);
  sums.poison();
  const TensorMap map = X.map({1, 0}, {tileCols, tileRows}, 0, 256);
  columnSums<<<unsigned(host::ceilDiv(cols, tileCols)), 64>>>(map, sums.data(), int(rows),
                                                              int(cols));
  host::check(cudaDeviceSynchronize(), "the kernel", "columnSums");
  sums.download();
  const bool good = host::compare(sums, double(rows), 1e-5, [&](i64, i64 col) {
    double sum = 0;
    for (i64 row = 0; row < rows; ++row)
      sum += X(row, col);
    return sum;
  });
  return good ? 0 : 1;
}
