// Assignment of plots to tracks. Pairs are grouped into clusters that share no track or plot. Each cluster is solved
// for the least total cost.
#pragma once

#include <algorithm>
#include <vector>

#include "assignment.h"

namespace dunlin {

/// A candidate and a plot of a scan that may be one object. `cost` is −ln of a ratio: the likelihood of one object,
/// divided by the likelihood of two separate objects.
struct Edge {
  int candidate, plot;
  double cost;
};

class Clusters {
 public:
  /// Greatest sizes. `most`: candidates plus plots of one cluster; `nodes`: candidates plus plots of a scan; `edges`:
  /// pairs of a scan.
  Clusters(int most, size_t nodes, size_t edges) : most_(most), assigner_(most + 1) {
    for (auto* scratch : {&parent_, &size_, &starts_, &picked_, &local_}) scratch->reserve(nodes + 1);
    order_.reserve(edges);
    cost_.reserve(static_cast<size_t>(most) * most);
    edge_of_.reserve(cost_.capacity());
  }

  /// Splits the pairs of a scan into clusters that share no track or plot, and assigns each cluster separately. Calls
  /// `chosen(index)` for every chosen pair. If a cluster exceeds `most`, clusters are built again in ascending order
  /// of cost; pairs that would join two of them beyond `most` are removed from `edges`.
  template <typename Chosen>
  void Assign(std::vector<Edge>& edges, int candidates, int plots, Chosen chosen) {
    Split(edges, candidates, candidates + plots);
    local_.assign(candidates + plots, -1);
    for (int i = 0; i < candidates; i++) {
      int count = starts_[i + 1] - starts_[i];
      if (count > 0) AssignCluster(edges, candidates, order_.data() + starts_[i], count, chosen);
    }
  }

 private:
  void Split(std::vector<Edge>& edges, int tracks, int nodes);
  int Root(int i);
  int Cluster(std::vector<Edge>& edges, int nodes, int tracks, int cap);
  template <typename Chosen>
  void AssignCluster(const std::vector<Edge>& edges, int tracks, const int* own, int count, Chosen chosen);

  int most_;
  Assigner assigner_;
  std::vector<int> parent_, size_;          // union-find forest; index: candidates first, then plots
  std::vector<int> starts_, order_;         // pairs by cluster: each root's first index in `order_`; all pairs
  std::vector<int> local_;                  // by node: row or column in the matrix of its cluster
  std::vector<int> picked_, edge_of_;
  std::vector<double> cost_;
};

inline void Clusters::Split(std::vector<Edge>& edges, int tracks, int nodes) {
  if (Cluster(edges, nodes, tracks, nodes + 1) > most_) {
    std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
      return a.cost != b.cost ? a.cost < b.cost : a.candidate != b.candidate ? a.candidate < b.candidate : a.plot < b.plot;
    });
    Cluster(edges, nodes, tracks, most_);
  }
  // Counting sort by root, so that the pairs of one cluster are adjacent.
  starts_.assign(nodes + 1, 0);
  for (const Edge& e : edges) starts_[Root(e.candidate) + 1]++;
  for (int i = 0; i < nodes; i++) starts_[i + 1] += starts_[i];
  order_.resize(edges.size());
  size_.assign(starts_.begin(), starts_.end());
  for (size_t i = 0; i < edges.size(); i++) order_[size_[Root(edges[i].candidate)]++] = static_cast<int>(i);
}

inline int Clusters::Root(int i) {
  while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
  return i;
}

/// Joins candidates and plots that share a pair into clusters. Drops the pairs that would make a cluster larger than
/// `cap`. Returns the size of the largest cluster. The root of every cluster is a candidate.
inline int Clusters::Cluster(std::vector<Edge>& edges, int nodes, int tracks, int cap) {
  parent_.resize(nodes);
  size_.assign(nodes, 1);
  for (int i = 0; i < nodes; i++) parent_[i] = i;
  int most = 0;
  size_t kept = 0;
  for (const Edge& e : edges) {
    int a = Root(e.candidate), b = Root(tracks + e.plot);
    if (a != b) {
      if (size_[a] + size_[b] > cap) continue;
      parent_[b] = a;
      size_[a] += size_[b];
      most = std::max(most, size_[a]);
    }
    edges[kept++] = e;
  }
  edges.resize(kept);
  return most;
}

template <typename Chosen>
inline void Clusters::AssignCluster(const std::vector<Edge>& edges, int tracks, const int* own, int count, Chosen chosen) {
  if (count == 1) {
    chosen(own[0]);
    return;
  }
  int rows = 0, columns = 0;
  for (int i = 0; i < count; i++) {
    const Edge& e = edges[own[i]];
    if (local_[e.candidate] < 0) local_[e.candidate] = rows++;
    if (local_[tracks + e.plot] < 0) local_[tracks + e.plot] = columns++;
  }
  bool turned = rows > columns;
  int height = turned ? columns : rows, width = turned ? rows : columns;
  // A cell of cost 0 leaves its row and column without a partner. The matrix is at least as wide as high, so every row
  // finds a column.
  cost_.assign(static_cast<size_t>(height) * width, 0.0);
  edge_of_.assign(static_cast<size_t>(height) * width, -1);
  for (int i = 0; i < count; i++) {
    const Edge& e = edges[own[i]];
    int r = local_[e.candidate], c = local_[tracks + e.plot];
    size_t cell = turned ? static_cast<size_t>(c) * width + r : static_cast<size_t>(r) * width + c;
    cost_[cell] = e.cost;
    edge_of_[cell] = own[i];
  }
  picked_.assign(height, -1);
  assigner_.Solve(cost_.data(), height, width, picked_.data());
  for (int r = 0; r < height; r++) {
    int edge = picked_[r] < 0 ? -1 : edge_of_[static_cast<size_t>(r) * width + picked_[r]];
    if (edge >= 0) chosen(edge);
  }
}

}  // namespace dunlin
