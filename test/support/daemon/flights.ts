import type { Test } from 'tap';
import type { Command } from '../../../src/model/command.ts';
import type { FleetRow } from '../../../src/model/fleet.ts';
import type { Task } from '../../../src/model/task.ts';
import type { Vehicle } from '../vehicles/vehicle.ts';
import { type Daemon, startDaemon, until } from './daemon.ts';
import { spawnDaemon } from './daemon_process.ts';

type WaitOptions = { withinMs?: number };

const PATIENCE_MS = 20_000;

/** A daemon with a link that lets commands out, and what tests of flights ask of it. */
export class FlightRig {
  readonly daemon: Daemon;
  readonly port: number;

  constructor(daemon: Daemon, port: number) {
    this.daemon = daemon;
    this.port = port;
  }

  get groundStation(): { host: string; port: number } {
    return { host: '127.0.0.1', port: this.port };
  }

  fleet(): Promise<FleetRow[]> {
    return this.daemon.get<FleetRow[]>('/api/fleet');
  }

  row(where: (row: FleetRow) => boolean, what: string, options?: WaitOptions): Promise<FleetRow> {
    return until(async () => (await this.fleet()).find(where), what, options?.withinMs ?? PATIENCE_MS);
  }

  /** Waits for the vehicle's row and binds it to a new asset; answers the asset's id. */
  async adopt(vehicle: { readonly sysid: number }, name = `V${vehicle.sysid}`, spec: object = {}): Promise<string> {
    const row = await this.row(({ sysid }) => sysid === vehicle.sysid, `system ${vehicle.sysid} is heard`);
    const made = await this.daemon.post('/api/assets', { name, spec });
    if (!made.body.ok) throw new Error(made.body.error);
    const { id } = made.body.data as { id: string };
    const bound = await this.daemon.post(`/api/assets/${id}/bind`, { key: row.key });
    if (!bound.body.ok) throw new Error(bound.body.error);
    await this.row(({ asset_id }) => asset_id === id, `${name} is adopted`);
    return id;
  }

  /** Waits until a verb can be used. */
  async able(assetId: string, verb: string, options?: WaitOptions): Promise<void> {
    const isAble = (row: FleetRow): boolean =>
      row.asset_id === assetId && row.verbs.some((state) => state.verb === verb && state.available);
    await this.row(isAble, `${verb} is available`, options);
  }

  post(assetId: string, verb: string, params?: object, more: object = {}) {
    const body = { verb, ...(params ? { params } : {}), operator: 'test', reason: 'a test', ...more };
    return this.daemon.post(`/api/assets/${assetId}/command`, body);
  }

  /** A command that must be taken. */
  async command(assetId: string, verb: string, params?: object, more: object = {}): Promise<Command> {
    const { body } = await this.post(assetId, verb, params, more);
    if (!body.ok) throw new Error(`${verb}: ${body.error}`);
    return body.data as Command;
  }

  over(commandId: string, options?: WaitOptions): Promise<Command> {
    const ends = ['done', 'failed', 'rejected', 'expired', 'cancelled', 'superseded', 'timed_out'];
    return until(
      async () => {
        const command = await this.daemon.get<Command>(`/api/commands/${commandId}`);
        return ends.includes(command.state) ? command : null;
      },
      `${commandId} is over`,
      options?.withinMs ?? PATIENCE_MS,
    );
  }

  async fly(assetId: string, verb: string, params?: object, options?: WaitOptions): Promise<Command> {
    return this.over((await this.command(assetId, verb, params)).command_id, options);
  }

  task(id: string): Promise<Task> {
    return this.daemon.get<Task>(`/api/tasks/${id}`);
  }

  async takeoff(assetId: string, heightM = 20, within: WaitOptions = { withinMs: 60_000 }): Promise<void> {
    await this.able(assetId, 'takeoff', within);
    const { state, reason } = await this.fly(assetId, 'takeoff', { kind: 'value', height_m: heightM }, within);
    if (state !== 'done') throw new Error(`takeoff is ${state}: ${reason}`);
  }
}

export type FlightOptions = {
  /** In a process of its own, which a signal can end. */
  spawned?: boolean;
  args?: string[];
  /** Of the link, besides its name and where it listens. */
  link?: string;
  transport?: 'udp' | 'tcp_client';
  host?: string;
  /** The port it listens on, or dials; a free one by default. */
  port?: number;
  dataDir?: string;
  discovery?: boolean;
};

/** A daemon with discovery on. Vehicles are started by the test, towards `groundStation`. */
export async function startFlights(t: Test, options: FlightOptions = {}): Promise<FlightRig> {
  const { link = 'command=allow,sources_allow=127.0.0.1', port = 0, args = [], dataDir } = options;
  const { transport = 'udp', host = '127.0.0.1' } = options;
  const fleet = `name=fleet,transport=${transport},address=${host}:${port},protocol=mavlink,${link}`;
  const start = options.spawned ? spawnDaemon : startDaemon;
  const daemon = await start(t, { args: ['--link', fleet, ...args], ...(dataDir ? { dataDir } : {}) });
  if (options.discovery ?? true) await daemon.request('/api/discovery', put({ enabled: true }));
  return new FlightRig(daemon, transport === 'udp' ? await daemon.port('fleet') : port);
}

/** A vehicle that speaks until the test is over. */
export async function begun<V extends Vehicle>(t: Test, vehicle: V): Promise<V> {
  t.teardown(() => vehicle.stop());
  await vehicle.start();
  return vehicle;
}

export function put(body: unknown): RequestInit {
  return { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
