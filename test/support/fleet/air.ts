import { setImmediate } from 'node:timers/promises';
import type { Test } from 'tap';
import type { ControlSettings } from '../../../src/command/authority.ts';
import type { FleetLink } from '../../../src/fleet/deps.ts';
import { type Command, isOver } from '../../../src/model/command.ts';
import type { FleetRow, VerbState } from '../../../src/model/fleet.ts';
import type { PlatformPerformance } from '../../../src/model/performance.ts';
import type { Task } from '../../../src/model/task.ts';
import type { CommandParams, Verb } from '../../../src/model/verb.ts';
import { openRegistry, type RegistryRig } from '../registry/registry.ts';
import { AirLink } from './air_link.ts';
import type { AirTarget } from './air_target.ts';
import { type FleetRig, openFleet } from './registry_fleet.ts';

const STEP_S = 0.05;
const OWN_SYSID = 245;
const TRACKS_EVERY_MS = 250;
const person = { type: 'user', id: 'u1', name: 'anna', address: null } as const;
export const asked = { by: person, key: null, operator: null, why: null, engagementId: null };
const open: FleetLink = {
  policy: { discover: 'list', command: 'allow', reason: null },
  signing: 'none',
  provesSender: true,
};

/** What flies in it: an emulated vehicle, or a simulated one. */
export type AirVehicle = {
  readonly sysid: number;
  start(): Promise<void>;
  stop(): void;
  tick(dtS: number): void;
  readonly killedByNaN: string | null;
  readonly crashed: boolean;
};

/** What a link is to the fleet: where its datagrams go. */
type AirWay = Pick<AirLink, 'transmit'> & { closed?: boolean };

/** What is told with a command besides its parameters. */
type More = { command_id?: string; expires_at?: string };

/**
 * A fleet and its command desk with vehicles at the other end of real sockets, in a time that passes as the test lets it:
 * the clock, the vehicles and what flies past are one.
 */
export class Air {
  nowMs = 1_000_000;
  readonly registry: RegistryRig;
  readonly rig: FleetRig;
  readonly links = new Map<string, { link: AirWay; is: FleetLink }>();
  readonly control: ControlSettings = { enabled: true, openSurface: 'allow' };
  readonly vehicles: AirVehicle[] = [];
  readonly targets: AirTarget[] = [];
  /** What is looked at with every step. */
  readonly watches: (() => void)[] = [];
  readonly #sockets = new Map<string, AirLink>();
  #tracksDueMs = 0;
  readonly #t: Test;

  constructor(t: Test) {
    this.#t = t;
    this.registry = openRegistry(t);
    this.rig = openFleet(this.registry, {
      nowMs: () => this.nowMs,
      sysid: OWN_SYSID,
      control: this.control,
      link: (id) => this.links.get(id)?.is ?? null,
      transmit: async (linkId, payload, to) => {
        const way = this.links.get(linkId);
        if (!way) throw new Error('there is no such link');
        await way.link.transmit(payload, to);
      },
    });
    this.registry.registry.discovery.set(true, person);
    this.rig.side.start();
  }

  async link(id = 'air', is: Partial<FleetLink> = {}): Promise<AirLink> {
    const known = this.#sockets.get(id);
    if (known) return known;
    const link = await AirLink.open(
      id,
      OWN_SYSID,
      () => this.nowMs,
      (linkId, message, from) => this.rig.fleet.take(linkId, message, from, this.nowMs),
    );
    this.#t.teardown(() => link.close());
    this.#sockets.set(id, link);
    this.links.set(id, { link, is: { ...open, ...is } });
    return link;
  }

  /** A link in memory: what is written to it goes where the test says. */
  linkTo(id: string, link: AirWay): void {
    this.links.set(id, { link, is: open });
  }

  /** A vehicle that is heard and bound to an asset; its id. */
  async adopt(vehicle: AirVehicle, name = `V${vehicle.sysid}`, performance: PlatformPerformance = {}): Promise<string> {
    await this.join(vehicle);
    const { assets } = this.registry.registry;
    const asset = assets.create({ name, spec: {} }, person);
    assets.update(asset.id, { spec: {}, performance }, person);
    const heard = (): FleetRow | undefined => this.rows().find(({ sysid }) => sysid === vehicle.sysid);
    await this.until(() => heard() !== undefined, 20, `${name} is heard`);
    assets.bind(asset.id, { key: heard()?.key ?? '' }, person);
    await this.pass(6);
    return asset.id;
  }

  /** A vehicle that speaks from now on. */
  async join(vehicle: AirVehicle): Promise<void> {
    await vehicle.start();
    this.#t.teardown(() => vehicle.stop());
    this.vehicles.push(vehicle);
  }

  rows(): FleetRow[] {
    return this.rig.fleet.rows();
  }

  row(assetId: string): FleetRow {
    const found = this.rows().find(({ asset_id }) => asset_id === assetId);
    if (!found) throw new Error(`no vehicle of ${assetId} is heard`);
    return found;
  }

  verb(assetId: string, verb: Verb): VerbState | undefined {
    return this.row(assetId).verbs.find((state) => state.verb === verb);
  }

  async pass(seconds: number): Promise<void> {
    for (let left = seconds; left > 1e-9; left -= STEP_S) await this.#step();
  }

  async until(holds: () => boolean, withinS: number, what = String(holds)): Promise<void> {
    for (let left = withinS; !holds(); left -= STEP_S) {
      if (left <= 0) throw new Error(`within ${withinS} s it did not come to pass that ${what}`);
      await this.#step();
    }
  }

  /** A command that must be taken; time passes until its first datagram has left. */
  async command(assetId: string, verb: string, params?: CommandParams, more: More = {}): Promise<Command> {
    const body = { verb, ...(params ? { params } : {}), ...more };
    return this.settled(this.rig.side.service.command(assetId, body, asked));
  }

  /** Lets time pass until something is settled. */
  async settled<T>(promise: Promise<T>): Promise<T> {
    let isSettled = false;
    promise.then(
      () => {
        isSettled = true;
      },
      () => {
        isSettled = true;
      },
    );
    await setImmediate();
    await this.until(() => isSettled, 120, 'it is settled');
    return promise;
  }

  async over(commandId: string, withinS = 120): Promise<Command> {
    const now = (): Command | null => this.rig.side.service.log.get(commandId);
    await this.until(() => isOver(now()?.state ?? 'created'), withinS, `${now()?.verb} is over`);
    return now() as Command;
  }

  async fly(assetId: string, verb: string, params?: CommandParams, withinS?: number): Promise<Command> {
    return this.over((await this.command(assetId, verb, params)).command_id, withinS);
  }

  async takeoff(assetId: string, heightM = 20): Promise<void> {
    await this.until(() => this.verb(assetId, 'takeoff')?.available === true, 60, 'takeoff is available');
    const { state, reason } = await this.fly(assetId, 'takeoff', { kind: 'value', height_m: heightM });
    if (state !== 'done') throw new Error(`takeoff is ${state}: ${reason}`);
  }

  task(id: string | null): Task {
    const task = this.rig.side.service.task(id ?? '');
    if (!task) throw new Error(`there is no task ${id}`);
    return task;
  }

  async #step(): Promise<void> {
    this.nowMs += STEP_S * 1_000;
    for (const target of this.targets) target.step(STEP_S);
    this.#lookAround();
    for (const vehicle of this.vehicles) vehicle.tick(STEP_S);
    await this.#arrive();
    this.rig.fleet.tick();
    await this.#arrive();
    for (const watch of this.watches) watch();
    for (const { killedByNaN, crashed } of this.vehicles) {
      if (killedByNaN !== null) throw new Error(`it was sent a number that is none: ${killedByNaN}`);
      if (crashed) throw new Error('its motors were stopped in flight');
    }
  }

  /** Datagrams over the loopback, and what follows from them. */
  async #arrive(): Promise<void> {
    for (let turn = 0; turn < 3; turn++) await setImmediate();
  }

  #lookAround(): void {
    if (this.targets.length === 0 || this.nowMs < this.#tracksDueMs) return;
    this.#tracksDueMs = this.nowMs + TRACKS_EVERY_MS;
    const utcMs = Date.now() - performance.now() + this.nowMs;
    this.rig.tracks.splice(0, this.rig.tracks.length, ...this.targets.map((target) => target.track(utcMs)));
  }
}
