import { readSentence } from '../../edge/wire/nmea/sentence.ts';
import type { CaptureFrame } from './capture.ts';
import { captureLines } from './capture_lines.ts';

type TextFormat = 'sbs' | 'nmea' | 'lines';

/** Function that reads the time of a line, ms in the capture; null if the line has no time. */
type LineClock = (text: string) => number | null;

const DAY_MS = 86_400_000;

/**
 * Reads the lines of a text capture unchanged, except blank ones. A line without a time gets the time of the last line
 * that had one.
 */
export async function* textLineFrames(
  format: TextFormat,
  chunks: AsyncIterable<Buffer>,
  problem: (sentence: string) => void,
): AsyncGenerator<CaptureFrame> {
  const clock = clocks[format]();
  let atMs: number | null = null;
  for await (const { bytes, text } of captureLines(chunks, problem)) {
    if (text === '') continue;
    atMs = clock(text) ?? atMs;
    yield { atMs, bytes };
  }
}

const clocks: Readonly<Record<TextFormat, () => LineClock>> = {
  sbs: () => sbsTime,
  nmea: nmeaClock,
  lines: () => () => null,
};

const sbsForm = /^MSG(?:,[^,]*){5},(\d{4})\/(\d\d)\/(\d\d),(\d\d):(\d\d):(\d\d(?:\.\d+)?),/;
const stratuxForm = /^(\d{1,18}),[A-Z]+,/;

/**
 * Returns the time of a BaseStation line, ms: its date and time, or the nanoseconds that stratux writes before the
 * line.
 */
function sbsTime(text: string): number | null {
  const stratux = stratuxForm.exec(text);
  if (stratux !== null) return Number(stratux[1]) / 1e6;
  const made = sbsForm.exec(text);
  if (made === null) return null;
  const [year, month, day, hour, minute, second] = made.slice(1).map(Number);
  const midnightMs = Date.UTC(year ?? 0, (month ?? 1) - 1, day);
  return midnightMs + ((hour ?? 0) * 60 + (minute ?? 0)) * 60_000 + (second ?? 0) * 1000;
}

/**
 * Creates a clock that reads the time of day of RMC and GGA sentences with a valid checksum. At midnight the clock
 * continues with the next day.
 */
function nmeaClock(): LineClock {
  let lastMs = 0;
  return (text) => {
    const sentence = readSentence(Buffer.from(text, 'latin1'));
    if (typeof sentence === 'string' || !['RMC', 'GGA'].includes(sentence.type)) return null;
    const time = /^(\d\d)(\d\d)(\d\d(?:\.\d+)?)$/.exec(sentence.fields[0] ?? '');
    if (time === null) return null;
    const ofDayMs = (Number(time[1]) * 60 + Number(time[2])) * 60_000 + Number(time[3]) * 1000;
    const day = Math.floor(lastMs / DAY_MS);
    lastMs = (ofDayMs < (lastMs % DAY_MS) - DAY_MS / 2 ? day + 1 : day) * DAY_MS + ofDayMs;
    return lastMs;
  };
}
