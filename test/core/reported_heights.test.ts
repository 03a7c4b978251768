import t from 'tap';
import { TrackRecord } from '../../src/core/tracks/track_record.ts';
import { TRACK } from '../../src/model/rows/layouts.ts';
import { CoreWitness } from '../support/core/core.ts';
import { positionAt, serial } from '../support/core/observation.ts';
import { builtinValue } from '../support/core/rule_facts.ts';
import { zoneOf } from '../support/core/zone_site.ts';

/** A reported height above ground that is over the ceiling of the zone, m. */
const OVER_M = 200;

/** A protected zone with a ceiling around a hovering aircraft, which a radar without heights reports once a second. */
class Hover {
  readonly core = new CoreWitness();

  constructor() {
    const geometry = { type: 'Point', coordinates: [8, 47], radius_m: 200 };
    const zone = zoneOf({ geometry, floor_m: 0, ceiling_m: 120 });
    const { assessor } = this.core.core;
    assessor.setSite({ plan: { zones: [zone], assets: [] }, listens: false, utcOffsetMs: 0 });
    assessor.rules.setRules([builtinValue('zone_entry')]);
  }

  /** Returns the seconds at which the zone raised its alarm; the aircraft reports its height where `says` is true. */
  alarms(seconds: number, says: (s: number) => boolean): number[] {
    const alarms: number[] = [];
    for (let s = 1; s <= seconds; s++) {
      const said = { sensorId: 'ear', identities: [serial('S-1')], altAglM: OVER_M };
      const claims = says(s) ? [positionAt(s * 1_000, 0, 0, said)] : [];
      const { assessment } = this.core.step(s * 1_000, ...claims, positionAt(s * 1_000, 0, 0, { sensorId: 'eye' }));
      if (assessment.firings.some(({ change }) => change === 'raised')) alarms.push(s);
    }
    return alarms;
  }

  get altAglM(): number {
    return this.core.rows.get(1)?.[TRACK.altAglM] ?? 0;
  }
}

t.test('a reported height counts no more once others have reported the track for long without it', async (t) => {
  const hover = new Hover();
  t.same(
    hover.alarms(20, (s) => s <= 10),
    [],
    'over the ceiling as long as the height is recent',
  );
  t.equal(hover.altAglM, OVER_M);
  const other = new Hover();
  const [alarmS = 0, ...more] = other.alarms(40, (s) => s <= 10);
  t.same(more, []);
  t.ok(alarmS > 20 && alarmS <= 25, `the height is unknown, so the track is in the zone: ${alarmS} s`);
  t.ok(Number.isNaN(other.altAglM), 'and published as unknown');
});

t.test('an aircraft that reports its height every 5 s keeps it, even if one of its reports is lost', async (t) => {
  const hover = new Hover();
  t.same(
    hover.alarms(60, (s) => s <= 2 || (s % 5 === 0 && s !== 30)),
    [],
  );
  t.equal(hover.altAglM, OVER_M);
});

t.test('a track that only its own rare reports move keeps its height between them', async (t) => {
  const core = new CoreWitness();
  const said = { identities: [serial('S-1')], altAglM: OVER_M };
  for (const s of [1, 2, 3]) core.step(s * 1_000, positionAt(s * 1_000, 0, 0, said));
  for (let s = 4; s < 24; s++) core.step(s * 1_000);
  t.equal(core.rows.get(1)?.[TRACK.altAglM], OVER_M);
  core.step(24_000, positionAt(24_000, 0, 0, { ...said, altAglM: null }));
  t.ok(Number.isNaN(core.rows.get(1)?.[TRACK.altAglM]), 'a report without a height does not renew an old one');
});

t.test('each reported height ages by itself', async (t) => {
  const record = new TrackRecord('track', 1, 0);
  record.heights(50, 200, 0);
  for (let s = 1; s <= 30; s++) {
    record.receive('ear', true, s * 1_000, null);
    record.heights(60, Number.NaN, s * 1_000);
  }
  t.match(record, { heightTakeoffM: 60, altAglM: Number.NaN });
});

t.test('a track loses the heights of a claim that turned out to be another aircraft', async (t) => {
  const record = new TrackRecord('track', 1, 0);
  record.heights(4_900, 5_000, 0);
  record.disown();
  t.match(record, { heightTakeoffM: Number.NaN, altAglM: Number.NaN });
});

/**
 * Plots of one aircraft at 20 m/s that turns east within a gap of 5 s. The plots after the gap begin a track, which then
 * gets the number of the first.
 */
function altitudesAcrossGap(first: number | null, second: number | null): { before: number; after: number } {
  const core = new CoreWitness();
  const plot = (s: number, altHaeM: number | null): void => {
    const [northM, eastM] = s <= 10 ? [20 * s, 0] : [200, 20 * (s - 10)];
    core.step(s * 1_000, positionAt(s * 1_000, northM, eastM, { sensorId: 'eye', altHaeM, sigmaVM: 5 }));
  };
  for (let s = 1; s <= 10; s++) plot(s, first);
  const before = core.column(1, 'altHaeM');
  for (let s = 11; s <= 15; s++) core.step(s * 1_000);
  for (let s = 16; s <= 30 && core.removed.length === 0; s++) plot(s, second);
  if (core.removed[0]?.reason !== 'merged') throw new Error(`not found again: ${JSON.stringify(core.removed)}`);
  return { before, after: core.column(1, 'altHaeM') };
}

t.test('a track that is found again by other plots has the altitude of these plots, not of those before', async (t) => {
  const flat = altitudesAcrossGap(600, null);
  t.ok(Math.abs(flat.before - 600) < 10, `${flat.before} m`);
  t.ok(Number.isNaN(flat.after), `the new plots have no height: ${flat.after} m`);
  const high = altitudesAcrossGap(null, 600);
  t.ok(Number.isNaN(high.before), `the first plots have no height: ${high.before} m`);
  t.ok(Math.abs(high.after - 600) < 10, `${high.after} m`);
});
