import t from 'tap';
import {
  drawnTicks,
  marksOf,
  minuteOf,
  nextBusyMinute,
  ticksFrom,
  ticksIn,
  ticksOf,
  withEarlier,
} from '../../src/console/state/timeline.ts';
import { sampleAlert } from '../../src/http/openapi/alert_samples.ts';
import { systemActor } from '../../src/model/actor.ts';
import { type LogEvent, unattended } from '../../src/model/event.ts';

const ms = (clock: string): number => Date.parse(`2026-06-01T${clock}Z`);
const alertAt = (clock: string) => ({ ...sampleAlert, id: clock, raised_at: `2026-06-01T${clock}Z` });
const rowAt = (clock: string): LogEvent => ({
  ...unattended,
  ...{ id: clock, seq: 1, at: `2026-06-01T${clock}Z`, kind: 'track.new', severity: 'notice', text: 'a track' },
  subject: { type: 'track', id: 'T', label: 'T-0001' },
});
const ticks = ticksOf([alertAt('10:03:10')], [rowAt('10:01:59'), rowAt('10:03:59'), rowAt('10:04:00')]);

t.test('a minute has its alerts and log rows in the order of time, with their tracks', async (t) => {
  t.same(
    ticksIn(ticks, ms('10:03:00')).map(({ id, kind, trackId }) => [id, kind, trackId]),
    [
      ['10:03:10', 'alert', sampleAlert.track_ids[0]],
      ['10:03:59', 'log', 'T'],
    ],
  );
  t.equal(minuteOf(ms('10:03:59')), ms('10:03:00'));
});

t.test('an alert and its row in the log are one row', async (t) => {
  const track = { type: 'track', id: sampleAlert.track_ids[0] ?? '', label: 'T-0001' } as const;
  const raised = { ...rowAt('10:03:10'), id: 'raised', kind: 'alert.raised', subject: track };
  const rows = [raised, { ...raised, id: 'step', kind: 'alert.step' }, { ...raised, id: 'other', subject: null }];
  t.same(
    ticksOf([alertAt('10:03:10')], rows).map(({ id }) => id),
    ['raised', 'other'],
    'a step at the time of the alert is part of it',
  );
});

t.test('rows below the chosen severity are left out, and no alert that is worse', async (t) => {
  const rows = [rowAt('10:01:00'), { ...rowAt('10:02:00'), severity: 'info' as const }];
  const all = ticksOf([{ ...alertAt('10:03:00'), severity: 'critical' as const }], rows);
  t.same(
    (['info', 'notice', 'warning'] as const).map((least) => ticksFrom(all, least).length),
    [3, 2, 1],
  );
});

t.test('what a person did is never left out, and can be listed alone', async (t) => {
  const acted = {
    ...rowAt('10:01:30'),
    id: 'act',
    severity: 'info' as const,
    actor: { ...systemActor, type: 'open' as const, name: 'anna' },
  };
  const all = ticksOf([], [rowAt('10:01:00'), acted]);
  t.same(
    (['info', 'notice', 'warning', 'persons'] as const).map((least) => ticksFrom(all, least).map(({ id }) => id)),
    [['10:01:00', 'act'], ['10:01:00', 'act'], ['act'], ['act']],
  );
});

t.test('a busy half hour is drawn to its beginning, with the most severe tick of each 5 s', async (t) => {
  const every = Array.from({ length: 1_800 }, (_, s) => {
    const at = new Date(ms('10:00:00') + s * 1_000).toISOString();
    return { ...rowAt('10:00:00'), id: `${s}`, at, severity: s % 5 === 2 ? ('critical' as const) : ('info' as const) };
  });
  const drawn = drawnTicks(ticksOf([], every));
  t.equal(drawn.length, 360);
  t.ok(drawn.every(({ severity }) => severity === 'critical'));
  t.equal(drawn[0]?.at, '2026-06-01T10:00:02.000Z');
});

t.test('the arrow keys go from one minute with events to the next', async (t) => {
  const now = ms('10:06:30');
  t.equal(nextBusyMinute(ticks, null, -1, now), ms('10:04:00'));
  t.equal(nextBusyMinute(ticks, ms('10:03:00'), -1, now), ms('10:01:00'));
  t.equal(nextBusyMinute(ticks, ms('10:01:00'), -1, now), null);
  t.equal(nextBusyMinute(ticks, ms('10:01:00'), 1, now), ms('10:03:00'));
});

t.test('a row of the live world stands at the time of the played one, with its own time beside it', async (t) => {
  const live = { ...rowAt('21:00:00'), shownAt: '2026-06-01T10:03:30Z' };
  const played = { ...rowAt('10:03:20'), provenance: 'simulated' as const };
  t.same(
    ticksOf([], [live, played], 'sim').map(({ at, liveAt }) => [at, liveAt]),
    [
      ['2026-06-01T10:03:20Z', null],
      ['2026-06-01T10:03:30Z', '2026-06-01T21:00:00Z'],
    ],
  );
  t.match(ticksOf([], [live], 'live'), [{ at: live.at, liveAt: null }]);
});

t.test('a row that names a track leads to it, where the log knows the track', async (t) => {
  const alert = { ...rowAt('10:04:10'), kind: 'alert.raised', subject: null };
  const texts = ['T-0001 is inside Depot', 'T-0009 is inside Depot'];
  const found = ticksOf([], [rowAt('10:04:00'), ...texts.map((text) => ({ ...alert, id: text, text }))]);
  t.same(
    found.map(({ trackId, trackNumber }) => [trackId, trackNumber]),
    [
      ['T', 'T-0001'],
      ['T', 'T-0001'],
      [null, null],
    ],
  );
});

t.test('the strip shows every tenth minute of its half hour, and none at its ends', async (t) => {
  const clock = ({ atMs }: { atMs: number }): string => new Date(atMs).toISOString().slice(11, 16);
  t.same(marksOf(ms('10:35:00')).map(clock), ['10:30', '10:20', '10:10']);
  t.same(marksOf(ms('10:30:10')).map(clock), ['10:20', '10:10']);
  for (let second = 0; second < 600; second++)
    for (const { share } of marksOf(ms('10:30:00') + second * 1_000))
      if (share < 0 || share * 300 + 36 > 300) t.fail(`no room for a time at ${share} of 300 px`);
});

t.test('rows that were read from the log and also came on the stream are there once', async (t) => {
  const [first, second] = [rowAt('10:00:01'), rowAt('10:00:02')];
  t.same(
    withEarlier([second, first], [{ ...second, shownAt: second.at }]).map(({ id }) => id),
    [second.id, first.id],
  );
});
