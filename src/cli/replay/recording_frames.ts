import { invalidInput } from '../../model/fault.ts';
import { RecordCutter } from '../../recording/cutter.ts';
import { RecordDecoder } from '../../recording/decoder.ts';
import { segmentMagic } from '../../recording/format.ts';
import type { RecordingRecord } from '../../recording/records.ts';
import { decodeAll } from '../../recording/segment_file.ts';
import type { CaptureFrame } from './capture.ts';

export function isRecording(head: Buffer): boolean {
  return head.subarray(0, segmentMagic.length).equals(segmentMagic);
}

/**
 * Reads the bytes of one link from a recording. If the recording has several links, `wanted` must be the name or id of
 * one of them: their mixed bytes would be a stream that no receiver ever sent.
 */
export async function* recordingFrames(
  chunks: AsyncIterable<Buffer>,
  wanted: string | undefined,
  problem: (sentence: string) => void,
): AsyncGenerator<CaptureFrame> {
  const cutter = new RecordCutter();
  const decoder = new RecordDecoder();
  const names = new Map<string, string>();
  let isChecked = false;
  for await (const chunk of chunks) {
    cutter.push(chunk);
    for (const decoded of decodeAll(cutter, decoder)) {
      if (decoded.what === 'damage') problem(`${decoded.sentence}; the bytes up to the next segment were left out`);
      if (decoded.what !== 'record') continue;
      const { record } = decoded;
      noteNames(record, names);
      if (record.kind !== 'bytes') continue;
      if (!isChecked) checkLink(names, wanted);
      isChecked = true;
      if (wanted === undefined || names.get(record.linkId) === wanted || record.linkId === wanted)
        yield { atMs: record.atMs, bytes: record.bytes };
    }
  }
  if (!isChecked) checkLink(names, wanted);
}

function noteNames(record: RecordingRecord, names: Map<string, string>): void {
  if (record.kind !== 'registry' || record.table !== 'links' || record.op === 'remove') return;
  for (const { id, spec } of record.rows) names.set(id, String((spec as { name?: unknown } | undefined)?.name ?? id));
}

function checkLink(names: ReadonlyMap<string, string>, wanted: string | undefined): void {
  const all = [...names.values()];
  const list = all.slice(0, 20).join(', ');
  if (wanted === undefined && all.length > 1)
    throw invalidInput(`the recording has ${all.length} links: name the link to play with --link (${list})`);
  if (wanted !== undefined && !all.includes(wanted) && !names.has(wanted))
    throw invalidInput(`the recording has no link called ${wanted}${list === '' ? '' : `; its links are ${list}`}`);
}
