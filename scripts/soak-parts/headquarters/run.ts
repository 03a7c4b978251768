import { setTimeout as sleep } from 'node:timers/promises';
import type { Alert } from '../../../src/model/alert.ts';
import type { Outlet } from '../../../src/model/outlet.ts';
import type { Sensor } from '../../../src/model/sensor.ts';
import type { Track } from '../../../src/model/track.ts';
import type { Owner } from '../../../test/support/basics/owner.ts';
import { randomFrom } from '../../../test/support/basics/random.ts';
import type { Daemon } from '../../../test/support/daemon/daemon.ts';
import { fieldBox } from '../../../test/support/daemon/field_box.ts';
import { cutLine } from './cut_line.ts';
import { sendMeasurements } from './receivers.ts';
import { AreaScore, type Placed, placed } from './score.ts';
import { aircraft, type BoxName, boxNames, positionOf, seenBy, toPlace } from './sky.ts';

/** Times of a run, s: tracks are confirmed, all is scored, one box is cut off, and it is back. */
const WARM_S = 30;
const WHOLE_S = 60;
const CUT_S = 120;
const BACK_S = 30;
const LOOK_MS = 2_000;
/** The aircraft that headquarters knows as its own, and the one that a box calls a friend. */
const FRIEND_AT_BOX = 0;
const PROTECTED = 106;

type Check = { text: string; good: boolean };
type Box = { name: BoxName; daemon: Daemon; nodeId: string };
type Run = { headquarters: Daemon; boxes: readonly Box[]; beganMs: number; checks: Check[] };

const headquartersConfig = (portDown: number): string => `
links:
  - {name: fences, transport: tcp_server, address: "127.0.0.1:0", protocol: sapient, options: {fusion: true}}
outlets:
  - {name: down, kind: sapient, transport: tcp_client, address: "127.0.0.1:${portDown}"}
`;

const boxConfig = (name: BoxName, port: number): string => `
sensors:
  - {name: radar, modality: radar}
  - {name: receiver, modality: remote_id}
links:
  - {name: rows, transport: udp, address: "127.0.0.1:0", protocol: obs_json, sources_allow: [127.0.0.1]}
  - {name: above, transport: tcp_server, address: "127.0.0.1:0", protocol: sapient, options: {fusion: true}}
outlets:
  - {name: up, kind: sapient, transport: tcp_client, address: "127.0.0.1:${port}", options: {name: ${name}, short_name: ${name}}, pace: {track_s: 0.2, max_msgs_per_s: 2000}}
`;

/**
 * `scripts/soak headquarters`: three boxes at fences send their tracks to one at headquarters; 60 of 200 aircraft are seen
 * by two boxes, and one box is cut off for two minutes. Prints what held and answers whether all did.
 */
export async function runHeadquarters(owner: Owner, seed: number): Promise<boolean> {
  console.log(`seed ${seed}: run again with --seed ${seed}`);
  let portOfWest = 0;
  const down = await cutLine(owner, () => portOfWest);
  const headquarters = await fieldBox(owner, headquartersConfig(down.port)).spawn();
  const port = await headquarters.port('fences');
  const line = await cutLine(owner, () => port);
  const boxes: Box[] = [];
  for (const name of boxNames) {
    const daemon = await fieldBox(owner, boxConfig(name, name === 'east' ? line.port : port)).spawn();
    boxes.push({ name, daemon, nodeId: (await daemon.get<{ node_id: string }>('/')).node_id });
  }
  portOfWest = (await boxes[0]?.daemon.port('above')) ?? 0;
  const run: Run = { headquarters, boxes, beganMs: Date.now(), checks: [] };
  await declare(run);
  const random = randomFrom(seed);
  for (const { name, daemon } of boxes)
    sendMeasurements(owner, await daemon.port('rows'), seenBy(name), { nowS: () => nowS(run), random });
  await sleep(WARM_S * 1_000);
  await score(run, boxes, WHOLE_S, 'all boxes');
  await judgeTracks(run, 'all boxes');
  line.cut();
  const there = boxes.filter(({ name }) => name !== 'east');
  await score(run, there, CUT_S, 'the eastern box is cut off');
  line.mend();
  await sleep(BACK_S * 1_000);
  await score(run, boxes, WHOLE_S, 'the eastern box is back');
  await judgeTracks(run, 'the eastern box is back');
  await judgePolicy(run);
  await judgeEcho(run);
  for (const daemon of [headquarters, ...boxes.map((box) => box.daemon)]) judgeEnd(run, await daemon.end());
  for (const { text, good } of run.checks) console.log(`${good ? 'held  ' : 'MISSED'}  ${text}`);
  return run.checks.every(({ good }) => good);
}

function judgeEnd(run: Run, code: number | null): void {
  check(run, `exit code ${code} of a daemon`, code === 0);
}

const nowS = ({ beganMs }: Run): number => (Date.now() - beganMs) / 1_000;

function check({ checks }: Pick<Run, 'checks'>, text: string, good: boolean): void {
  checks.push({ text, good });
}

/** A protected zone at headquarters alone, and a friend at one box alone. */
async function declare({ headquarters, boxes: [west] }: Run): Promise<void> {
  const one = aircraft[PROTECTED];
  if (one === undefined || west === undefined) return;
  const { latDeg, lonDeg } = toPlace(positionOf(one, 0));
  const geometry = { type: 'Point', coordinates: [lonDeg, latDeg], radius_m: 300 };
  await demand(headquarters, '/api/zones', { name: 'Depot', kind: 'protected', geometry });
  const spec = { remote_id_serial: aircraft[FRIEND_AT_BOX]?.serial };
  await demand(west.daemon, '/api/assets', { name: 'Heron', spec });
}

async function demand(daemon: Daemon, path: string, body: unknown): Promise<void> {
  const answer = await daemon.post(path, body);
  if (!answer.body.ok) throw new Error(`POST ${path}: ${answer.body.error}`);
}

const tracksOf = async (daemon: Daemon): Promise<Track[]> => daemon.get<Track[]>('/api/tracks?limit=1000');

async function looked(run: Run, daemon: Daemon): Promise<Placed[]> {
  const tracks = await tracksOf(daemon);
  return placed(tracks, (at) => (Date.parse(at) - run.beganMs) / 1_000, nowS(run));
}

/** Headquarters beside each box, in the area of that box. */
async function score(run: Run, boxes: readonly Box[], seconds: number, when: string): Promise<void> {
  const scores = boxes.map(({ name }) => ({ own: new AreaScore(seenBy(name)), above: new AreaScore(seenBy(name)) }));
  for (const endS = nowS(run) + seconds; nowS(run) < endS; await sleep(LOOK_MS)) {
    const above = await looked(run, run.headquarters);
    const at = nowS(run);
    for (const [i, { daemon }] of boxes.entries()) {
      scores[i]?.own.look(await looked(run, daemon), nowS(run));
      scores[i]?.above.look(above, at);
    }
  }
  for (const [i, { name }] of boxes.entries()) {
    const [own, above] = [scores[i]?.own.metrics().gospa_m ?? 0, scores[i]?.above.metrics().gospa_m ?? 0];
    const figures = `GOSPA ${above.toFixed(1)} m at headquarters, ${own.toFixed(1)} m at the box`;
    check(run, `${when}, area of the ${name} box: ${figures}`, above <= own);
  }
}

/** One track of each aircraft, made of the tracks of the boxes that see it. */
async function judgeTracks(run: Run, when: string): Promise<void> {
  const all = await looked(run, run.headquarters);
  const counts = aircraft.map((one) => all.filter(({ of }) => of === one).length);
  const without = counts.filter((count) => count === 0).length;
  const twice = counts.filter((count) => count > 1).length;
  const free = all.filter(({ of }) => of === null).length;
  check(
    run,
    `${when}: ${all.length} tracks of ${aircraft.length} aircraft; ${without} without, ${twice} with two, ${free} tracks of none`,
    without + twice + free === 0,
  );
  const wrong = all.filter(({ track, of }) => of !== null && !isOf(track, of.seenBy, run.boxes));
  check(run, `${when}: ${wrong.length} tracks with another lineage than the boxes that see them`, wrong.length === 0);
  const misnamed = all.filter(({ track, of }) => of !== null && !isNamed(track, of.serial));
  check(run, `${when}: ${misnamed.length} tracks with another serial than their aircraft`, misnamed.length === 0);
}

function isOf({ lineage }: Track, names: readonly BoxName[], boxes: readonly Box[]): boolean {
  const expected = boxes.filter(({ name }) => names.includes(name)).map(({ nodeId }) => nodeId);
  const found = new Set(lineage.map(({ node_id }) => node_id));
  return found.size === expected.length && expected.every((nodeId) => found.has(nodeId));
}

function isNamed({ identities }: Track, serial: string | null): boolean {
  const serials = new Set(identities.flatMap(({ type, value }) => (type === 'serial' ? [value] : [])));
  return serials.size === (serial === null ? 0 : 1) && (serial === null || serials.has(serial));
}

/** Alerts and affiliations at headquarters are of its own zones and registry. */
async function judgePolicy(run: Run): Promise<void> {
  const { headquarters, boxes } = run;
  const isOfZone = ({ zone_id: zoneId }: Alert): boolean => zoneId !== null;
  const alerts = (await headquarters.get<Alert[]>('/api/alerts?limit=500')).filter(isOfZone);
  check(run, `${alerts.length} alerts of its own zone at headquarters`, alerts.length > 0);
  for (const { name, daemon } of boxes) {
    const own = (await daemon.get<Alert[]>('/api/alerts?limit=500')).filter(isOfZone);
    check(run, `${own.length} alerts of zones at the ${name} box, which has no zone`, own.length === 0);
  }
  const friends = (await tracksOf(headquarters)).filter(({ affiliation }) => affiliation === 'friend');
  check(run, `${friends.length} friends at headquarters, which has no registry`, friends.length === 0);
}

/** What a box sent comes back to it from headquarters, and must not be taken for another's. */
async function judgeEcho(run: Run): Promise<void> {
  const { headquarters, boxes } = run;
  const west = boxes.find(({ name }) => name === 'west');
  const [down] = (await headquarters.get<Outlet[]>('/api/outlets')).filter(({ name }) => name === 'down');
  if (west === undefined || down === undefined) return;
  const ofHeadquarters = new Set(
    (await west.daemon.get<Sensor[]>('/api/sensors'))
      .filter(({ modality }) => modality === 'external')
      .map(({ id }) => id),
  );
  const all = await looked(run, west.daemon);
  const echoes = all.filter(
    ({ track, of }) =>
      of?.seenBy.includes('west') && track.contributors.some(({ sensor_id }) => ofHeadquarters.has(sensor_id)),
  );
  const text = `the outlet of headquarters to the west box is ${down.state}; ${echoes.length} of the box's own tracks took it`;
  check(run, text, echoes.length === 0);
}
