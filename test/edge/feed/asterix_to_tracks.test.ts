import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { Core } from '../../../src/core/core.ts';
import { Packer } from '../../../src/core/thread/pack.ts';
import { Bursts } from '../../../src/edge/feed/bursts.ts';
import { LinkFeed } from '../../../src/edge/feed/link_feed.ts';
import { RowFeed } from '../../../src/edge/feed/row_feed.ts';
import { SensorStatuses } from '../../../src/edge/feed/sensor_statuses.ts';
import { createAsterixCodec } from '../../../src/edge/wire/asterix/codec.ts';
import type { Observation } from '../../../src/model/observation.ts';
import { OBSERVED, TRACK } from '../../../src/model/rows/layouts.ts';
import { ROW_WIDTH, stateCodes, type TrackCard } from '../../../src/model/track_row.ts';
import { SensorIndex, sensorValue } from '../../../src/world/sensor_value.ts';
import { settings } from '../../support/core/core.ts';
import { needs } from '../../support/links/line_feeding.ts';

const data = fileURLToPath(new URL('../../../../../shared/interop/asterix.jsonl', import.meta.url));
const noonMs = Date.parse('2026-03-04T12:00:00Z');
const STEP_MS = 100;

type Shown = { card: TrackCard; state: string; latDeg: number; lonDeg: number };

/** A world of one ASTERIX link: bytes in, tracks out. */
class AsterixWorld {
  readonly shown = new Map<number, Shown>();
  #nowMs = noonMs;
  #waiting: Observation[] = [];
  #sequence = 0;
  readonly #index = new SensorIndex();
  readonly #packer = new Packer((id) => this.#index.of(id));
  readonly #core = new Core({ ...settings, confirmHits: 3 }, new Uint8Array(8).fill(7), 0);
  readonly #codec = createAsterixCodec({ datagrams: true });
  readonly #feed: LinkFeed;

  constructor() {
    const sensors = new SensorStatuses(
      (ms) => ms,
      () => this.#nowMs,
    );
    const base = {
      ...{ settings: { maxAgeS: 10, aheadS: 2, senderMsgsPerS: 200, maxSenders: 100 }, sensors },
      sink: (o: Observation) => void this.#waiting.push(o),
    };
    sensors.changed.add(() =>
      this.#core.setSensors(sensors.all().map((row) => sensorValue(row, this.#index.of(row.id)))),
    );
    const own = { receiver: '', modality: 'radar' } as const;
    sensors.beginLink({ id: 'l', name: 'l', silenceS: 30, own, isTrusted: false, isSerial: false });
    const link = { id: 'l', name: 'l', protocol: 'asterix', maxMsgsPerS: 5_000, provesSender: false } as const;
    this.#feed = new LinkFeed({ ...base, rows: new RowFeed(base), link, bursts: new Bursts() }, noonMs);
  }

  receive(bytes: Buffer, atMs: number): void {
    this.until(atMs);
    this.#codec.decode(bytes, 'a:1', atMs, (message) => this.#feed.take(message, 'a:1', atMs));
  }

  until(atMs: number): void {
    while (this.#nowMs + STEP_MS < atMs) this.#step(this.#nowMs + STEP_MS);
    this.#step(atMs);
  }

  #step(nowMs: number): void {
    this.#nowMs = nowMs;
    const rows = new Float64Array(this.#waiting.length * OBSERVED.width);
    for (const [i, one] of this.#waiting.entries()) this.#packer.pack(one, ++this.#sequence, rows, i * OBSERVED.width);
    this.#waiting = [];
    const output = this.#core.step({ rows, dossiers: this.#packer.takeDossiers() }, nowMs);
    for (const card of output.cards)
      this.shown.set(card.number, { state: '', latDeg: 0, lonDeg: 0, ...this.shown.get(card.number), card });
    for (let at = 0; at < output.rows.length; at += ROW_WIDTH) {
      const shown = this.shown.get(output.rows[at + TRACK.number] ?? 0);
      if (!shown) continue;
      shown.state = stateCodes[output.rows[at + TRACK.state] ?? -1] ?? '';
      shown.latDeg = output.rows[at + TRACK.latDeg] ?? 0;
      shown.lonDeg = output.rows[at + TRACK.lonDeg] ?? 0;
    }
    for (const { number } of output.removed) this.shown.delete(number);
  }
}

type Line = { id: string; t?: number; hex: string };

t.test('the interoperability data is two drones, a bird, a system track and an aircraft', needs(data), async (t) => {
  const lines = readFileSync(data, 'utf8').trim().split('\n');
  const timed = lines.map((line) => JSON.parse(line) as Line).filter(({ t: at }) => at !== undefined);
  timed.sort((a, b) => (a.t ?? 0) - (b.t ?? 0));
  const world = new AsterixWorld();
  for (const { hex, t: at = 0 } of timed) world.receive(Buffer.from(hex, 'hex'), noonMs + at * 1_000);
  world.until(noonMs + 30_500);
  const of = (value: string) =>
    [...world.shown.values()].filter(({ card }) => card.identities.some((identity) => identity.value === value));
  for (const number of ['204/17#11', '204/17#12', '204/50#4711', '4B5C6D'])
    t.equal(of(number).length, 1, `${number} is one track`);
  for (const number of ['204/17#11', '204/17#12']) t.match(of(number)[0]?.state, /confirmed|coasting/, number);
  const birds = [...world.shown.values()].filter(({ card }) => card.classification[0]?.type === 'bird');
  t.equal(birds.length, 1, 'the bird is one track');
  t.ok(
    [...world.shown.values()].every(({ card }) => card.integrity.verdict !== 'suspect'),
    'nothing is suspect',
  );
  t.equal(world.shown.size, 5);
});
