import type { CaptureFrame } from './capture.ts';
import { captureLines } from './capture_lines.ts';

/** Reads frames from lines of `{"t": seconds, "hex": "…"}`. Any other line is reported with its number and left out. */
export async function* hexLineFrames(
  chunks: AsyncIterable<Buffer>,
  problem: (sentence: string) => void,
): AsyncGenerator<CaptureFrame> {
  for await (const line of captureLines(chunks, problem)) {
    if (line.text === '') continue;
    const frame = parseHexLine(line.text);
    if (typeof frame === 'string') problem(`line ${line.number} ${frame}`);
    else yield frame;
  }
}

/**
 * Returns the frame in a line. For a wrong line, returns the end of a sentence, such as `is not JSON`; the caller puts
 * the line number before it.
 */
export function parseHexLine(text: string): CaptureFrame | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'is not JSON';
  }
  if (typeof value !== 'object' || value === null) return 'is not a JSON object';
  const { t, hex } = value as { t?: unknown; hex?: unknown };
  if (typeof t !== 'number' || !Number.isFinite(t)) return 'has no field "t" with the time in seconds, a number';
  if (typeof hex !== 'string') return 'has no field "hex" with the bytes, a text';
  if (hex.length % 2 !== 0) return 'has an odd number of digits in "hex"';
  if (!/^[0-9a-f]*$/i.test(hex)) return 'has other characters than hexadecimal digits in "hex"';
  return { atMs: t * 1000, bytes: Buffer.from(hex, 'hex') };
}
