import type { Figures } from './figures.ts';

/** Terminals are redrawn no more often than this. */
const REDRAW_MS = 250;
/** Sentences about bad lines that are told; the rest are counted. */
const MOST_PROBLEMS = 10;

export type TrackReport = {
  /** Takes one sentence about a line that could not be used. */
  problem(sentence: string): void;
  progress(figures: Figures): void;
  /** Takes the progress line away, before something else is written. */
  clear(): void;
};

/** What a person sees while the tracker runs; `redraw` is null where nobody watches. */
export function createTrackReport(
  redraw: ((text: string) => void) | null,
  err: (text: string) => void,
  durationS: number | null,
): TrackReport {
  let drawnMs = Number.NEGATIVE_INFINITY;
  let problems = 0;
  const clear = (): void => {
    if (drawnMs > Number.NEGATIVE_INFINITY) redraw?.('\r\x1b[K');
    drawnMs = Number.NEGATIVE_INFINITY;
  };
  return {
    clear,
    problem(sentence) {
      problems++;
      if (problems > MOST_PROBLEMS) return;
      clear();
      err(problems === MOST_PROBLEMS ? `${sentence} (more such are counted, not shown)` : sentence);
    },
    progress({ atS, reports, tracks }) {
      if (redraw === null || performance.now() - drawnMs < REDRAW_MS) return;
      drawnMs = performance.now();
      const of = durationS === null ? '' : ` of ${durationS}`;
      redraw(`\r${atS.toFixed(1)}${of} s, ${reports} reports, ${tracks} tracks\x1b[K`);
    },
  };
}
