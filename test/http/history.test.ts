import t from 'tap';
import { sampleHistory, sampleTrack } from '../../src/http/openapi/samples.ts';
import type { TrackPoint } from '../../src/model/track.ts';
import { ask, startRig } from '../support/http/server.ts';

const [placed] = sampleHistory as [TrackPoint];
const heard: TrackPoint = { ...placed, lat: null, lon: null, alt_hae_m: null, alt_msl_m: null, alt_agl_m: null };
const path = `/api/tracks/${sampleTrack.id}/history`;

t.test('the query reaches the service in its own units', async (t) => {
  const rig = await startRig(t);
  await ask(
    `${rig.url}${path}?since=2025-06-01T12:00:00%2B02:00&until=2025-06-01T11:00:00Z&step_s=2.5&limit=7&cursor=c`,
  );
  t.same(rig.service.asked.history, [
    {
      trackId: sampleTrack.id,
      sinceMs: Date.UTC(2025, 5, 1, 10),
      untilMs: Date.UTC(2025, 5, 1, 11),
      stepS: 2.5,
      limit: 7,
      cursor: 'c',
    },
  ]);
  t.equal((await ask(`${rig.url}${path}?since=2025-06-02T00:00:00Z&until=2025-06-01T00:00:00Z`)).status, 400);
});

t.test('a page tells the cursor of the next, and the last page none', async (t) => {
  const rig = await startRig(t);
  rig.service.state.points = Array.from({ length: 450 }, (_, i) => ({ ...placed, lat: i / 10 }));
  const lats: unknown[] = [];
  let cursor: string | null = '0';
  while (cursor !== null) {
    const { body, headers } = await ask(`${rig.url}${path}?cursor=${cursor}`);
    lats.push(...(body.data as TrackPoint[]).map(({ lat }) => lat));
    cursor = headers.get('x-next-cursor');
  }
  t.same(
    lats,
    rig.service.state.points.map(({ lat }) => lat),
  );
  t.equal(rig.service.asked.history.length, 3, '200 a page');
});

t.test('a file without a limit is whole, up to ten thousand points', async (t) => {
  const rig = await startRig(t);
  rig.service.state.points = Array.from({ length: 2_500 }, () => placed);
  const whole = await ask(`${rig.url}${path}?format=csv`);
  t.equal(whole.text.trim().split('\r\n').length, 2_501);
  t.equal(whole.headers.get('x-next-cursor'), null);
  t.equal((await ask(`${rig.url}${path}?format=csv&limit=10`)).text.trim().split('\r\n').length, 11);
  rig.service.state.points = Array.from({ length: 10_500 }, () => placed);
  const cut = await ask(`${rig.url}${path}?format=csv`);
  t.equal(cut.text.trim().split('\r\n').length, 10_001);
  t.equal(cut.headers.get('x-next-cursor'), '10000');
});

t.test('GeoJSON puts the longitude first and leaves out what has no place', async (t) => {
  const rig = await startRig(t);
  rig.service.state.points = [placed, heard, { ...placed, alt_hae_m: null }];
  const { text, headers } = await ask(`${rig.url}${path}?format=geojson`);
  t.equal(headers.get('content-disposition'), 'attachment; filename="history-T-0042.geojson"');
  t.equal(headers.get('content-type'), 'application/geo+json');
  const { features } = JSON.parse(text);
  t.same(
    features.map((one: { geometry: { coordinates: number[] } }) => one.geometry.coordinates),
    [
      [16.3721, 48.2103, 265.4],
      [16.3721, 48.2103],
      [16.369, 48.208],
    ],
  );
  t.match(features[2].properties, { track_id: sampleTrack.id, role: 'pilot' });
  t.match(features[0].properties, { track_id: sampleTrack.id, at: placed.at, speed_mps: 8.5 });
});

t.test('KML has a time, a place and a height value for each point', async (t) => {
  const rig = await startRig(t);
  rig.service.state.points = [placed, heard, placed];
  const { text } = await ask(`${rig.url}${path}?format=kml`);
  t.equal(text.match(/<when>2025-06-01T12:00:00.000Z<\/when>/g)?.length, 2);
  t.equal(text.match(/<gx:coord>16.3721 48.2103 0<\/gx:coord>/g)?.length, 2);
  t.equal(text.match(/<gx:value>265.4<\/gx:value>/g)?.length, 2);
});

t.test('CSV has every point, with nothing where nothing is known', async (t) => {
  const rig = await startRig(t);
  rig.service.state.points = [heard];
  const { text } = await ask(`${rig.url}${path}?format=csv`);
  t.equal(
    text,
    'at,state,lat,lon,alt_hae_m,height_takeoff_m,speed_mps,course_deg,climb_mps,h_m,alt_msl_m,alt_agl_m,operator_id,operator_lat,operator_lon,takeoff_lat,takeoff_lon\r\n2025-06-01T12:00:00.000Z,confirmed,,,,80,8.5,312,0.5,9.2,,,,48.208,16.369,,\r\n',
  );
});

t.test('an unknown track, a wrong format and a wrong step are told of in the envelope', async (t) => {
  const rig = await startRig(t);
  t.equal((await ask(`${rig.url}${path.replace('0000001/', '0000002/')}?format=kml`)).body.code, 'not_found');
  t.match((await ask(`${rig.url}${path}?format=shp`)).body.error, /'format' must be one of json, geojson, kml, csv/);
  t.match((await ask(`${rig.url}${path}?step_s=0`)).body.error, /'step_s' must be at least 0.1/);
  t.match((await ask(`${rig.url}${path}?limit=1&limit=2`)).body.error, /more than once/);
  t.match((await ask(`${rig.url}${path}?limit=0x10`)).body.error, /'limit' must be a number/);
});
