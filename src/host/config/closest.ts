/** Returns the number of single-letter changes (insert, delete, replace, swap of neighbours) between two words. */
function distance(from: string, to: string): number {
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let row = 1; row <= from.length; row++) {
    const next = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      let least = Math.min(at(last, column) + 1, at(next, column - 1) + 1, at(last, column - 1) + (same ? 0 : 1));
      if (from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]) {
        least = Math.min(least, at(before, column - 2) + 1);
      }
      next.push(least);
    }
    before = last;
    last = next;
  }
  return at(last, to.length);
}

function at(row: number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}

/** Returns the candidate most similar to `word`, as a guess for a mistyped word; null if none is similar enough. */
export function closest(word: string, candidates: readonly string[]): string | null {
  if (word.length > 64) return null;
  const folded = word.toLowerCase().replaceAll('-', '_');
  let best: string | null = null;
  let fewest = Math.min(3, Math.ceil(folded.length / 3)) + 1;
  for (const candidate of candidates) {
    const changes = distance(folded, candidate.toLowerCase());
    if (changes < fewest) {
      best = candidate;
      fewest = changes;
    }
  }
  return best;
}
