import fc from 'fast-check';
import t from 'tap';
import { nobodysWord, Watched } from '../../../src/core/assess/watched.ts';
import { ByTrack } from '../../../src/core/track_records.ts';
import { TrackRecord } from '../../../src/core/tracks/track_record.ts';
import { TRACK } from '../../../src/model/rows/layouts.ts';
import { ROW_WIDTH } from '../../../src/model/track_row.ts';
import { seedOf } from '../../support/basics/seed.ts';
import { sized } from '../../support/basics/size.ts';

t.test('the speed of a track is the length of its velocity, to the last bit', async (t) => {
  const watched = new Watched(new TrackRecord('track', 1, 0));
  const component = fc.oneof(fc.double({ min: -400, max: 400 }), fc.constant(0), fc.constant(-0), fc.double());
  fc.assert(
    fc.property(component, component, (east, north) => {
      fc.pre(Number.isFinite(east) && Number.isFinite(north));
      watched.eastMps = east;
      watched.northMps = north;
      return Object.is(watched.speedMps, Math.hypot(east, north));
    }),
    { seed: seedOf(t), numRuns: sized(20_000) },
  );
  watched.eastMps = Number.NaN;
  t.ok(Number.isNaN(watched.speedMps), 'that of what flies nobody knows how is not known');
});

t.test('tracks are told apart by all numbers that the tracker can count to', async (t) => {
  const number = fc.integer({ min: 0, max: 2 ** 32 - 1 });
  fc.assert(
    fc.property(fc.uniqueArray(number), number, (numbers, gone) => {
      const kept = new ByTrack<number>();
      for (const number of numbers) kept.set(number, number);
      kept.delete(gone);
      return numbers.every((number) => kept.get(number) === (number === gone ? undefined : number));
    }),
    { seed: seedOf(t), numRuns: sized(1_000) },
  );
  t.pass();
});

t.test('the existence of a track rises at once, and fades over seconds between two reports', async (t) => {
  const watched = new Watched(new TrackRecord('track', 1, 0));
  const after = (atS: number, confidence: number): number => {
    const row = new Float64Array(ROW_WIDTH);
    row[TRACK.updatedMs] = atS * 1_000;
    row[TRACK.confidence] = confidence;
    watched.take(row, 0);
    return watched.existence;
  };
  t.equal(after(100, 0.2), 0.2, 'the first is taken as it is');
  t.equal(after(101, 1), 1);
  t.match(after(103, 0), Math.exp(-2 / 5), '2 s after the report');
  t.equal(after(104, 0.9), 0.9, 'the next report');
  t.equal(after(103, 0), 0.9, 'a clock that runs back fades nothing');
  t.ok(after(130, 0.01) < 0.02, 'it is gone half a minute later');
  t.equal(after(131, Number.NaN), 1, 'a track without a probability exists');
});

t.test('rules hold a track with identities back until the first decision, at most 1 s, and never again', async (t) => {
  const record = new TrackRecord('track', 1, 0);
  record.identities.set('serial', {
    type: 'serial',
    value: '1581F5FKD2294D000001',
    transport: 'bt5',
    firstMs: 0,
    lastMs: 0,
  });
  const answered = new Watched(record);
  t.equal(answered.isHeldBack, false, 'not before the first evaluation');
  t.equal(answered.heldBackUntilMs(5_000), 6_000);
  t.equal(answered.isHeldBack, true);
  answered.receive(nobodysWord(1), 5_100);
  t.equal(answered.heldBackUntilMs(5_100), null);
  const silent = new Watched(record);
  silent.heldBackUntilMs(5_000);
  t.equal(silent.heldBackUntilMs(5_999), 6_000);
  t.equal(silent.heldBackUntilMs(6_000), null, 'the decision did not come');
  t.equal(silent.heldBackUntilMs(6_500), null);
  const restored = new Watched(record);
  restored.state = 'lost';
  t.equal(restored.heldBackUntilMs(5_000), null, 'no report since the restart');
  restored.state = 'confirmed';
  t.equal(restored.heldBackUntilMs(90_000), 91_000, 'held back from its first report');
  const nameless = new Watched(new TrackRecord('track', 2, 0));
  t.equal(nameless.heldBackUntilMs(5_000), null);
});
