import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { folderOf } from '../support/basics/folder.ts';
import { onlyInFull } from '../support/basics/patience.ts';
import { metresBetween } from '../support/basics/place.ts';
import { startDaemon, until } from '../support/daemon/daemon.ts';
import { dunlin, sample, samplesMissing } from '../support/daemon/dunlin.ts';
import { detections, detectionsOf, linkOf, pilotOf, sensorOf, trackOf, tracksOf } from '../support/daemon/watch.ts';

onlyInFull(t);

/** Facts of each capture were counted apart from this project's code: with grep, and from the messages' published layout. */
const protocols = {
  esp: 'odid_json',
  sbs: 'sbs',
  stratux: 'sbs',
  ublox: 'nmea',
  garmin: 'nmea',
  fuzzy: 'nmea',
  flown: 'mavlink',
  bench: 'mavlink',
  sitl: 'mavlink',
  px4: 'mavlink',
} as const;

const dir = folderOf(t, { data: {} });
const config = join(dir, 'replay.yaml');
// A capture played a hundred times as fast says a hundred times as much a second.
writeFileSync(config, 'feeds: { sender_msgs_per_s: 50000 }\n');
const links = Object.entries(protocols).flatMap(([name, protocol]) => [
  '--link',
  `name=${name},transport=tcp_server,address=127.0.0.1:0,protocol=${protocol},max_msgs_per_s=100000`,
]);
const options = { skip: samplesMissing };
const daemon = samplesMissing
  ? null
  : await startDaemon(t, { dataDir: join(dir, 'data'), args: ['--config', config, ...links] });

/** Plays a capture to the link of that name; resolves when the daemon has heard all of it. */
async function play(t: Test, name: keyof typeof protocols, file: string, rate: string, messages: number) {
  if (!daemon) throw new Error('no daemon');
  const to = `tcp://127.0.0.1:${await daemon.port(name)}`;
  const { code, err } = await dunlin(t, 'replay', sample(file), '--rate', rate, '--to', to);
  t.equal(code, 0, err);
  const link = await until(async () => {
    const row = await linkOf(daemon, name);
    return row.rx_msgs >= messages ? row : null;
  }, `${messages} messages of ${file} are in`);
  t.equal(link.rx_msgs, messages);
  return { daemon, link };
}

t.test('lines of an ESP32 receiver', options, async (t) => {
  const { daemon, link } = await play(t, 'esp', 'esp32_json/mesh_detect_derived_from_anafi4.txt', '100', 1141);
  t.match(link.rejects, { unknown_type: 0, malformed: 0, rate: 0 }, 'its status line is a sign of life');
  const track = await trackOf(daemon, '1588E040445AC004418');
  t.equal(track.identities.length, 2);
  t.match(track.integrity, { verdict: 'unchecked', score: 0.5, reasons: [] });
  t.ok(metresBetween(pilotOf(track), { lat: 47.198608, lon: 8.730227 }) < 0.2);
  const heard = await detectionsOf(daemon, `track_id=${track.id}`, 100);
  t.ok(
    heard.length <= 104,
    `${heard.length} of 1140 lines say something new: 100 do, and each is said again after a second`,
  );
  t.match(heard[0], { position: { lat: 47.198709, lon: 8.730183, alt_hae_m: null }, signal: { rssi_dbm: -43 } });
});

t.test('BaseStation lines of an airliner', options, async (t) => {
  const { daemon, link } = await play(t, 'sbs', 'adsb/readsb_sbs_basestation.txt', '40', 2000);
  t.ok(Object.values(link.rejects).every((n) => n === 0));
  const track = await trackOf(daemon, '406B90');
  t.same(track.identities.map(({ value }) => value).sort(), ['406B90', 'EZY85MH']);
  t.ok(Math.abs((track.position?.alt_msl_m ?? 0) - 36_000 * 0.3048) < 30);
  const sensor = await sensorOf(daemon, 'sbs');
  const placed = async () => (await allDetections(sensor.id)).filter(({ position }) => position);
  const rows = await until(
    async () => ((await placed()).length >= 929 ? await placed() : null),
    'all positions are kept',
  );
  t.equal(rows.length, 929);
  t.match(rows[0]?.position, { lat: 51.700031, lon: 4.773407 });
  const speed = rows[0]?.velocity?.speed_mps ?? 0;
  t.ok(Math.abs(speed - (489 * 1852) / 3600) < 0.01);
});

t.test('lines of a receiver that heard nine aircraft and no position', options, async (t) => {
  const { daemon, link } = await play(t, 'stratux', 'adsb/stratux_es_20150907.log', 'max', 1060);
  t.equal(link.rejects.unknown_type, 1, 'the line that says when it began');
  const sensor = await sensorOf(daemon, 'stratux');
  const heard = await detectionsOf(daemon, `sensor_id=${sensor.id}`, 9);
  t.equal(new Set(heard.map(({ identity }) => identity?.[0]?.value)).size, 9);
  t.ok(
    heard.every(({ position }) => position === null),
    'none is placed',
  );
});

t.test('logs of navigation receivers place the box', options, async (t) => {
  const { daemon } = await play(t, 'ublox', 'nmea/ublox-zed-f9p-nmea.log', 'max', 1015);
  const moved = await sensorOf(daemon, 'ublox own position');
  t.ok(
    metresBetween({ lat: -(45 + 52.65393 / 60), lon: 170 + 30.0067 / 60 }, moved.placement ?? { lat: 0, lon: 0 }) < 0.1,
  );
  t.equal(moved.placement?.alt_hae_m, 16.6, '14.8 m above the geoid, which is 1.8 m up');
  await play(t, 'fuzzy', 'nmea/nmea-fuzzy-cases.log', 'max', 28);
  const fuzzy = await sensorOf(daemon, 'fuzzy own position');
  t.ok(metresBetween({ lat: 41.57503, lon: -93.750598 }, fuzzy.placement ?? { lat: 0, lon: 0 }) < 1);
  t.ok(Math.abs((fuzzy.placement?.alt_hae_m ?? 0) - (280.833 - 31.442)) < 0.001);
  await play(t, 'garmin', 'nmea/garmin-geko201.log', 'max', 212);
  t.equal((await sensorOf(daemon, 'garmin own position')).placement, null, 'a simulated fix is none');
  for (const { id } of [moved, fuzzy]) t.equal((await detections(daemon, `sensor_id=${id}`)).length, 0);
});

t.test('telemetry logs: a flight, a simulation, a stream without times, a bench', options, async (t) => {
  const flown = await play(t, 'flown', 'mavlink/derived_from_log171.tlog', '100', 2284);
  // Two of 1038 held within 20 ms of the one before them.
  await wantFlight('flown', flown.link.id, {
    fixes: 1036,
    end: { lat: -35.3622797, lon: 149.1659262 },
    altMslM: 590.14,
  });
  const sitl = await play(t, 'sitl', 'mavlink/sitl_arducopter_455_commands_acks.tlog', '100', 10277);
  // Of 268 the first 76 came before its EKF had a horizontal position.
  await wantFlight('sitl', sitl.link.id, { fixes: 192, end: { lat: -35.3630142, lon: 149.1653905 }, altMslM: 647.14 });
  const px4 = await play(t, 'px4', 'mavlink/px4_v2_3412_packets.bin', 'max', 3398);
  // Of 505 in ten seconds every seventh: 140 ms apart.
  await wantFlight('px4', px4.link.id, { fixes: 73, end: { lat: 37.8328352, lon: -122.512581 }, altMslM: 25.209 });

  // 2227 frames, and two more in the noise of the radio before the first of them.
  const bench = await play(t, 'bench', 'mavlink/hw_pixhawk6x_copter457_radio.tlog', 'max', 2229);
  t.equal(
    (await tracksOf(bench.daemon, `mavlink:${bench.link.id}:1:1`)).length,
    0,
    '37 positions without a fix are none',
  );
  t.match(await sensorOf(bench.daemon, 'bench 1/1'), { modality: 'telemetry', last_obs_at: null });

  async function wantFlight(
    name: string,
    linkId: string,
    want: { fixes: number; end: { lat: number; lon: number }; altMslM: number },
  ): Promise<void> {
    const track = await trackOf(flown.daemon, `mavlink:${linkId}:1:1`);
    const sensor = await sensorOf(flown.daemon, `${name} 1/1`);
    const rows = await until(async () => {
      const found = await allDetections(sensor.id);
      return found.length >= want.fixes ? found : null;
    }, `${want.fixes} positions of ${name} are kept`);
    t.equal(rows.length, want.fixes, name);
    t.ok(
      rows.every(({ track_id }) => track_id === track.id),
      'of one track',
    );
    t.match(rows[0]?.position, want.end);
    t.ok(Math.abs((rows[0]?.position?.alt_msl_m ?? 0) - want.altMslM) < 0.001);
  }
});

/** Every detection of a sensor, the newest first, page by page. */
async function allDetections(sensorId: string): Promise<Awaited<ReturnType<typeof detections>>> {
  if (!daemon) return [];
  const rows = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await daemon.request(
      `/api/detections?limit=1000&sensor_id=${sensorId}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    rows.push(...(page.body.data as Awaited<ReturnType<typeof detections>>));
    cursor = page.headers.get('x-next-cursor');
  }
  return rows;
}
