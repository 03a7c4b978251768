import type { ZoneEvent } from '../../model/firing.ts';
import type { TrackRemoval } from '../../model/track_row.ts';
import type { Flyer } from './flyer.ts';
import type { ProtectedArea } from './site.ts';
import { type Around, type TrackRows, TrackZones } from './track_zones.ts';
import { Closeness } from './visit.ts';

/** Transitions of all tracks in all zones: approach, entry, dwelling, exit. Time is an argument. */
export class ZoneWatch {
  readonly #tracks = new Map<number, TrackZones>();
  /** Tracks in a zone or at an asset, whose dwell times advance. */
  readonly #staying = new Set<TrackZones>();
  readonly #changedIn = new Map<string, number>();
  readonly #around: Around;
  #byId: ReadonlyMap<string, ProtectedArea> = new Map();
  #events: ZoneEvent[] = [];

  constructor() {
    const publish = (event: ZoneEvent): void => {
      this.#events.push(event);
    };
    this.#around = {
      protectedAreas: [],
      closeness: new Closeness([]),
      revision: 1,
      changedIn: this.#changedIn,
      followsFar: true,
      publish,
    };
  }

  /** Sets whether areas that tracks are only near to are followed, for rules that use their distance. */
  set followsFar(follows: boolean) {
    this.#around.followsFar = follows;
  }

  /** Sets the areas from now on, in the order in which rows refer to them. Tracks leave areas that no longer exist. */
  set(things: readonly ProtectedArea[], nowMs: number): void {
    const around = this.#around;
    const was = this.#byId;
    around.protectedAreas = things;
    around.closeness = new Closeness(things);
    around.revision++;
    this.#byId = new Map(things.map((protectedArea) => [protectedArea.id, protectedArea]));
    for (const id of this.#changedIn.keys()) if (!this.#byId.has(id)) this.#changedIn.delete(id);
    for (const thing of things) if (isOther(was.get(thing.id), thing)) this.#changedIn.set(thing.id, around.revision);
    for (const track of this.#tracks.values()) track.moveTo(this.#byId, nowMs);
  }

  /** Evaluates a track with its rows. The result is changed in place at the next evaluation. */
  evaluate(flyer: Flyer, own: TrackRows, nowMs: number): TrackZones {
    const known = this.#tracks.get(flyer.number);
    const zones = known ?? new TrackZones(flyer, this.#around);
    if (!known) this.#tracks.set(flyer.number, zones);
    zones.evaluate(flyer, own, nowMs);
    if (zones.isSomewhere) this.#staying.add(zones);
    return zones;
  }

  /** Zones of a track that was assessed before. */
  of(number: number): TrackZones | undefined {
    return this.#tracks.get(number);
  }

  /** Advances time for the tracks without an evaluation in this step; call after the evaluations. */
  tick(nowMs: number): void {
    for (const zones of this.#staying) {
      zones.tick(nowMs);
      if (!zones.isSomewhere) this.#staying.delete(zones);
    }
  }

  /** Removes a track that has ended; call before an evaluation of the track that it was merged into. */
  remove({ number, reason, into }: Pick<TrackRemoval, 'number' | 'reason' | 'into'>, nowMs: number): void {
    const zones = this.#tracks.get(number);
    if (!zones) return;
    this.#tracks.delete(number);
    this.#staying.delete(zones);
    if (into !== undefined) for (const other of this.#tracks.values()) if (other.id === into) other.inherit(zones);
    zones.end(reason, nowMs);
  }

  /** Takes the transitions since the last time, in their order. */
  takeEvents(): ZoneEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }
}

/** Whether a zone is new, or its version or heights changed. */
function isOther(was: ProtectedArea | undefined, { zone }: ProtectedArea): boolean {
  if (!was?.zone || !zone) return true;
  return was.zone.version !== zone.version || was.zone.floorM !== zone.floorM || was.zone.ceilingM !== zone.ceilingM;
}
