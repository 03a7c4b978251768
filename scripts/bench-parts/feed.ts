import { Bursts } from '../../src/edge/feed/bursts.ts';
import { HeardBook } from '../../src/edge/feed/heard.ts';
import { LinkFeed } from '../../src/edge/feed/link_feed.ts';
import { RowFeed } from '../../src/edge/feed/row_feed.ts';
import { SensorBook } from '../../src/edge/feed/sensor_book.ts';
import { createMavlinkCodec } from '../../src/edge/wire/mavlink/codec.ts';
import { loadGeoid } from '../../src/geo/geoid.ts';
import { microsecondsEach } from './cpu_time.ts';
import type { Row } from './row.ts';
import { Senders } from './senders.ts';

const SENDERS = 500;
const PER_S = 2_000;
const FRAMES = 40_000;

/** From the bytes of LOCATION frames to observations: decoding, limits, clocks and who was heard. */
export async function benchFeed(): Promise<Row[]> {
  loadGeoid();
  const senders = new Senders(SENDERS);
  const frames = Array.from({ length: FRAMES }, (_, i) => senders.next(i % SENDERS).frame);
  const settings = { maxAgeS: 10, aheadS: 2, senderMsgsPerS: 200, maxSenders: 4_096 };
  const sensors = new SensorBook(
    (ms) => ms,
    () => Date.now(),
  );
  let made = 0;
  const rim = { settings, sensors, heard: new HeardBook(), sink: () => void made++ };
  let atMs = Date.now();
  const link = { id: 'bench', name: 'bench', maxMsgsPerS: 5_000, provesSender: false };
  const feed = new LinkFeed({ ...rim, link, rows: new RowFeed(rim), bursts: new Bursts() }, atMs);
  const codec = createMavlinkCodec({ datagrams: true });
  const each = microsecondsEach(FRAMES, () => {
    for (const frame of frames) {
      atMs += 1000 / PER_S;
      codec.decode(frame, '127.0.0.1:1', atMs, (message) => feed.take(message, '127.0.0.1:1', atMs));
    }
  });
  if (made !== 6 * FRAMES) throw new Error(`${made} observations were made of ${6 * FRAMES} frames`);
  return [{ name: 'LOCATION frames to observations', value: 1e6 / each, unit: 'a CPU second' }];
}
