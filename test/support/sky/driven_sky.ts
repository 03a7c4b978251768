import { setImmediate as turn } from 'node:timers/promises';
import { WorldServices, worldDepsOf } from '../../../src/app/world_services.ts';
import { worldSettings } from '../../../src/app/world_settings.ts';
import type { CoreMaker } from '../../../src/core/thread/handle.ts';
import { inTheWorlds } from '../../../src/core/thread/place.ts';
import { CoreStepped } from '../../../src/core/thread/stepped.ts';
import { Claims } from '../../../src/edge/link/claims.ts';
import { defaultConfig } from '../../../src/host/config/schema.ts';
import { createJournal } from '../../../src/host/journal.ts';
import { program } from '../../../src/host/program.ts';
import { systemActor } from '../../../src/model/actor.ts';
import { linkSpecSchema } from '../../../src/model/link.ts';
import { idleSim } from '../../../src/model/picture.ts';
import { formatTime } from '../../../src/model/time.ts';
import type { Track } from '../../../src/model/track.ts';
import { zoneSpecSchema } from '../../../src/model/zone.ts';
import type { PictureChange } from '../../../src/picture/events.ts';
import { Registry } from '../../../src/registry/registry.ts';
import { alertStore } from '../../../src/store/alerts.ts';
import { Ledger } from '../../../src/store/ledger.ts';
import { noHistory } from '../../../src/store/log/none.ts';
import { LogCounter } from '../../../src/store/log_counter.ts';
import { openScratch } from '../../../src/store/state.ts';
import { newWorkspaceId } from '../../../src/store/workspaces.ts';
import { DrivenClock } from '../../../src/world/driven/clock.ts';
import { Drive } from '../../../src/world/driven/drive.ts';
import { Wires } from '../../../src/world/driven/memory_wire.ts';
import { linkOfFile } from '../../../src/world/link_runner.ts';
import { World } from '../../../src/world/world.ts';
import { type Place, placeAt } from '../basics/place.ts';

/** Bytes that arrive on a link, at a time of the world. */
export type Heard = { atMs: number; bytes: Uint8Array; link?: string; from?: string };

/** What was published, and when. */
export type Published = PictureChange & { atMs: number };

type Test = { teardown(stop: () => unknown): unknown };

/**
 * A whole world with its services, behind links in memory, in a time that passes as fast as the box can: bytes go in, tracks,
 * zone events and alerts come out. Nothing between is replaced.
 */
export class DrivenSky {
  readonly published: Published[] = [];
  readonly worldServices: WorldServices;
  readonly #clock: DrivenClock;
  readonly #drive: Drive;
  readonly #wires: Wires;
  readonly #names: string[];
  #coming: Heard[] = [];

  private constructor(beginMs: number, names: string[]) {
    const clock = new DrivenClock(beginMs);
    this.#clock = clock;
    this.#names = names;
    this.#wires = new Wires({ nowMs: () => clock.nowMs(), written: () => {} });
    let stepped: CoreStepped | null = null;
    const core: CoreMaker = (begin, sensorIndex, nowMs, events) => {
      stepped = new CoreStepped(begin, sensorIndex, nowMs, events, inTheWorlds);
      return stepped;
    };
    const workspace = { id: newWorkspaceId(), name: 'sky', isFirst: true };
    const state = openScratch({ ...workspace, createdAt: formatTime(beginMs) });
    const counter = new LogCounter(0);
    const ledger = new Ledger(state, counter, () => clock.nowMs(), 'live');
    const registry = new Registry({
      ...{ state, ledger, workspaceId: workspace.id, environment: () => 'live' as const },
      publish: {
        row: (list, row) => this.worldServices.rowsChanged(list, [row]),
        rows: (list, rows) => this.worldServices.rowsChanged(list, rows),
        removed: (list, id) => this.worldServices.rowRemoved(list, id),
        announce: (kind, body) => this.worldServices.world.announce(kind, body),
      },
    });
    const config = defaultConfig();
    const { log } = createJournal({ write: () => {} });
    const changed = (change: PictureChange): void => void this.published.push({ ...change, atMs: clock.nowMs() });
    const driven = { core, seed: new Uint8Array(8), open: this.#wires.open, changed, publishMs: () => clock.nowMs() };
    const world = new World(
      { ...worldSettings(config), workspaceId: workspace.id, environment: 'live', provenance: 'live' },
      {
        ...{ clock, log, history: noHistory, counter, driven, sim: () => idleSim, claims: new Claims() },
        ...worldDepsOf(registry, 0, () => this.worldServices),
        alerts: alertStore(state, workspace.id),
        onFatal: (why) => {
          throw new Error(why);
        },
      },
      { lastTracks: [] },
    );
    this.worldServices = new WorldServices({
      ...{ world, registry, ledger, history: noHistory, clock, log, config, state, workspace },
      ...{ about: { ...program, startedAt: formatTime(beginMs) } },
      ...{ webhooks: null, zones: [], groundAltHaeM: 0, sensors: [] },
    });
    this.#drive = new Drive({
      ...{ world, clock, feed: (toMs) => this.#feed(toMs), second: () => this.worldServices.everySecond() },
      core: () => {
        if (!stepped) throw new Error('the core has not begun');
        return stepped;
      },
    });
  }

  static async open(t: Test, beginMs: number, names: string[] = ['rid']): Promise<DrivenSky> {
    const sky = new DrivenSky(beginMs, names);
    const { worldServices } = sky;
    await worldServices.start();
    worldServices.load(() => sky.#plug(formatTime(beginMs)));
    t.teardown(() => worldServices.stop());
    await turn();
    await turn();
    return sky;
  }

  get nowMs(): number {
    return this.#clock.nowMs();
  }

  /** A protected area: a square with sides of twice `halfM`. */
  protect(name: string, middle: Place, halfM: number): void {
    const corner = (azimuthDeg: number): [number, number] => {
      const { lat, lon } = placeAt(middle, azimuthDeg, halfM * Math.SQRT2);
      return [lon, lat];
    };
    const ring = [45, 135, 225, 315, 45].map(corner);
    const geometry = { type: 'Polygon' as const, coordinates: [ring.toReversed()] };
    this.worldServices.registry.zones.create(zoneSpecSchema.parse({ name, kind: 'protected', geometry }), systemActor);
  }

  /** An asset of ours that is known by its serial. */
  ours(name: string, serial: string): void {
    this.worldServices.registry.assets.create({ name, spec: { remote_id_serial: serial } }, systemActor);
  }

  /** Lets bytes arrive and time pass, until a time of the world; `each` looks on after each step of 100 ms. */
  async pass(toMs: number, heard: readonly Heard[] = [], each: () => void = () => {}): Promise<void> {
    this.#coming = [...this.#coming, ...heard].sort((a, b) => a.atMs - b.atMs);
    while (this.nowMs < toMs) {
      await this.#drive.step();
      each();
    }
  }

  tracks(): Track[] {
    return this.worldServices.world.tracks();
  }

  /** Tracks that carry an identity. */
  named(value: string): Track[] {
    return this.tracks().filter(({ identities }) => identities.some((identity) => identity.value === value));
  }

  /** When a track was first published to enter a zone; NaN where none was. */
  enteredMs(trackId?: string): number {
    const entry = this.published.find(
      (change) =>
        change.kind === 'zone_event' &&
        change.body.transition === 'enter' &&
        (trackId === undefined || change.body.track_id === trackId),
    );
    return entry?.atMs ?? Number.NaN;
  }

  /** When an alert with a step of a rule was first published; NaN where none was. */
  alertedMs(ruleId: string): number {
    const alert = this.published.find(
      (change) =>
        (change.kind === 'alert' || change.kind === 'alert_update') &&
        change.body.steps.some(({ rule_id }) => rule_id === ruleId),
    );
    return alert?.atMs ?? Number.NaN;
  }

  #plug(at: string): void {
    const { world } = this.worldServices;
    for (const name of this.#names) {
      const spec = linkSpecSchema.parse({ name, transport: 'udp', address: '127.0.0.1:0', protocol: 'mavlink' });
      world.links.add(linkOfFile(spec, at));
    }
    world.links.start();
  }

  *#feed(toMs: number): Iterable<void> {
    let taken = 0;
    for (const { atMs, bytes, link = 'rid', from = 'receiver' } of this.#coming) {
      if (atMs > toMs) break;
      taken++;
      this.#clock.set(atMs);
      this.#wires.get(link)?.arrive(bytes, from, atMs);
      yield;
    }
    this.#coming.splice(0, taken);
  }
}
