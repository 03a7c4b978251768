import type { ZoneEvent } from '../../model/firing.ts';
import type { TrackRemoval } from '../../model/track_row.ts';
import type { Flyer } from './flyer.ts';
import type { SiteThing } from './site.ts';
import { type Around, type Told, TrackZones } from './track_zones.ts';
import { Closeness } from './visit.ts';

/** What all tracks do in all zones: who comes near, enters, stays and leaves. Time is an argument. */
export class ZoneWatch {
  readonly #tracks = new Map<number, TrackZones>();
  /** Those that are in a zone or at an asset, for whom time passes. */
  readonly #staying = new Set<TrackZones>();
  readonly #changedIn = new Map<string, number>();
  readonly #around: Around;
  #byId: ReadonlyMap<string, SiteThing> = new Map();
  #events: ZoneEvent[] = [];

  constructor() {
    const tell = (event: ZoneEvent): void => {
      this.#events.push(event);
    };
    this.#around = {
      things: [],
      closeness: new Closeness([]),
      revision: 1,
      changedIn: this.#changedIn,
      followsFar: true,
      tell,
    };
  }

  /** Whether tracks are followed also where they are only near, so that it is known how far they are. */
  set followsFar(follows: boolean) {
    this.#around.followsFar = follows;
  }

  /** The things that hold from now on, in the order in which rows name them. Who was in one that is gone has left it. */
  set(things: readonly SiteThing[], nowMs: number): void {
    const around = this.#around;
    const was = this.#byId;
    around.things = things;
    around.closeness = new Closeness(things);
    around.revision++;
    this.#byId = new Map(things.map((thing) => [thing.id, thing]));
    for (const id of this.#changedIn.keys()) if (!this.#byId.has(id)) this.#changedIn.delete(id);
    for (const thing of things) if (isOther(was.get(thing.id), thing)) this.#changedIn.set(thing.id, around.revision);
    for (const track of this.#tracks.values()) track.moveTo(this.#byId, nowMs, around);
  }

  /** A track as it is now, and its rows. The answer is changed in place at the next look. */
  look(flyer: Flyer, told: Told, nowMs: number): TrackZones {
    const known = this.#tracks.get(flyer.number);
    const zones = known ?? new TrackZones(flyer);
    if (!known) this.#tracks.set(flyer.number, zones);
    zones.look(flyer, told, nowMs, this.#around);
    if (zones.isSomewhere) this.#staying.add(zones);
    return zones;
  }

  /** Of a track that was looked at. */
  of(number: number): TrackZones | undefined {
    return this.#tracks.get(number);
  }

  /** Lets time pass for those that were not looked at: after the looks of a step. */
  tick(nowMs: number): void {
    for (const zones of this.#staying) {
      zones.tick(nowMs, this.#around);
      if (!zones.isSomewhere) this.#staying.delete(zones);
    }
  }

  /** A track is no more. To be told before its heir is looked at. */
  remove({ number, reason, into }: Pick<TrackRemoval, 'number' | 'reason' | 'into'>, nowMs: number): void {
    const zones = this.#tracks.get(number);
    if (!zones) return;
    this.#tracks.delete(number);
    this.#staying.delete(zones);
    if (into !== undefined) for (const other of this.#tracks.values()) if (other.id === into) other.inherit(zones);
    zones.end(reason, nowMs, this.#around);
  }

  /** What happened since it was last asked for, in its order. */
  takeEvents(): ZoneEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }
}

/** Whether something that was there is drawn anew, or about others. */
function isOther(was: SiteThing | undefined, { zone }: SiteThing): boolean {
  if (!was?.zone || !zone) return true;
  return was.zone.version !== zone.version || was.zone.floorM !== zone.floorM || was.zone.ceilingM !== zone.ceilingM;
}
