const LF = 10;
const MAX_LINE_BYTES = 1_048_576;

/** A line of a file: the bytes including the line end, the trimmed text, and the line number from 1. */
type CaptureLine = { bytes: Buffer; text: string; number: number };

/** Splits a file into lines. A line longer than 1 MiB is reported and left out, without being kept in memory. */
export async function* captureLines(
  chunks: AsyncIterable<Buffer>,
  problem: (sentence: string) => void,
): AsyncGenerator<CaptureLine> {
  let parts: Buffer[] = [];
  let length = 0;
  let number = 1;
  const line = (): CaptureLine | null => {
    const bytes = length > MAX_LINE_BYTES ? null : Buffer.concat(parts);
    if (bytes === null) problem(`line ${number} was left out: it is longer than the limit of ${MAX_LINE_BYTES} bytes`);
    parts = [];
    length = 0;
    return bytes === null ? null : { bytes, text: bytes.toString('latin1').trim(), number };
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LF) + 1; end > 0; end = chunk.indexOf(LF, start) + 1) {
      parts.push(chunk.subarray(start, end));
      length += end - start;
      start = end;
      const whole = line();
      if (whole !== null) yield whole;
      number++;
    }
    length += chunk.length - start;
    if (length > MAX_LINE_BYTES) parts = [];
    else if (start < chunk.length) parts.push(chunk.subarray(start));
  }
  const rest = length === 0 ? null : line();
  if (rest !== null) yield rest;
}
