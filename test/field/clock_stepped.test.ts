import t from 'tap';
import type { LogEvent } from '../../src/model/event.ts';
import type { Track, TrackPoint } from '../../src/model/track.ts';
import { until } from '../support/basics/patience.ts';
import { fakeClock, noFakeClock } from '../support/daemon/fake_clock.ts';
import { allRows, fieldBox, radarConfig } from '../support/daemon/field_box.ts';
import { flySwarm, serialOf } from '../support/daemon/swarm.ts';
import { type Arrival, readStream } from '../support/http/stream_reader.ts';

const skip = noFakeClock();

const hourMs = 3_600_000;
const yearMs = 365.25 * 24 * hourMs;
/** An hour, a day, and years: a battery that is empty, a receiver of satellite time that rolls over. */
const stepsMs = [hourMs, -24 * hourMs, 10 * yearMs, -20 * yearMs];
const aircraft = 5;
/** Told of at first and then not any more: its age must go on from where it is. */
const silent = 40;
const config = `${radarConfig}
# Shorter than the smallest step, and longer than this test: who is lost or closed was aged by a step.
tracking: {coast_s: 1, lost_s: 600, close_s: 1200}
`;

function isSilent(track: Track): boolean {
  return track.identities.some(({ value }) => value === serialOf(silent));
}

/** Of what was told after the clock was stepped: what only a track that is thought to have aged would bring. */
function agedBy(events: readonly Arrival[]): string[] {
  return events
    .filter(({ kind }) => kind === 'track_new' || kind === 'track_state' || kind === 'track_removed')
    .map(({ kind, body }) => `${kind} ${body.id} ${body.state ?? body.reason ?? ''}`)
    .filter((what) => !what.endsWith('coasting') && !what.endsWith('confirmed'));
}

t.test('a wall clock that is set, forth or back, changes no age and is told of once', { skip }, async (t) => {
  const box = fieldBox(t, config);
  const clock = fakeClock(box.folder);
  const daemon = await box.spawn({ env: clock.env });
  const stream = await readStream(t, daemon.url);
  const swarm = flySwarm(t, await daemon.port('rows'), { count: aircraft, hz: 5, sensor: 'mast' });
  const gone = flySwarm(t, await daemon.port('rows'), { from: silent, count: 1, hz: 5, sensor: 'mast' });
  await until(async () => {
    const tracks = await daemon.get<Track[]>('/api/tracks');
    return tracks.filter(({ state }) => state === 'confirmed').length === aircraft + 1;
  }, 'six confirmed tracks');
  gone.stop();
  const ids = new Set((await daemon.get<Track[]>('/api/tracks')).map(({ id }) => id));

  let toldMs = 0;
  for (const stepMs of stepsMs) {
    const from = stream.events.length;
    toldMs += stepMs;
    const steppedMs = Date.now();
    clock.setMs(toldMs);
    const isStep = ({ kind, body }: Arrival): boolean => kind === 'log' && body.kind === 'clock.step';
    await stream.when(`the step of ${stepMs} ms`, () => stream.events.slice(from).some(isStep));
    const heardAt = stream.events.length;
    await stream.when('fifty updates after it', () => {
      return stream.events.slice(heardAt).filter(({ kind }) => kind === 'track_update').length >= 50;
    });
    const later = stream.events.slice(from);
    const step = later.filter(isStep);
    t.equal(step.length, 1, 'it is told of once');
    const told = /set by (-?[\d.]+) s; the ages of tracks and sensors did not change/.exec(
      String(step[0]?.body.text),
    )?.[1];
    t.ok(Math.abs(Number(told) * 1_000 - stepMs) < 2_000, `as a step of ${told} s`);
    t.same(agedBy(later), [], 'no track begins, is lost or ends');
    const perSecond = later.length / ((Date.now() - steppedMs) / 1_000);
    t.ok(perSecond < (aircraft + 1) * 4 + 10, `no burst: ${perSecond.toFixed(0)} events a second`);

    const tracks = await daemon.get<Track[]>('/api/tracks');
    t.same(new Set(tracks.map(({ id }) => id)), ids, 'the tracks are those from before');
    const away = tracks
      .filter((track) => !isSilent(track))
      .map(({ last_seen_at }) => Math.abs(Date.parse(last_seen_at) - (Date.now() + toldMs)));
    t.equal(away.length, aircraft);
    t.ok(Math.max(...away) < 5_000, `new times follow the new clock (within ${Math.max(...away)} ms)`);
    const last = later.at(-1);
    t.ok(Math.abs(Date.parse(last?.at ?? '') - (Date.now() + toldMs)) < 5_000, 'and so do those of events');
  }

  const tracks = await daemon.get<Track[]>('/api/tracks');
  t.match(tracks.filter(isSilent), [{ state: 'coasting' }], 'the silent one is as old as it is');
  const steps = await allRows<LogEvent>(daemon, '/api/events?kind=clock.step');
  t.equal(steps.length, stepsMs.length, 'the log has every step');
  const track = tracks.find(({ state }) => state === 'confirmed');
  const points = await allRows<TrackPoint>(daemon, `/api/tracks/${track?.id}/history`);
  const days = new Set(points.map(({ at }) => Math.round((Date.parse(at) - Date.now()) / hourMs)));
  const offsetsMs = [0, ...stepsMs.map((_, n) => stepsMs.slice(0, n + 1).reduce((sum, ms) => sum + ms, 0))];
  const clocks = new Set(offsetsMs.map((ms) => Math.round(ms / hourMs)));
  t.same(days, clocks, 'the history has the track under all five clocks');

  swarm.stop();
  t.equal(await daemon.end(), 0);
  t.same(
    daemon.lines.filter((line) => Number(line.level) >= 50).map((line) => line.msg),
    [],
  );
});

t.test(
  'a box that starts with an earlier clock than it stopped with lets old tracks go in time',
  { skip },
  async (t) => {
    const box = fieldBox(t, `${radarConfig}\ntracking: {coast_s: 1, lost_s: 2, close_s: 4}\n`);
    const clock = fakeClock(box.folder);
    const first = await box.spawn({ env: clock.env });
    const swarm = flySwarm(t, await first.port('rows'), { count: aircraft, hz: 5, sensor: 'mast' });
    await until(async () => (await first.get<Track[]>('/api/tracks')).length === aircraft, 'five tracks');
    swarm.stop();
    await first.end();

    clock.setMs(-24 * hourMs);
    const daemon = await box.spawn({ env: clock.env });
    const tracks = await daemon.get<Track[]>('/api/tracks');
    t.ok(
      tracks.every(({ state }) => state === 'lost'),
      `${tracks.length} tracks of the run before are shown as lost`,
    );
    await until(async () => (await daemon.get<Track[]>('/api/tracks')).length === 0, 'they are history');
    t.equal(await daemon.end(), 0);
  },
);
