import { get } from 'node:http';
import { type BenchDaemon, inFolder, withDaemon } from './daemon.ts';
import { Senders, send } from './senders.ts';

const HZ = 2;
const WARM_S = 6;
/** Middle and reach of what the senders fly over, so that the map shows all of them. */
export const SITE = { lat: 47.05, lon: 8.065 };
const REACH_M = 6_000;

/** Bytes of a stream as they came: each piece with its time after the first, ms. */
export type Recording = { pieces: { atMs: number; bytes: Buffer }[]; lengthMs: number };

/** Records the stream that a daemon sends of so many tracks, all moving twice a second. The daemon ends with it. */
export function recordStream(tracks: number, seconds: number): Promise<Recording> {
  return inFolder((dataDir) => withDaemon({ dataDir }, (daemon) => record(daemon, tracks, seconds)));
}

async function record(daemon: BenchDaemon, tracks: number, seconds: number): Promise<Recording> {
  const circle = (radius_m: number) => ({ type: 'Point', coordinates: [SITE.lon, SITE.lat], radius_m });
  await create(daemon, 'regions', { name: 'Site', geometry: circle(REACH_M), ground_alt_hae_m: 480 });
  await create(daemon, 'zones', { name: 'Depot', kind: 'protected', geometry: circle(REACH_M / 6) });
  const pace = { port: daemon.port, senders: new Senders(tracks), perS: tracks * HZ };
  await send({ ...pace, seconds: WARM_S });
  const pieces: Recording['pieces'] = [];
  const began = { ms: 0 };
  const request = get(`${daemon.url}/api/stream`, (response) => {
    began.ms = performance.now();
    response.on('data', (bytes: Buffer) => pieces.push({ atMs: performance.now() - began.ms, bytes }));
    response.on('error', () => {});
  });
  request.on('error', () => {});
  await send({ ...pace, seconds });
  request.destroy();
  return { pieces, lengthMs: seconds * 1_000 };
}

async function create({ url }: BenchDaemon, what: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/api/${what}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (answer.status !== 200) throw new Error(`${what} were refused: ${await answer.text()}`);
}
