import t from 'tap';
import { takeTime } from '../support/basics/patience.ts';
import { zoneEvents } from '../support/daemon/alerts.ts';
import { until } from '../support/daemon/daemon.ts';
import { trackOf } from '../support/daemon/watch.ts';
import { begin, point, serial, site, zoned } from '../support/daemon/works.ts';
import type { StreamClient } from '../support/http/stream_client.ts';
import { hovering } from '../support/sky/drones.ts';

takeTime(t, 120);

/** The transitions of a track and a zone, once there are so many. */
async function transitions(stream: StreamClient, trackId: string, zoneId: string, many: number): Promise<string[]> {
  const told = (): string[] => zoneEvents(stream, trackId, zoneId);
  return until(async () => (told().length >= many ? told() : null), `${many} things happen`).catch((thrown) => {
    throw new Error(`${(thrown as Error).message}; what happened is ${told()}`);
  });
}

const clock = (ms: number): string => new Date(ms).toISOString().slice(11, 16);
const everyDay = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

t.test('a zone begins and ends with its hours, at the minute', async (t) => {
  const { daemon, stream, drones } = await begin(t);
  drones.fly(serial, hovering(site));
  const { id } = await trackOf(daemon, serial, ({ state }) => state === 'confirmed');
  const leftMs = 60_000 - (Date.now() % 60_000);
  if (leftMs < 5_000) await new Promise((resolve) => setTimeout(resolve, leftMs + 500));
  const next = (Math.floor(Date.now() / 60_000) + 1) * 60_000;
  const hours = (from: number, to: number) => ({ from: clock(from), to: clock(to), days: everyDay, tz: 'UTC' });
  const alarm = { on: ['enter'], dwell_s: 3_600 };
  const comes = await zoned(daemon, {
    name: 'comes',
    geometry: point(site, 100),
    alarm,
    schedule: hours(next, next + 3_600_000),
  });
  const goes = await zoned(daemon, {
    name: 'goes',
    geometry: point(site, 100),
    alarm,
    schedule: hours(next - 3_600_000, next),
  });
  t.same(await transitions(stream, id, goes.id, 1), ['enter'], 'what holds already holds at once');
  t.same(zoneEvents(stream, id, comes.id), [], 'what does not hold yet is entered by nobody');
  await new Promise((resolve) => setTimeout(resolve, next - Date.now() - 200));
  t.same([zoneEvents(stream, id, goes.id), zoneEvents(stream, id, comes.id)], [['enter'], []]);
  await new Promise((resolve) => setTimeout(resolve, 200));
  t.same(await transitions(stream, id, comes.id, 1), ['enter']);
  t.ok(Date.now() - next < 2_000, `${Date.now() - next} ms after the minute`);
  t.same(await transitions(stream, id, goes.id, 2), ['enter', 'exit']);
});
