// Plots of scans that are still open. The plots of each scan form a linked list; all lists share one arena.
#pragma once

#include <cstdint>
#include <vector>

#include "measurement.h"

namespace dunlin {

struct Plot {
  Measurement m;
  double signal;    // dBm
  double raw[3];    // azimuth rad, elevation rad, range m, as reported
  double sequence, received;
  double density;   // density of false plots in the measured space at the plot's position
  int32_t emitter;
  bool height_known;
  double azimuth_variance, range_variance;  // as declared, rad² and m²
  int32_t next;     // index of the next plot of the same scan; −1 for the last
};

class Plots {
 public:
  explicit Plots(int most) : most_(most) { plots_.reserve(most); }

  Plot& operator[](int i) { return plots_[i]; }
  const Plot& operator[](int i) const { return plots_[i]; }

  /// Stores a plot and returns its index; −1 if there is no room.
  int Add(const Plot& plot) {
    int place = free_;
    if (place >= 0) {
      free_ = plots_[place].next;
      plots_[place] = plot;
    } else if (static_cast<int>(plots_.size()) < most_) {
      place = static_cast<int>(plots_.size());
      plots_.push_back(plot);
    }
    return place;
  }

  void Free(int place) {
    plots_[place].next = free_;
    free_ = place;
  }

 private:
  int most_;
  std::vector<Plot> plots_;
  int32_t free_ = -1;
};

}  // namespace dunlin
