import { createReadStream } from 'node:fs';
import { Fault, sentenceOf } from '../../model/fault.ts';
import { captureLines } from '../replay/capture_lines.ts';

/** Lines of a file of detections, or of what `input` brings where `path` is null; read a piece at a time. */
export async function* detectionLines(
  path: string | null,
  input: AsyncIterable<Buffer>,
  problem: (sentence: string) => void,
): AsyncGenerator<{ text: string; number: number }> {
  const chunks = path === null ? input : createReadStream(path, { highWaterMark: 65_536 });
  try {
    for await (const { bytes, number } of captureLines(chunks, problem)) yield { text: bytes.toString('utf8'), number };
  } catch (thrown) {
    if (!isSystemError(thrown)) throw thrown;
    throw new Fault('not_found', `cannot read ${path ?? 'standard input'}: ${sentenceOf(thrown)}`, { cause: thrown });
  }
}

function isSystemError(thrown: unknown): boolean {
  return thrown instanceof Error && 'syscall' in thrown;
}
