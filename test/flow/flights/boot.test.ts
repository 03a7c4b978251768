import t from 'tap';
import type { Track } from '../../../src/model/track.ts';
import { takeTime } from '../../support/basics/patience.ts';
import { metresBetween } from '../../support/basics/place.ts';
import { alertsPublished, must } from '../../support/daemon/alerts.ts';
import { until } from '../../support/daemon/daemon.ts';
import { begun, startFlights } from '../../support/daemon/flights.ts';
import { picture } from '../../support/daemon/watch.ts';
import { StreamClient } from '../../support/http/stream_client.ts';
import { ArduPlane } from '../../support/vehicles/arduplane.ts';

takeTime(t, 60);

t.test('a plane that boots without a fix does not take its track to 0, 0 and back', async (t) => {
  const rig = await startFlights(t);
  const plane = await begun(t, new ArduPlane({ groundStation: rig.groundStation, ready: true }));
  const { lat, lon } = plane.body;
  await must(rig.daemon, '/api/zones', {
    ...{ name: 'works', kind: 'protected' },
    geometry: { type: 'Point', coordinates: [lon, lat], radius_m: 400 },
  });
  const id = await rig.adopt(plane, 'Kite');
  const friend = async (): Promise<Track | undefined> =>
    (await picture(rig.daemon)).tracks.find(
      (track) => track.asset_id === id && track.affiliation_basis === 'telemetry',
    );
  const track = await until(async () => {
    const found = await friend();
    return found?.state === 'confirmed' ? found : null;
  }, 'its track is a friend');
  const stream = await StreamClient.open(t, rig.daemon);
  const alertsBefore = alertsPublished(stream, 'alert').length;
  plane.options.boot = { fixS: 10, homeS: 10.5, prearmS: 11, positionS: 11 };
  plane.reboot();
  await until(async () => plane.boots === 2 && plane.bootS > 2, 'it is up again');
  const blank = await rig.row((row) => row.asset_id === id && row.position === null, 'it has no place');
  t.match(blank, { connection: 'online' });
  await until(async () => plane.bootS > 11, 'it has a fix');
  await rig.row((row) => row.asset_id === id && row.position !== null, 'it has a place again', { withinMs: 3_000 });
  await until(async () => (await friend())?.state === 'confirmed', 'its track goes on');
  const places = stream.events.flatMap(({ event, data }) => {
    const { position } = data.body as Partial<Track>;
    return event.startsWith('track_') && position ? [metresBetween(position, plane.body)] : [];
  });
  t.ok(Math.max(...places) < 50, `a track was ${Math.max(...places)} m off`);
  t.equal((await friend())?.id, track.id, 'it is the same track');
  const held = stream.events.filter(({ data: { body } }) => body.id === track.id && body.affiliation === 'unknown');
  t.strictSame(held, [], 'a friend throughout: it speaks');
  t.equal(
    alertsPublished(stream, 'alert').length,
    alertsBefore,
    'nobody is called for a vehicle of ours on the ground',
  );
});
