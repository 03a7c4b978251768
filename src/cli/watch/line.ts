import { printable } from './printable.ts';

/** Importance of a line, which decides its colour on a terminal. */
export type Tone = 'plain' | 'dim' | 'good' | 'notice' | 'warning' | 'critical';

/**
 * One line for a person: time (null for now), subject, and a sentence that may contain text of unknown transmitters.
 */
export type Line = { at: string | null; subject: string; text: string; tone: Tone };

const codes: Readonly<Record<Tone, string>> = {
  plain: '',
  dim: '2',
  good: '32',
  notice: '36',
  warning: '33',
  critical: '1;31',
};
const SUBJECT_WIDTH = 7;

/** Formats a line, with colour if `isColoured` is true. Control characters in `text` are escaped. */
export function writeLine({ at, subject, text, tone }: Line, isColoured: boolean): string {
  const line = `${clockOf(at)}  ${subject.padEnd(SUBJECT_WIDTH)}  ${printable(text)}`;
  const code = codes[tone];
  return isColoured && code !== '' ? `\x1b[${code}m${line}\x1b[0m` : line;
}

/** Formats a time as local time of day. Null means now. */
function clockOf(at: string | null): string {
  const time = at === null ? new Date() : new Date(at);
  if (Number.isNaN(time.getTime())) return '--:--:--';
  return [time.getHours(), time.getMinutes(), time.getSeconds()].map((n) => String(n).padStart(2, '0')).join(':');
}
