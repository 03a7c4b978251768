import { Bursts } from '../../src/edge/feed/bursts.ts';
import { LinkFeed } from '../../src/edge/feed/link_feed.ts';
import { RowFeed } from '../../src/edge/feed/row_feed.ts';
import { SensorStatuses } from '../../src/edge/feed/sensor_statuses.ts';
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
  const sensors = new SensorStatuses(
    (ms) => ms,
    () => Date.now(),
  );
  const own = { receiver: '', modality: 'remote_id' } as const;
  sensors.beginLink({ id: 'bench', name: 'bench', silenceS: 30, own, isTrusted: false, isSerial: false });
  let made = 0;
  const deps = { settings, sensors, sink: () => void made++ };
  let atMs = Date.now();
  const link = { id: 'bench', name: 'bench', protocol: 'mavlink', maxMsgsPerS: 5_000, provesSender: false } as const;
  const feed = new LinkFeed({ ...deps, link, rows: new RowFeed(deps), bursts: new Bursts() }, atMs);
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
