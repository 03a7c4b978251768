import t from 'tap';
import { blankObservation } from '../../../../src/edge/feed/blank.ts';
import { addErrors, fusedTrackOf } from '../../../../src/edge/feed/sapient/fused_track.ts';
import type { Reporter } from '../../../../src/edge/feed/sapient/observation.ts';
import type { DetectionReport } from '../../../../src/edge/wire/sapient/message.ts';
import { placeOf, ulid } from '../../../support/sapient/node.ts';

const reporter: Reporter = {
  ...{ nodeId: crypto.randomUUID(), sensorId: 'east', linkId: 'boxes', placement: null },
  mode: { tracks: true, zone: '', groundMps: 1, upMps: 1 },
  ...{ sentMs: 5_000, timeMs: 60_000, receivedMs: 60_100 },
};
const report = (object_info: DetectionReport['object_info']) =>
  ({ report_id: ulid(), object_id: ulid(), location: placeOf(47, 8, 600), object_info }) as DetectionReport;
const timeOf = (value: string): number | null => {
  const read = fusedTrackOf(report([{ type: 'age s', value }]), reporter);
  return 'why' in read ? null : read.timeMs;
};

t.test('the time of a track is that of its place: the age that the other box states is taken off', async (t) => {
  t.equal(timeOf('0.4'), 59_600);
  t.equal(timeOf('0.0'), 60_000);
  t.equal(timeOf('86400'), null, 'a place of long ago is none of the present');
  t.equal(timeOf('Infinity'), null);
  for (const text of ['-3', 'old', '', 'NaN']) t.equal(timeOf(text), 60_000, JSON.stringify(text));
});

t.test('a report is as new as the last detection, with the place of that time', async (t) => {
  const seen = (age: string, seenS: string) =>
    report([
      { type: 'age s', value: age },
      { type: 'seen s', value: seenS },
    ]);
  const flying = { enu_velocity: { east_rate: 10, north_rate: 0, up_rate: 2 } };
  const read = fusedTrackOf({ ...seen('0.5', '2.5'), ...flying }, reporter);
  if ('why' in read) throw new Error(`refused: ${read.why}`);
  t.equal(read.timeMs, 57_500);
  const eastM = ((read.lonDeg ?? 0) - 8) * 111_320 * Math.cos((47 * Math.PI) / 180);
  t.ok(Math.abs(eastM + 20) < 0.1, `${eastM} m`);
  t.ok(Math.abs((read.altHaeM ?? 0) - 596) < 0.01);
  t.match(fusedTrackOf(seen('0.5', '2.5'), reporter), { timeMs: 57_500, lonDeg: 8 }, 'without velocity it stays');
  t.match(fusedTrackOf(seen('0.5', '0.1'), reporter), { timeMs: 59_500 }, 'a detection is not newer than its place');
  t.match(fusedTrackOf(seen('0', '11'), reporter), { why: null }, 'nobody has seen it for too long');
});

t.test('a velocity without an error is as good as its place', async (t) => {
  const sdOf = (sigmaHM: number | null): number | null => {
    const read = { ...blankObservation('east', 'boxes', 0), sigmaHM };
    addErrors(read);
    return read.sigmaSpeedMps;
  };
  t.same([6, 0.5, 300, null].map(sdOf), [2, 1, 10, 10]);
});
