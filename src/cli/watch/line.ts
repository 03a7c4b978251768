import { printable } from './printable.ts';

/** Weight of a line: colour on a terminal. */
export type Tone = 'plain' | 'dim' | 'good' | 'notice' | 'warning' | 'critical';

/** One line for a person: time, subject, and a sentence that may quote strangers. */
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

/** Writes a line: in colour on a terminal, plain in a pipe. Nothing of `text` reaches the terminal as a control. */
export function writeLine({ at, subject, text, tone }: Line, isColoured: boolean): string {
  const line = `${clockOf(at)}  ${subject.padEnd(SUBJECT_WIDTH)}  ${printable(text)}`;
  const code = codes[tone];
  return isColoured && code !== '' ? `\x1b[${code}m${line}\x1b[0m` : line;
}

/** Time of day at the reader's place. */
function clockOf(at: string | null): string {
  const time = at === null ? new Date() : new Date(at);
  if (Number.isNaN(time.getTime())) return '--:--:--';
  return [time.getHours(), time.getMinutes(), time.getSeconds()].map((n) => String(n).padStart(2, '0')).join(':');
}
