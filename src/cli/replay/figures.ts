import { basename } from 'node:path';
import type { Played } from './player.ts';

/** The line that a person watches: frames sent so far, for how long, and how much of the file is read, 0 to 1. */
export function progressText(frames: number, elapsedS: number, fileRead: number): string {
  return `${frames} frames, ${clockText(elapsedS)}, ${Math.floor(fileRead * 100)} % of the file`;
}

/** What was done, at the end; `leftOut` is how many parts of the file could not be used. */
export function summaryText(
  { frames, bytes, stopped }: Played,
  { path, to, elapsedS, leftOut }: { path: string; to: string; elapsedS: number; leftOut: number },
): string {
  const damage = leftOut === 0 ? '' : `; ${leftOut} ${leftOut === 1 ? 'part' : 'parts'} of the file left out`;
  const how = stopped ? 'stopped after' : 'sent';
  return `${how} ${frames} frames (${bytes} bytes) of ${basename(path)} to ${to} in ${elapsedS.toFixed(1)} s${damage}`;
}

function clockText(seconds: number): string {
  const two = (n: number): string => String(Math.floor(n)).padStart(2, '0');
  return `${two(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}`;
}
