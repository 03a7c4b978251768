import t from 'tap';
import { Bursts } from '../../../src/edge/feed/bursts.ts';
import { LinkFeed } from '../../../src/edge/feed/link_feed.ts';
import { RowFeed } from '../../../src/edge/feed/row_feed.ts';
import { SensorStatuses } from '../../../src/edge/feed/sensor_statuses.ts';
import { createReadsbJsonCodec } from '../../../src/edge/wire/readsb_json/codec.ts';
import type { Rejection } from '../../../src/model/detection.ts';

const beginMs = Date.parse('2026-05-01T10:00:00Z');

/** A link to a receiver of ADS-B; `take` returns the age that the position of a line gets, ms, and its refusal. */
function openLink() {
  let taken: { ageMs: number; why: Rejection | null } | null = null;
  const sensors = new SensorStatuses(
    (ms) => ms,
    () => beginMs,
  );
  const base = {
    settings: { maxAgeS: 10, aheadS: 2, senderMsgsPerS: 50, maxSenders: 100 },
    ...{ sensors, alerted: () => {} },
    sink: ({ receivedMs, timeMs }: { receivedMs: number; timeMs: number }, why: Rejection | null): void => {
      taken = { ageMs: receivedMs - timeMs, why };
    },
  };
  const own = { receiver: '', modality: 'adsb' } as const;
  sensors.beginLink({ id: 'air', name: 'air', silenceS: 30, own, isTrusted: false, isSerial: false });
  const link = { id: 'air', name: 'air', protocol: 'readsb_json', maxMsgsPerS: 5_000, provesSender: false } as const;
  const feed = new LinkFeed({ ...base, rows: new RowFeed(base), link, bursts: new Bursts() }, beginMs);
  const codec = createReadsbJsonCodec();
  const take = (second: number, seenS: number, clockS = 0) => {
    const atMs = beginMs + second * 1_000 + 100;
    const now = beginMs / 1_000 + second + clockS;
    const line = JSON.stringify({ now, hex: '4b5c6d', lat: 47.21, lon: 8.7, seen_pos: seenS });
    codec.decode(Buffer.from(`${line}\n`), '', atMs, (message) => feed.take(message, '', atMs));
    return taken;
  };
  return { take };
}

t.test('a position that is repeated is as old as it is, also of the only aircraft and by any clock', async (t) => {
  for (const clockS of [0, 3_600, -86_400]) {
    const { take } = openLink();
    for (let s = 0; s < 20; s++) t.ok((take(s, 0.5, clockS)?.ageMs ?? 0) <= 700);
    for (let s = 20; s < 80; s++) {
      const seenS = s - 19;
      const taken = take(s, seenS, clockS);
      t.ok(Math.abs((taken?.ageMs ?? 0) - seenS * 1_000) <= 200, `${taken?.ageMs} ms for a position of ${seenS} s ago`);
      if (seenS !== 10) t.equal(taken?.why, seenS < 10 ? null : 'too_old');
    }
    t.equal(take(80, 0.5, clockS)?.why, null, 'a new position counts');
  }
});

t.test('a receiver whose clock has stopped does not date its positions, but their age counts', async (t) => {
  const { take } = openLink();
  for (let s = 0; s < 20; s++) take(s, 0.5);
  let last = take(20, 0.5);
  for (let s = 21; s < 60; s++) last = take(s, 3, 20 - s);
  t.match(last, { ageMs: 3_000, why: null });
});
