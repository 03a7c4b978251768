import { randomUUID } from 'node:crypto';
import t from 'tap';
import type { RawRow } from '../../../src/store/log/packed.ts';
import { packRow, unpackDetection, unpackTrack } from '../../../src/store/log/rows.ts';
import { noonMs } from '../../support/store/history_engine.ts';
import { detectionAt, detectionRow, trackAt } from '../../support/store/history_rows.ts';

/** What a query would answer for a packed detection. */
function asStored(packed: readonly unknown[]): RawRow {
  const [, receivedMs, ...values] = packed;
  return [receivedMs, 1, ...values] as RawRow;
}

t.test('a detection is the same after packing and unpacking, and its stored text is smaller', async (t) => {
  const detections = [
    detectionAt(noonMs),
    detectionAt(noonMs, { obs_id: 'a', link_id: randomUUID(), track_id: randomUUID(), confidence: 0.5 }),
    detectionAt(noonMs, {
      position: null,
      identity: null,
      rejected_by: 'duplicate',
      source_at: '2026-03-04T11:59:59Z',
    }),
  ];
  for (const detection of detections) {
    const packed = packRow('detection', detectionRow(detection));
    t.same(unpackDetection(asStored(packed)), detection);
    t.ok(String(packed.at(-1)).length < 0.8 * JSON.stringify(detection).length);
  }
});

t.test('a text that does not read is null, not an error', async (t) => {
  const packed = asStored(packRow('detection', detectionRow(detectionAt(noonMs))));
  t.equal(unpackDetection([...packed.slice(0, -1), '{"report":']), null);
  t.equal(unpackDetection([...packed.slice(0, -1), '{"report":"a later kind"}']), null);
  t.equal(unpackTrack(['[1]']), null);
  const track = trackAt(noonMs, randomUUID());
  t.same(unpackTrack([JSON.stringify(track)]), track);
});
