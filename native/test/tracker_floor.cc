// The simplest possible tracker, built with the flags of the addon: one constant-velocity model, a grid, one
// assignment. It has no identities, no history, no odds of existence and no late observations. Its cost is printed
// beside the cost of the whole tracker.
//
// Usage: `tracker_floor FILE WARM`. FILE holds doubles: for every scan of a radar the number of its doubles, then the
// scan's head and plots as packed observations. The radar sees the whole sky. The program prints the CPU time per plot,
// ns, without the first WARM scans, and the number of tracks at the end.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <span>
#include <vector>

#include "../tracker/tracker.h"

namespace {

using namespace dunlin;

constexpr double kGate = 16.27, kNoise = 1, kCellM = 400, kSpeedSd = 15, kClimbSd = 5;
constexpr int kMostTogether = 511, kMissesSoon = 2, kMisses = 6, kHits = 3;

struct alignas(64) Flown {
  Gaussian g;
  double t;
  int hits, misses, plot;
};
static_assert(sizeof(Flown) <= 256);

struct Seen {
  double z[3];
  Sym3 r;
  int track;
};

struct Pairing {
  int track, plot;
  double cost;
};

class Floor {
 public:
  void Look(std::span<const double> rows) {
    if (rows.size() < kObservedWidth) return;
    Convert(rows);
    Sort();
    Gather(rows[kObservedTimeS]);
    Assign();
    Update();
    Begin(rows[kObservedTimeS]);
  }
  size_t tracks() const { return tracks_.size(); }

 private:
  void Convert(std::span<const double> rows) {
    plots_.resize(rows.size() / kObservedWidth - 1);
    half_ = 1;
    angle_variance_ = range_variance_ = 0;
    for (size_t i = 0; i < plots_.size(); i++) {
      const double* o = &rows[(i + 1) * kObservedWidth];
      Measurement m;
      m.z[0] = o[kObservedAzimuthOrLatDeg] * kDegree;
      m.z[1] = o[kObservedElevationOrLonDeg] * kDegree;
      m.z[2] = o[kObservedRangeOrAltHaeM];
      m.r[0] = o[kObservedSdAzimuthDegOrHM] * kDegree * o[kObservedSdAzimuthDegOrHM] * kDegree;
      m.r[3] = o[kObservedSdElevationDegOrVM] * kDegree * o[kObservedSdElevationDegOrVM] * kDegree;
      m.r[5] = o[kObservedSdRangeM] * o[kObservedSdRangeM];
      angle_variance_ = std::max({angle_variance_, m.r[0], m.r[3]});
      range_variance_ = std::max(range_variance_, m.r[5]);
      PlaceOfPolar(radar_, m);
      std::copy(m.z, m.z + 3, plots_[i].z);
      std::copy(m.r, m.r + 6, plots_[i].r);
      plots_[i].track = -1;
      half_ = std::max({half_, std::fabs(m.z[0]), std::fabs(m.z[1])});
    }
  }

  int CellOf(double metres) const { return std::clamp(static_cast<int>((metres + half_) / kCellM), 0, side_ - 1); }

  void Sort() {
    side_ = static_cast<int>(2 * half_ / kCellM) + 1;
    starts_.assign(static_cast<size_t>(side_) * side_ + 1, 0);
    cells_.resize(plots_.size());
    for (size_t i = 0; i < plots_.size(); i++) {
      cells_[i] = CellOf(plots_[i].z[1]) * side_ + CellOf(plots_[i].z[0]);
      starts_[cells_[i]]++;
    }
    for (size_t i = 1; i < starts_.size(); i++) starts_[i] += starts_[i - 1];
    ground_.resize(plots_.size());
    for (size_t i = plots_.size(); i-- > 0;)
      ground_[--starts_[cells_[i]]] = GroundPlotOf(static_cast<int>(i), plots_[i].z, plots_[i].r);
  }

  void Gather(double t) {
    pairs_.clear();
    for (size_t k = 0; k < tracks_.size(); k++) {
      Flown& f = tracks_[k];
      double up[3];
      UpAt(f.g.p, up);
      Predict(f.g, t - f.t, kNoise, up);
      f.t = t;
      f.plot = -1;
      double range2 = f.g.p[0] * f.g.p[0] + f.g.p[1] * f.g.p[1];
      double plot_variance = kFartherOff * range2 * angle_variance_ + range_variance_;
      double east = std::sqrt(kGate * (f.g.pp[0] + plot_variance)), north = std::sqrt(kGate * (f.g.pp[3] + plot_variance));
      int x0 = CellOf(f.g.p[0] - east), x1 = CellOf(f.g.p[0] + east);
      for (int y = CellOf(f.g.p[1] - north), last = CellOf(f.g.p[1] + north); y <= last; y++)
        for (int i = starts_[y * side_ + x0], end = starts_[y * side_ + x1 + 1]; i < end; i++) Try(static_cast<int>(k), ground_[i]);
    }
  }

  void Try(int track, const GroundPlot& ground) {
    const Gaussian& g = tracks_[track].g;
    double a = g.pp[0] + ground.ee, b = g.pp[1] + ground.en, c = g.pp[3] + ground.nn;
    double x = ground.e - g.p[0], y = ground.n - g.p[1];
    if (!(c * x * x - 2 * b * x * y + a * y * y <= kGate * (a * c - b * b))) return;
    const Seen& plot = plots_[ground.plot];
    double sum[6], inverse[6], det, d[3];
    for (int i = 0; i < 6; i++) sum[i] = g.pp[i] + plot.r[i];
    for (int i = 0; i < 3; i++) d[i] = plot.z[i] - g.p[i];
    if (!Invert(sum, inverse, det)) return;
    double d2 = Quadratic(inverse, d);
    if (d2 <= kGate) pairs_.push_back({track, ground.plot, d2 + std::log(det) - kTooStrange});
  }

  int Root(int i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }

  void Assign() {
    int tracks = static_cast<int>(tracks_.size()), nodes = tracks + static_cast<int>(plots_.size());
    parent_.resize(nodes);
    for (int i = 0; i < nodes; i++) parent_[i] = i;
    for (const Pairing& p : pairs_) {
      int a = Root(p.track), b = Root(tracks + p.plot);
      if (a != b) parent_[b] = a;
    }
    starts_.assign(nodes + 1, 0);
    for (const Pairing& p : pairs_) starts_[Root(p.track) + 1]++;
    for (int i = 0; i < nodes; i++) starts_[i + 1] += starts_[i];
    ends_.assign(starts_.begin(), starts_.end());
    order_.resize(pairs_.size());
    for (size_t i = 0; i < pairs_.size(); i++) order_[ends_[Root(pairs_[i].track)]++] = static_cast<int>(i);
    local_.assign(nodes, -1);
    for (int i = 0; i < tracks; i++) AssignCluster({order_.data() + starts_[i], order_.data() + starts_[i + 1]});
  }

  void Give(const Pairing& p) {
    tracks_[p.track].plot = p.plot;
    plots_[p.plot].track = p.track;
  }

  void AssignCluster(std::span<const int> cluster) {
    if (cluster.size() == 1) Give(pairs_[cluster[0]]);
    if (cluster.size() < 2) return;
    int tracks = static_cast<int>(tracks_.size()), rows = 0, columns = 0;
    for (int i : cluster) {
      const Pairing& p = pairs_[i];
      if (local_[p.track] < 0) local_[p.track] = rows++;
      if (local_[tracks + p.plot] < 0) local_[tracks + p.plot] = columns++;
    }
    bool turned = rows > columns;
    int height = std::min(rows, columns), width = std::max(rows, columns);
    if (width > kMostTogether) return;
    cost_.assign(static_cast<size_t>(height) * width, 0.0);
    pair_of_.assign(cost_.size(), -1);
    picked_.assign(height, -1);
    for (int i : cluster) {
      int row = local_[pairs_[i].track], column = local_[tracks + pairs_[i].plot];
      if (turned) std::swap(row, column);
      cost_[static_cast<size_t>(row) * width + column] = pairs_[i].cost;
      pair_of_[static_cast<size_t>(row) * width + column] = i;
    }
    assigner_.Solve(cost_.data(), height, width, picked_.data());
    for (int row = 0; row < height; row++) {
      int i = picked_[row] < 0 ? -1 : pair_of_[static_cast<size_t>(row) * width + picked_[row]];
      if (i >= 0) Give(pairs_[i]);
    }
  }

  void Update() {
    Fit fit;
    size_t kept = 0;
    for (size_t k = 0; k < tracks_.size(); k++) {
      Flown& f = tracks_[k];
      if (f.plot >= 0) {
        TakePosition(f.g, plots_[f.plot].z, plots_[f.plot].r, fit);
        f.hits++;
        f.misses = 0;
      } else {
        f.misses++;
      }
      if (f.misses >= (f.hits < kHits ? kMissesSoon : kMisses)) continue;
      if (kept != k) tracks_[kept] = f;
      kept++;
    }
    tracks_.resize(kept);
  }

  void Begin(double t) {
    for (const Seen& p : plots_) {
      if (p.track >= 0) continue;
      Flown f{};
      std::copy(p.z, p.z + 3, f.g.p);
      std::copy(p.r, p.r + 6, f.g.pp);
      f.g.vv[0] = f.g.vv[3] = kSpeedSd * kSpeedSd;
      f.g.vv[5] = kClimbSd * kClimbSd;
      f.t = t;
      f.hits = 1;
      tracks_.push_back(f);
    }
  }

  /// Factor on the squared range of a track: its plot may be farther from the radar and thus less exact.
  static constexpr double kFartherOff = 1.1;
  /// Subtracted from the cost of a pair, so that an assignment costs less than none for all but very uncertain tracks.
  static constexpr double kTooStrange = 40;

  static Sensor NorthAndLevel() {
    Sensor s;
    s.placed = true;
    s.at = {0, 0, 0};
    s.to_site = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    return s;
  }

  Sensor radar_ = NorthAndLevel();
  std::vector<Flown> tracks_;
  std::vector<Seen> plots_;
  std::vector<GroundPlot> ground_;
  std::vector<Pairing> pairs_;
  std::vector<int> starts_, cells_, parent_, ends_, order_, local_, pair_of_, picked_;
  std::vector<double> cost_;
  Assigner assigner_{kMostTogether + 1};
  double half_ = 1, angle_variance_ = 0, range_variance_ = 0;
  int side_ = 1;
};

double CpuNs() {
  timespec at;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
  return 1e9 * static_cast<double>(at.tv_sec) + static_cast<double>(at.tv_nsec);
}

}  // namespace

int main(int argc, char** argv) {
  std::FILE* file = argc == 3 ? std::fopen(argv[1], "rb") : nullptr;
  if (!file) return 2;
  std::vector<std::vector<double>> looks;
  for (double count; std::fread(&count, sizeof count, 1, file) == 1;) {
    std::vector<double>& look = looks.emplace_back(static_cast<size_t>(count));
    if (std::fread(look.data(), sizeof(double), look.size(), file) != look.size()) return 2;
  }
  size_t warm = std::strtoul(argv[2], nullptr, 10), plots = 0;
  double began = 0;
  Floor floor;
  for (size_t i = 0; i < looks.size(); i++) {
    if (i == warm) began = CpuNs();
    floor.Look(looks[i]);
    if (i >= warm) plots += looks[i].size() / kObservedWidth - 1;
  }
  std::printf("%.1f %zu\n", (CpuNs() - began) / static_cast<double>(plots), floor.tracks());
  return 0;
}
