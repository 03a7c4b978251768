import { basename } from 'node:path';

/** Terminals are redrawn no more often than this. */
const REDRAW_MS = 250;
/** Sentences about damage that are told; a file with more is told of once, with the number. */
const MOST_PROBLEMS = 10;

export type ReplayReport = {
  /** Takes one sentence about a part of the file that could not be used. */
  problem(sentence: string): void;
  /** Takes the count of frames sent so far and how much of the file is read, 0 to 1. */
  progress(frames: number, fileRead: number): void;
  /** Takes the progress line away, before something else is written. */
  clear(): void;
  /** Takes the progress line away and answers the summary. */
  summary(total: { frames: number; bytes: number; stopped: boolean }, path: string, to: string): string;
};

/** What a person sees of a replay: one line that is redrawn (null where nobody watches), sentences and a summary. */
export function createReplayReport(
  redraw: ((line: string) => void) | null,
  err: (text: string) => void,
  nowMs: () => number,
): ReplayReport {
  const startMs = nowMs();
  let drawnMs = Number.NEGATIVE_INFINITY;
  let problems = 0;
  const elapsedS = (): number => (nowMs() - startMs) / 1000;
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
    progress(frames, fileRead) {
      if (redraw === null || nowMs() - drawnMs < REDRAW_MS) return;
      drawnMs = nowMs();
      redraw(`\r${frames} frames, ${clockText(elapsedS())}, ${Math.floor(fileRead * 100)} % of the file\x1b[K`);
    },
    summary({ frames, bytes, stopped }, path, to) {
      clear();
      const damage = problems === 0 ? '' : `; ${problems} ${problems === 1 ? 'part' : 'parts'} of the file left out`;
      const how = stopped ? 'stopped after' : 'sent';
      return `${how} ${frames} frames (${bytes} bytes) of ${basename(path)} to ${to} in ${elapsedS().toFixed(1)} s${damage}`;
    },
  };
}

function clockText(seconds: number): string {
  const two = (n: number): string => String(Math.floor(n)).padStart(2, '0');
  return `${two(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}`;
}
