import t from 'tap';
import type { LogEvent } from '../../src/model/event.ts';
import type { Region } from '../../src/model/region.ts';
import type { Threat } from '../../src/model/threat.ts';
import { onlyInFull, takeTime } from '../support/basics/patience.ts';
import { placeAt } from '../support/basics/place.ts';
import { alertsPublished, inShort, must, nextAlert, zoneEvents } from '../support/daemon/alerts.ts';
import { type Daemon, until } from '../support/daemon/daemon.ts';
import { trackOf } from '../support/daemon/watch.ts';
import { begin, point, serial, site, zoned } from '../support/daemon/works.ts';
import type { StreamClient } from '../support/http/stream_client.ts';
import { hovering, straight } from '../support/sky/drones.ts';

onlyInFull(t);
takeTime(t, 120);

const insideOf = async (daemon: Daemon, trackId: string): Promise<string | undefined> => {
  const threats = await daemon.get<Threat[]>('/api/threats');
  return threats.find(({ track_id }) => track_id === trackId)?.factors.find(({ id }) => id === 'inside')?.text;
};

/** The transitions of a track and a zone, once there are so many. */
async function transitions(stream: StreamClient, trackId: string, zoneId: string, many: number): Promise<string[]> {
  const told = (): string[] => zoneEvents(stream, trackId, zoneId);
  return until(async () => (told().length >= many ? told() : null), `${many} things happen`).catch((thrown) => {
    throw new Error(`${(thrown as Error).message}; what happened is ${told()}`);
  });
}

t.test('a zone that is moved under a track that hovers is entered and left, and its alert is over', async (t) => {
  const { daemon, stream, drones } = await begin(t);
  const away = placeAt(site, 0, 2_000);
  const zone = await zoned(daemon, { geometry: point(away, 100), alarm: { on: ['approach', 'enter', 'exit'] } });
  drones.fly(serial, hovering(site));
  const { id } = await trackOf(daemon, serial, ({ state }) => state === 'confirmed');
  await must(daemon, `/api/zones/${zone.id}`, { geometry: point(site, 100) });
  t.same(await transitions(stream, id, zone.id, 1), ['enter'], 'it approached nothing');
  t.match(await until(() => insideOf(daemon, id), 'it counts'), /^It is in works, \d+ m from the edge\.$/);
  const alert = await nextAlert(stream, ({ rule_id }) => rule_id === 'zone_entry');
  await must(daemon, `/api/zones/${zone.id}`, { name: 'yard' });
  await must(daemon, `/api/zones/${zone.id}`, { geometry: point(away, 100) });
  t.same(await transitions(stream, id, zone.id, 2), ['enter', 'exit'], 'another name is nothing that happens');
  await nextAlert(stream, ({ id: of, state }) => of === alert.id && state === 'cleared');
  t.equal(await insideOf(daemon, id), undefined);
  const logged = await until(async () => {
    const rows = await Promise.all(
      ['enter', 'exit'].map((what) => daemon.get<LogEvent[]>(`/api/events?kind=zone.${what}`)),
    );
    return rows.every(({ length }) => length === 1) ? rows.flat() : null;
  }, 'the log tells of both');
  for (const { after, text } of logged) t.match(after, { zone_id: zone.id, because: 'zone' }, text);
  t.comment(logged.map(({ text }) => text).join(' '));
  t.equal(alertsPublished(stream, 'alert').length, 1, inShort(alertsPublished(stream, 'alert')).join('\n'));
  await must(daemon, `/api/zones/${zone.id}`, { geometry: point(site, 100) });
  await transitions(stream, id, zone.id, 3);
  await daemon.request(`/api/zones/${zone.id}`, { method: 'DELETE' });
  t.same(await transitions(stream, id, zone.id, 4), ['enter', 'exit', 'enter', 'exit']);
});

t.test('a zone above ground follows the ground of its region', async (t) => {
  const { daemon, stream, drones } = await begin(t);
  const region = await must<Region>(daemon, '/api/regions', {
    name: 'valley',
    geometry: point(site, 5_000),
    ground_alt_hae_m: 400,
  });
  const bounds = { floor_m: 0, ceiling_m: 120, datum: 'agl' };
  const zone = await zoned(daemon, { geometry: point(site, 300), ...bounds });
  const [high, told] = [serial, '1581F5FKD2294E000002'];
  const hover = hovering(site);
  drones.fly(high, (s) => {
    const { lat, lon } = hover(s);
    return { lat, lon, altHaeM: 560 };
  });
  // Of its height above ground alone anything is known.
  drones.fly(told, (s) => ({
    ...hover(s),
    lat: placeAt(site, 90, 100).lat,
    lon: placeAt(site, 90, 100).lon,
    heightM: 200,
  }));
  const of = await trackOf(daemon, high, ({ state }) => state === 'confirmed');
  const above = await trackOf(daemon, told, ({ state }) => state === 'confirmed');
  await until(async () => (await daemon.get<Threat[]>('/api/threats')).length === 2, 'both are listed');
  t.same(zoneEvents(stream, of.id, zone.id), [], 'at 160 m it is above');
  t.match(await insideOf(daemon, of.id), /^It is over works, 4\d m above its ceiling\.$/, 'and so says its score');
  t.equal(await insideOf(daemon, above.id), undefined, 'the other is far above');
  await must(daemon, `/api/regions/${region.id}`, { ground_alt_hae_m: 480 });
  t.same(await transitions(stream, of.id, zone.id, 1), ['enter'], 'at 80 m it is in');
  await until(async () => (await insideOf(daemon, of.id))?.startsWith('It is in works'), 'and so says its score');
  await must(daemon, `/api/regions/${region.id}`, { ground_alt_hae_m: 400 });
  t.same(await transitions(stream, of.id, zone.id, 2), ['enter', 'exit']);
  t.same(zoneEvents(stream, above.id, zone.id), [], 'who tells to be 200 m up is above it over any ground');
  t.equal(await insideOf(daemon, above.id), undefined);
});

t.test('what tells a height above ground alone is in a zone without a ceiling, and that is known', async (t) => {
  const { daemon, stream, drones } = await begin(t);
  const zone = await zoned(daemon, { geometry: point(site, 300) });
  const [low, high] = [serial, '1581F5FKD2294E000002'];
  drones.fly(low, hovering(site, 60)).fly(high, hovering(placeAt(site, 0, 100), 3_000));
  const [of, over] = [await trackOf(daemon, low), await trackOf(daemon, high)];
  await transitions(stream, of.id, zone.id, 1);
  t.match(await until(() => insideOf(daemon, of.id), 'it counts'), /m from the edge\.$/);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  t.same(zoneEvents(stream, over.id, zone.id), [], 'three kilometres over it is not in it');
  t.equal(await insideOf(daemon, over.id), undefined);
});

t.test('a zone across the antimeridian is approached, entered and left as any other', async (t) => {
  const { daemon, stream, drones } = await begin(t);
  const [west, east] = [179.999, -179.999];
  const ring = [
    [west, 10],
    [east, 10],
    [east, 10.002],
    [west, 10.002],
    [west, 10],
  ];
  const zone = await zoned(daemon, {
    geometry: { type: 'Polygon', coordinates: [ring] },
    alarm: { on: ['enter'], eta_s: 20, hysteresis_m: 10 },
  });
  const from = placeAt({ lat: 10.001, lon: 179.999 }, 270, 150);
  drones.fly(serial, straight(from, 90, 25));
  const { id } = await trackOf(daemon, serial);
  t.same(await transitions(stream, id, zone.id, 3), ['approach', 'enter', 'exit']);
  t.equal((await nextAlert(stream, ({ rule_id }) => rule_id === 'zone_entry')).zone_id, zone.id);
  const corridor = await zoned(daemon, {
    name: 'lane',
    geometry: {
      type: 'LineString',
      coordinates: [
        [179.99, 10.001],
        [-179.99, 10.001],
      ],
      width_m: 200,
    },
  });
  t.same(await transitions(stream, id, corridor.id, 1), ['enter'], 'a corridor that it flies in');
});
