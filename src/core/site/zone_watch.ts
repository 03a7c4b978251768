import type { ZoneEvent } from '../../model/firing.ts';
import type { TrackRemoval } from '../../model/track_row.ts';
import type { Flyer } from './flyer.ts';
import type { ProtectedArea } from './site.ts';
import { type Around, type TrackRows, TrackZones } from './track_zones.ts';
import { Closeness } from './visit.ts';

/** Detects the transitions of tracks in zones: approach, entry, dwelling and exit. */
export class ZoneWatch {
  readonly #tracks = new Map<number, TrackZones>();
  /** Tracks that are in a zone or at an asset, so that their dwell times advance. */
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

  /**
   * Sets whether to follow areas that tracks are only near. Set it to true if a rule uses the distance of a track from
   * a zone.
   */
  set followsFar(follows: boolean) {
    this.#around.followsFar = follows;
  }

  /**
   * Replaces the areas. Measured rows refer to them by their index in this list. Tracks leave areas that no longer
   * exist.
   */
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

  /**
   * Evaluates the relations of a track from its measured rows `own`. The next evaluation of this track changes the
   * returned object in place.
   */
  evaluate(flyer: Flyer, own: TrackRows, nowMs: number): TrackZones {
    const known = this.#tracks.get(flyer.number);
    const zones = known ?? new TrackZones(flyer, this.#around);
    if (!known) this.#tracks.set(flyer.number, zones);
    zones.evaluate(flyer, own, nowMs);
    if (zones.isSomewhere) this.#staying.add(zones);
    return zones;
  }

  /** Returns the zone relations of a track that was evaluated before. */
  of(number: number): TrackZones | undefined {
    return this.#tracks.get(number);
  }

  /** Advances the time of tracks that were not evaluated in this step. Call it after the evaluations. */
  tick(nowMs: number): void {
    for (const zones of this.#staying) {
      zones.tick(nowMs);
      if (!zones.isSomewhere) this.#staying.delete(zones);
    }
  }

  /**
   * Removes an ended track. If it was merged into another track, call this before the next evaluation of that track.
   */
  remove({ number, reason, into }: Pick<TrackRemoval, 'number' | 'reason' | 'into'>, nowMs: number): void {
    const zones = this.#tracks.get(number);
    if (!zones) return;
    this.#tracks.delete(number);
    this.#staying.delete(zones);
    if (into !== undefined) for (const other of this.#tracks.values()) if (other.id === into) other.inherit(zones);
    zones.end(reason, nowMs);
  }

  /** Returns the transitions since the last call in their order, and removes them. */
  takeEvents(): ZoneEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }
}

/** Whether a zone is new, or its version or its heights changed; true for every asset. */
function isOther(was: ProtectedArea | undefined, { zone }: ProtectedArea): boolean {
  if (!was?.zone || !zone) return true;
  return was.zone.version !== zone.version || was.zone.floorM !== zone.floorM || was.zone.ceilingM !== zone.ceilingM;
}
