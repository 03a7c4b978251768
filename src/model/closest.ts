import { distance } from 'fastest-levenshtein';

/** Longest word that is compared, characters: a hostile word must not take long. */
const LONGEST = 64;

/**
 * Returns the candidate most similar to `word`, as a guess for a mistyped word; null if none is similar enough: at most
 * three letters, and a third of the word, are inserted, deleted or replaced. Two swapped letters count as two.
 */
export function closest(word: string, candidates: readonly string[]): string | null {
  if (word.length > LONGEST) return null;
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
