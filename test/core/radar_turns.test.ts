import t from 'tap';
import { Core } from '../../src/core/core.ts';
import { Packer } from '../../src/core/thread/pack.ts';
import { blankObservation } from '../../src/edge/feed/blank.ts';
import type { Observation } from '../../src/model/observation.ts';
import { OBSERVED } from '../../src/model/rows/layouts.ts';
import type { TrackCard } from '../../src/model/track_row.ts';
import { settings } from '../support/core/core.ts';
import { serial } from '../support/core/observation.ts';

const RADAR = '00000000-0000-8000-8000-00000000000a';
const EAR = '00000000-0000-8000-8000-00000000000b';
const place = { latDeg: 47, lonDeg: 8, altHaeM: 500 };
const TURN_S = 2;

/** A rotating radar with a known reach and a Remote ID receiver, fed with observations as feeds make them. */
class Site {
  readonly cards = new Map<number, TrackCard>();
  readonly #core = new Core({ ...settings, origin: place }, new Uint8Array(8).fill(7), 0);
  readonly #packer = new Packer((id) => [RADAR, EAR].indexOf(id));
  #sequence = 0;

  constructor() {
    const seeing = {
      ...{ ranges: true, covers: true, detection: 0.9, clutterPerScan: 1, rangeM: [0, 10_000] as const },
      ...{ azimuthDeg: 0, azimuthWidthDeg: 360, elevationDeg: [-5, 90] as const, periodS: TURN_S, rotating: true },
      ...{ clutterRangeM: null, clutterElevationDeg: null },
    };
    this.#core.setSensors([
      { index: 0, id: RADAR, cooperative: false, placement: place, seeing },
      { index: 1, id: EAR, cooperative: true, placement: null, seeing: null },
    ]);
  }

  step(nowMs: number, ...observations: Observation[]): void {
    const rows = new Float64Array(observations.length * OBSERVED.width);
    for (const [i, one] of observations.entries()) this.#packer.pack(one, ++this.#sequence, rows, i * OBSERVED.width);
    const output = this.#core.step({ rows, dossiers: this.#packer.takeDossiers() }, nowMs);
    for (const card of output.cards) this.cards.set(card.number, card);
    for (const { number } of output.removed) this.cards.delete(number);
  }
}

const north = (atMs: number, scan: number): Observation => ({
  ...blankObservation(RADAR, 'l', atMs),
  use: 'scan',
  scan,
});
const plot = (atMs: number, scan: number, more: Partial<Observation>): Observation => ({
  ...blankObservation(RADAR, 'l', atMs),
  ...{ report: 'range_bearing', scan, sigmaRangeM: 10, sigmaAzimuthDeg: 0.3, sigmaElevationDeg: 0.5 },
  ...more,
});
/** A claim 2 km north of the radar, 100 m above it. */
const claim = (atMs: number): Observation => ({
  ...blankObservation(EAR, 'r', atMs),
  ...{ report: 'position', latDeg: 47 + 2_000 / 111_194, lonDeg: 8, altHaeM: 600, sigmaHM: 5, sigmaVM: 5 },
  identities: [serial('S-1')],
});
const atClaim = { azimuthDeg: 0, rangeM: 2_002, elevationDeg: 2.86 };

t.test('turns that saw nothing count against a claim, and turns that saw it bear it out', async (t) => {
  const [empty, seen] = [new Site(), new Site()];
  for (let s = 0; s < 60; s++) {
    const [atMs, scan] = [s * 1_000, Math.floor(s / TURN_S)];
    const turn = s % TURN_S === 0 ? [north(atMs, scan)] : [];
    empty.step(atMs, ...turn, claim(atMs));
    seen.step(atMs, ...turn, claim(atMs), ...(s % TURN_S === 0 ? [plot(atMs, scan, atClaim)] : []));
    empty.step(atMs + 500);
    seen.step(atMs + 500);
  }
  t.match([...empty.cards.values()], [{ integrity: { verdict: 'suspect', reasons: [{ id: 'not_seen_by_sensor' }] } }]);
  t.match([...seen.cards.values()], [{ integrity: { verdict: 'consistent' }, cooperative: 'both' }]);
});

t.test('number and class of a plot come to its track, whenever its scan closes', async (t) => {
  const site = new Site();
  const identities = [{ type: 'external', value: '1/2#7', transport: 'network' }] as const;
  for (let s = 0; s < 12; s++) {
    const atMs = s * 1_000;
    const drone = { ...atClaim, azimuthDeg: 90, identities: [...identities] };
    const bird = { ...atClaim, azimuthDeg: 180, classification: [{ type: 'bird', confidence: 0.8 } as const] };
    site.step(atMs, north(atMs, s), plot(atMs, s, drone), plot(atMs, s, bird));
    site.step(atMs + 500);
  }
  const cards = [...site.cards.values()];
  t.equal(cards.length, 2);
  t.match(
    cards.find(({ identities: found }) => found.length > 0),
    { identities: [{ value: '1/2#7' }], classification: [], cooperative: 'non_coop_only' },
  );
  t.match(
    cards.find(({ classification }) => classification.length > 0),
    { classification: [{ type: 'bird' }], identities: [] },
  );
});

t.test('a plot does not change the class that the aircraft itself reports', async (t) => {
  const site = new Site();
  const own = [{ type: 'multirotor', confidence: 0.6 } as const];
  for (let s = 0; s < 20; s++) {
    const atMs = s * 1_000;
    const bird = { ...atClaim, classification: [{ type: 'bird', confidence: 0.8 } as const] };
    site.step(atMs, north(atMs, s), { ...claim(atMs), classification: own }, plot(atMs, s, bird));
    site.step(atMs + 500);
  }
  t.match([...site.cards.values()], [{ classification: [{ type: 'multirotor' }], cooperative: 'both' }]);
});
