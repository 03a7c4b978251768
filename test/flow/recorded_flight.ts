import type { Test } from 'tap';
import type { Alert } from '../../src/model/alert.ts';
import type { Recording } from '../../src/model/recording.ts';
import type { Track } from '../../src/model/track.ts';
import { must } from '../support/daemon/alerts.ts';
import { type Daemon, startDaemon } from '../support/daemon/daemon.ts';
import { spawnDaemon } from '../support/daemon/daemon_process.ts';
import { rowOf, serialOf } from '../support/daemon/swarm.ts';
import { paced, type Send, udpSender } from '../support/links/senders.ts';
import { Aircraft, MavlinkReceiver } from '../support/sky/aircraft.ts';

const protocols = { rid: 'mavlink', adsb: 'sbs', net: 'obs_json' };
export const threeLinks = Object.entries(protocols).flatMap(([name, protocol]) => [
  '--link',
  `name=${name},transport=udp,address=127.0.0.1:0,protocol=${protocol}`,
]);

const corners = [
  [8.48, 47.4],
  [8.51, 47.4],
  [8.51, 47.43],
  [8.48, 47.43],
  [8.48, 47.4],
];
const apron = {
  ...{ name: 'apron', kind: 'protected', ceiling_m: 3_000 },
  geometry: { type: 'Polygon', coordinates: [corners] },
};
const intruder = new Aircraft({
  ...{ mac: '60:60:1F:00:00:01', serial: '1581F5FKD2294F000009', from: { lat: 47.41, lon: 8.49 } },
  heights: { altBaroM: null, altGeoM: 620, heightM: 100, heightRef: 0 },
});

export function squawk(second: number): string {
  const at = new Date().toISOString();
  const [day, time] = [at.slice(0, 10).replaceAll('-', '/'), at.slice(11, 23)];
  const when = `${day},${time},${day},${time}`;
  const lat = (47.5 + second * 0.0006).toFixed(5);
  return `MSG,3,1,1,4B1A2C,1,${when},,3500,,,${lat},8.70000,,,0,0,0,0\r\nMSG,4,1,1,4B1A2C,1,${when},,,130,0,,,0,,,,,\r\n`;
}

export type Heavens = { send: Record<'rid' | 'adsb' | 'net', Send>; receiver: MavlinkReceiver };

/** Senders to the three links of a daemon. */
export async function heavens(t: Test, daemon: Daemon): Promise<Heavens> {
  const to = async (link: string): Promise<Send> => udpSender(t, await daemon.port(link));
  const send = { rid: await to('rid'), adsb: await to('adsb'), net: await to('net') };
  return { send, receiver: new MavlinkReceiver() };
}

const own = (daemon: Daemon, name: string, aircraft: number): Promise<unknown> =>
  must(daemon, '/api/assets', { name, spec: { remote_id_serial: serialOf(aircraft) } });

/** Three rows of a network, a drone with Remote ID in a zone that comes after 3 s, and an airliner. */
export async function fly(daemon: Daemon, { send, receiver }: Heavens, seconds: number): Promise<void> {
  const began = performance.now();
  await paced(seconds * 10, 100, async (turn) => {
    const second = (performance.now() - began) / 1000;
    if (turn === 30) await must(daemon, '/api/zones', apron);
    if (turn === 50) await own(daemon, 'Heron 2', 2);
    if (turn % 5 === 0) await send.rid(receiver.pack(intruder, intruder.messages(intruder.location(second))));
    if (turn % 10 === 3) await send.adsb(squawk(second));
    for (let i = 0; i < 3; i++) await send.net(`${JSON.stringify(rowOf(i, 'mast', second))}\n`);
    if (turn % 10 === 7) await must(daemon, '/api/ingest/obs', { obs: [rowOf(40, 'mast', second)] });
  });
}

/** What a recording of it is told by. */
export type Seen = { tracks: Track[]; alerts: Alert[] };

export async function seen(daemon: Daemon): Promise<Seen> {
  return { tracks: await daemon.get('/api/tracks'), alerts: await daemon.get('/api/alerts') };
}

/** A daemon that recorded three links, from the beginning or from `before` seconds on, until it was killed, started again; with what was seen live at the end. */
export async function recordedFlight(
  t: Test,
  seconds: number,
  { before = 0, ...spec }: { before?: number; max_s?: number } = {},
): Promise<{ daemon: Daemon; recording: Recording; live: Seen }> {
  const killed = await spawnDaemon(t, { args: threeLinks });
  const { dataDir } = killed;
  await must(killed, '/api/sensors', { name: 'mast', modality: 'remote_id' });
  await own(killed, 'Heron 1', 1);
  const sky = await heavens(t, killed);
  if (before > 0) await fly(killed, sky, before);
  const { id } = await must<Recording>(killed, '/api/recordings', { name: 'night', ...spec });
  await fly(killed, sky, seconds);
  // What was heard waits a moment for the thread that writes.
  await new Promise((resolve) => setTimeout(resolve, 400));
  const live = await seen(killed);
  await killed.end('SIGKILL');
  const daemon = await startDaemon(t, { dataDir, args: threeLinks });
  return { daemon, recording: await daemon.get<Recording>(`/api/recordings/${id}`), live };
}

/** Of each track what must be the same however it is seen. */
export const trackInShort = ({
  id,
  number,
  identities,
  state,
  classification,
  position,
  ...track
}: Track): unknown => ({
  ...{ id, number, state, classification },
  held: [track.affiliation, track.affiliation_basis, track.asset_id],
  identities: identities.map(({ type, value }) => `${type} ${value}`).sort(),
  at: position && [position.lat.toFixed(5), position.lon.toFixed(5)],
});

export const tracksInShort = (tracks: readonly Track[]): unknown[] =>
  tracks.toSorted((a, b) => (a.number < b.number ? -1 : 1)).map(trackInShort);

export const alertsInShort = (alerts: readonly Alert[]): string[] =>
  alerts
    .map(({ rule_id, severity, subject, count, text }) => `${rule_id} ${severity} ${subject.id} ${count} ${text}`)
    .sort();
