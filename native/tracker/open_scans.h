// Scans that are being received: their plots so far, and the time at which each is closed.
#pragma once

#include <algorithm>
#include <cmath>

#include "observation.h"
#include "sensors.h"

namespace dunlin {

/// Time after a scan's head at which the scan is closed even if plots are missing, s.
inline constexpr double kScanPatienceS = 0.25;
/// Time after its first plot at which a scan is closed if no head announced the number of plots, s.
inline constexpr double kSectorPatienceS = 0.05;
/// Duration of the part of a rotating sensor's revolution that is processed as one scan, s.
inline constexpr double kSectorS = 0.12;

/// Whether two plots are one plot that was reported twice.
inline bool IsDuplicate(const Measurement& a, const Measurement& b) {
  return a.form == b.form && a.t == b.t && a.z[0] == b.z[0] && a.z[1] == b.z[1] && a.z[2] == b.z[2];
}

class OpenScans {
 public:
  enum class Added { kKept, kDuplicate, kNoRoom };

  OpenScans(Sensors& sensors, Plots& plots) : sensors_(sensors), plots_(plots) {}

  /// Lower bound of the times at which open scans must be closed, s.
  double due() const { return due_; }

  /// Returns the sensor whose open scan has the earliest closing time; −1 if that closing time is later than `until`,
  /// s.
  int DueBy(double until) {
    if (due_ > until) return -1;
    int closing = -1;
    double first = 1e18;
    for (int i = 0; i < sensors_.used(); i++)
      if (sensors_[i].open && sensors_[i].deadline < first) {
        first = sensors_[i].deadline;
        closing = i;
      }
    if (first <= until) return closing;
    due_ = first;
    return -1;
  }

  /// Opens a scan by its head, which announces the number of plots. A head without a number announces a scan without
  /// plots.
  void OpenHeaded(Sensor& s, const double* o, double now) {
    int expected = std::isfinite(o[kObservedPlots]) ? static_cast<int>(std::clamp(o[kObservedPlots], 0.0, 1e6)) : 0;
    Open(s, o[kObservedScan], o[kObservedTimeS], expected, now + kScanPatienceS);
  }
  /// Opens a scan by its first plot.
  void OpenByPlot(Sensor& s, const double* o, double now) { Open(s, ScanOf(o), o[kObservedTimeS], -1, now + kSectorPatienceS); }

  /// Whether a plot belongs to the open scan of its sensor. Without a head, only plots of the same time form a scan: a
  /// sensor may report the same object again a moment later. In a sweep of a rotating sensor, plots within kSectorS
  /// form a scan.
  bool Continues(const Sensor& s, const double* o) const {
    double span = s.expected >= 0 ? 1e3 : s.rotating && s.sweep >= 0 ? kSectorS : 1e-6;
    return s.open && s.scan == ScanOf(o) && std::fabs(o[kObservedTimeS] - s.scan_time) <= span;
  }

  /// Adds a plot to the open scan of its sensor.
  Added Add(Sensor& s, const Plot& plot) {
    int place = plots_.Add(plot);
    if (place < 0) return Added::kNoRoom;
    s.got++;
    if (s.last_plot >= 0 && IsDuplicate(plots_[s.last_plot].m, plot.m)) {
      plots_.Free(place);
      return Added::kDuplicate;
    }
    if (s.last_plot >= 0) plots_[s.last_plot].next = place;
    else s.first_plot = place;
    s.last_plot = place;
    return Added::kKept;
  }

 private:
  static double ScanOf(const double* o) { return std::isfinite(o[kObservedScan]) ? o[kObservedScan] : -1; }

  void Open(Sensor& s, double scan, double t, int expected, double deadline) {
    s.open = true;
    s.scan = scan;
    s.scan_time = t;
    s.expected = expected;
    s.got = 0;
    s.first_plot = s.last_plot = -1;
    s.deadline = deadline;
    due_ = std::min(due_, deadline);
  }

  Sensors& sensors_;
  Plots& plots_;
  double due_ = 1e18;
};

}  // namespace dunlin
