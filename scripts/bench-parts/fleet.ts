import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { CMD } from '../../src/fleet/verbs.ts';
import { ArduCopter, COPTER_MODE } from '../../test/support/vehicles/arducopter.ts';
import { Fleet } from '../../test/support/vehicles/fleet.ts';
import { OtherStation } from '../../test/support/vehicles/other_station.ts';
import { type BenchDaemon, inFolder, withDaemon } from './daemon.ts';
import { shares } from './process.ts';
import { quantile, type Row } from './row.ts';

const VEHICLES = 100;
const HZ = 10;
const SETTLE_S = 8;
const SECONDS = 20;
/** The first ones run code that nobody called yet. */
const COLD = 20;
const COMMANDS = 200;
/** The limit of an asset is ten a second. */
const APART_MS = 120;
const CLIMBS_MS = 10_000;
const MAV_COMMAND_LONG = 76;

const config = `
links:
  - { name: fleet, transport: udp, address: '127.0.0.1:0', protocol: mavlink, command: allow, sources_allow: ['127.0.0.1'] }
`;

/**
 * Measures the cost of a fleet and the latency of a command. Vehicles send heartbeats and positions to a real daemon.
 * The socket of a copter notes when the datagram of a command arrives that was posted over HTTP.
 */
export async function benchFleet(): Promise<Row[]> {
  const alone = await inFolder((dataDir) => withDaemon({ dataDir, config }, (daemon) => telemetry(daemon, 0)));
  const many = await inFolder((dataDir) => withDaemon({ dataDir, config }, (daemon) => telemetry(daemon, VEHICLES)));
  const all = await inFolder((dataDir) => withDaemon({ dataDir, config }, commandTimes));
  const [cold, warm] = [came(all.slice(0, COLD)), came(all.slice(COLD))];
  const name = `${VEHICLES} vehicles at ${HZ} Hz`;
  return [
    { name: `${name}: main thread`, value: many.main - alone.main, unit: '% of a core', target: { below: 10 } },
    { name: `${name}: the core, which tracks them`, value: many.core - alone.core, unit: '% of a core' },
    { name: `${name}: the history, which keeps them`, value: many.history - alone.history, unit: '% of a core' },
    { name: 'command posted to its datagram, p50', value: quantile(warm, 0.5), unit: 'ms' },
    { name: 'command posted to its datagram, p95', value: quantile(warm, 0.95), unit: 'ms', target: { below: 5 } },
    { name: 'command posted to its datagram, p99', value: quantile(warm, 0.99), unit: 'ms' },
    { name: `the first ${COLD} after a start, p50`, value: quantile(cold, 0.5), unit: 'ms' },
    { name: `the first ${COLD} after a start, longest`, value: quantile(cold, 1), unit: 'ms' },
    {
      name: 'commands whose datagram did not come',
      value: all.length - cold.length - warm.length,
      unit: 'commands',
      target: { atMost: 0 },
    },
  ];
}

async function telemetry(daemon: BenchDaemon, vehicles: number) {
  await discover(daemon);
  const fleet = new Fleet({ groundStation: await groundStation(daemon), vehicles, hz: HZ });
  if (vehicles > 0) await fleet.start();
  await wait(SETTLE_S * 1_000);
  const [before, beganMs] = [daemon.cpu(), performance.now()];
  await wait(SECONDS * 1_000);
  const spent = shares(before, daemon.cpu(), (performance.now() - beganMs) / 1_000);
  if (vehicles > 0) fleet.stop();
  return spent;
}

function came(times: readonly (number | null)[]): number[] {
  return times.filter((ms) => ms !== null);
}

/** Milliseconds from a request to the datagram, by the same clock in the same process; null where none came. */
async function commandTimes(daemon: BenchDaemon): Promise<(number | null)[]> {
  await discover(daemon);
  const copter = new ArduCopter({ groundStation: await groundStation(daemon), ready: true });
  await copter.start();
  const key = await found(daemon, ({ sysid }) => sysid === copter.sysid);
  const { id } = await post<{ id: string }>(daemon, '/api/assets', { name: 'Heron', spec: {} });
  await post(daemon, `/api/assets/${id}/bind`, { key: key.key });
  // On the ground no verb is available that moves nothing elsewhere.
  const station = new OtherStation(copter);
  station.mode(COPTER_MODE.guided);
  station.command(CMD.componentArmDisarm, { param1: 1 });
  station.command(CMD.navTakeoff, { param7: 20 });
  await wait(CLIMBS_MS);
  await found(daemon, (row) => row.verbs.some(({ verb, available }) => verb === 'hold' && available));
  let awaited: ((atMs: number) => void) | null = null;
  const take = copter.link.onDatagram;
  copter.link.onDatagram = (datagram, ...from) => {
    if (isCommand(datagram)) awaited?.(performance.now());
    take?.(datagram, ...from);
  };
  const times: (number | null)[] = [];
  const line = connect(Number(new URL(daemon.url).port), '127.0.0.1');
  line.setNoDelay(true);
  for (let i = 0; i < COLD + COMMANDS; i++) {
    const arrived = new Promise<number>((resolve) => {
      awaited = resolve;
    });
    const beganMs = performance.now();
    await sayOn(line, `/api/assets/${id}/command`, '{"verb":"hold"}');
    const atMs = await Promise.race([arrived, wait(1_000).then(() => null)]);
    awaited = null;
    times.push(atMs === null ? null : atMs - beganMs);
    await wait(APART_MS);
  }
  copter.stop();
  line.destroy();
  return times;
}

/** DO_SET_MODE as COMMAND_LONG in MAVLink 2: no request for telemetry is taken for it. */
function isCommand(datagram: Buffer): boolean {
  return (
    datagram[0] === 0xfd &&
    datagram.readUIntLE(7, 3) === MAV_COMMAND_LONG &&
    datagram.readUInt16LE(10 + 28) === CMD.doSetMode
  );
}

async function discover({ url }: BenchDaemon): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  await fetch(`${url}/api/discovery`, { method: 'PUT', headers, body: '{"enabled":true}' });
}

async function groundStation({ url }: BenchDaemon): Promise<{ host: string; port: number }> {
  for (;;) {
    const answer = (await (await fetch(`${url}/api/links`)).json()) as {
      data: { name: string; bound_to: string | null }[];
    };
    const bound = answer.data.find(({ name }) => name === 'fleet')?.bound_to;
    if (bound) return { host: '127.0.0.1', port: Number(bound.slice(bound.lastIndexOf(':') + 1)) };
    await wait(50);
  }
}

type FleetRow = { key: string; sysid: number; verbs: { verb: string; available: boolean }[] };

async function found({ url }: BenchDaemon, is: (row: FleetRow) => boolean): Promise<FleetRow> {
  for (;;) {
    const { data } = (await (await fetch(`${url}/api/fleet`)).json()) as { data: FleetRow[] };
    const row = data.find(is);
    if (row) return row;
    await wait(50);
  }
}

async function post<T>({ url }: BenchDaemon, path: string, body: object): Promise<T> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  const { ok, data, error } = (await answer.json()) as { ok: boolean; data: T; error?: string };
  if (!ok) throw new Error(`POST ${path}: ${error}`);
  return data;
}

/** On a line that is kept open, as consoles have one: what is measured is the service, and not how a client begins. */
async function sayOn(line: Socket, path: string, body: string): Promise<void> {
  const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`;
  line.write(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
  const [answer] = (await once(line, 'data')) as [Buffer];
  if (!answer.toString('latin1').startsWith('HTTP/1.1 200')) throw new Error(`refused: ${answer.toString('latin1')}`);
}
