// Least-cost assignment of rows to columns by shortest augmenting paths (Jonker and Volgenant, Computing 38, 1987).
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace dunlin {

/// Solver for at most `most` rows and columns. It allocates memory only in its constructor.
class Assigner {
 public:
  explicit Assigner(int most)
      : u_(most + 1), v_(most + 1), least_(most + 1), row_of_(most + 1), from_(most + 1), used_(most + 1) {}

  /// Solves one assignment. `cost` is a row-major matrix of `rows` × `columns`, with rows ≤ columns. column_of[i]
  /// becomes the column of row i.
  void Solve(const double* cost, int rows, int columns, int* column_of) {
    std::fill(v_.begin(), v_.begin() + columns + 1, 0.0);
    std::fill(u_.begin(), u_.begin() + rows + 1, 0.0);
    std::fill(row_of_.begin(), row_of_.begin() + columns + 1, 0);
    for (int i = 1; i <= rows; i++) Augment(cost, i, columns);
    for (int j = 1; j <= columns; j++)
      if (row_of_[j] > 0) column_of[row_of_[j] - 1] = j - 1;
  }

 private:
  void Augment(const double* cost, int row, int columns) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    std::fill(least_.begin(), least_.begin() + columns + 1, kInfinity);
    std::fill(used_.begin(), used_.begin() + columns + 1, 0);
    row_of_[0] = row;
    int column = 0;
    do {
      used_[column] = 1;
      int i = row_of_[column], next = 0;
      double delta = kInfinity;
      for (int j = 1; j <= columns; j++) {
        if (used_[j]) continue;
        double reduced = cost[(i - 1) * columns + j - 1] - u_[i] - v_[j];
        if (reduced < least_[j]) {
          least_[j] = reduced;
          from_[j] = column;
        }
        if (least_[j] < delta) {
          delta = least_[j];
          next = j;
        }
      }
      for (int j = 0; j <= columns; j++) {
        if (used_[j]) {
          u_[row_of_[j]] += delta;
          v_[j] -= delta;
        } else {
          least_[j] -= delta;
        }
      }
      column = next;
    } while (row_of_[column] != 0);
    do {
      int previous = from_[column];
      row_of_[column] = row_of_[previous];
      column = previous;
    } while (column != 0);
  }

  std::vector<double> u_, v_, least_;
  std::vector<int> row_of_, from_;
  std::vector<uint8_t> used_;
};

}  // namespace dunlin
