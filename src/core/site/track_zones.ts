import type { ZoneEvent, ZoneEventCause, ZoneTransition } from '../../model/firing.ts';
import { AREA } from '../../model/rows/layouts.ts';
import type { ZoneFact } from '../rules/facts.ts';
import { Areas } from '../tracking/areas.ts';
import { leftOut, type Span } from '../tracking/span.ts';
import { concerns, type Flyer } from './flyer.ts';
import { etaIn, type HeightGap, heightGap } from './height.ts';
import type { ProtectedArea } from './site.ts';
import { type Closeness, Visit } from './visit.ts';

/** Greatest number of areas followed for one track. */
const MOST_VISITS = 32;

/** State shared by all tracks: the areas, the revision of the site, and the callback for transitions. */
export type Around = {
  protectedAreas: readonly ProtectedArea[];
  closeness: Closeness;
  revision: number;
  /** Revision in which each zone was created or last changed, by zone id. */
  changedIn: ReadonlyMap<string, number>;
  /** Whether to follow areas that a track is only near. True if a rule uses the distance of a track from a zone. */
  followsFar: boolean;
  publish(event: ZoneEvent): void;
};

/**
 * Measured rows of one track, in the `area` columns of native/layouts.json, beginning at index `from`. The first
 * `measured` rows are of areas whose approach is measured. The next `contained` rows are of other areas that the track
 * is in or near. `more` is the number of areas that may be near and have no row.
 */
export type TrackRows = { rows: Float64Array; from: number; measured: number; contained: number; more: number };

/**
 * Visit that another track made before it was merged into this one: the time of entry, and whether the zone's dwell
 * time had passed.
 */
type Legacy = { enteredMs: number; dwelled: boolean };

const noGap: HeightGap = { gapM: 0, basis: 'altitude' };

/**
 * Relations of one track to the zones and assets that it is in or near. A confirmed track can enter and leave. A
 * coasting track can enter, but its movement ends no visit, because no sensor saw it leave. A lost track keeps its
 * state until it is seen again or closed. A tentative track counts as inside, but causes no transitions.
 */
export class TrackZones {
  /**
   * Relations to the zones that apply to the track: those that it is in or will soon enter, and with `followsFar` those
   * that it is near.
   */
  readonly facts: ZoneFact[] = [];
  /** Whether the track is in an ignore zone. */
  ignored = false;
  readonly #visits: Visit[] = [];
  readonly #legacy = new Map<string, Legacy>();
  readonly #gap: HeightGap = { gapM: 0, basis: 'altitude' };
  readonly #around: Around;
  #flyer: Flyer;
  #evaluation = 0;
  #lookedMs = Number.NaN;
  /**
   * Values when the track was last confirmed: the revision of the site (0 if the track never was), its affiliation and
   * the basis of it, and its `cooperative` value.
   */
  #seenIn = 0;
  #seenAs: Flyer['affiliation'] = 'unknown';
  #seenBasis: Flyer['affiliationBasis'] = 'none';
  #receivedAs: Flyer['cooperative'] = 'both';

  constructor(flyer: Flyer, around: Around) {
    this.#flyer = flyer;
    this.#around = around;
  }

  get id(): string {
    return this.#flyer.id;
  }

  /** Returns the time spent in the zone or at the asset, s; 0 outside. */
  dwellS(protectedArea: ProtectedArea, nowMs: number): number {
    for (const visit of this.#visits)
      if (visit.inside && visit.protectedArea === protectedArea)
        return visit.fact?.dwellS ?? (nowMs - visit.enteredMs) / 1_000;
    return 0;
  }

  /** Whether the track is in any zone or at any asset. */
  get isSomewhere(): boolean {
    for (const { inside } of this.#visits) if (inside) return true;
    return false;
  }

  evaluate(flyer: Flyer, own: TrackRows, nowMs: number): void {
    const around = this.#around;
    this.#flyer = flyer;
    this.#evaluation++;
    this.#lookedMs = nowMs;
    // The comparison avoids an assignment to `length`, which is slow even if the length stays the same.
    if (this.facts.length > 0) this.facts.length = 0;
    this.ignored = false;
    let followed = 0;
    const end = own.from + (own.measured + own.contained) * AREA.width;
    for (let at = own.from; at < end; at += AREA.width) {
      const close = around.followsFar || around.closeness.isCloseBy(own.rows, at);
      if (!close && followed === this.#visits.length) continue;
      const thing = around.protectedAreas[own.rows[at + AREA.thing] ?? -1];
      if (!thing) continue;
      const known = this.#placeOf(thing, followed);
      if (!close && known === this.#visits.length) continue;
      if (thing.zone && !concerns(thing.zone, flyer)) continue;
      const visit = this.#visitAt(known, followed, thing);
      if (!visit) continue;
      followed++;
      this.#follow(visit, own.rows, at, nowMs);
    }
    this.#endUnmeasured(own, nowMs);
    if (this.#legacy.size > 0 && flies(flyer)) this.#legacy.clear();
    if (flyer.state !== 'confirmed') return;
    this.#seenIn = around.revision;
    this.#seenAs = flyer.affiliation;
    this.#seenBasis = flyer.affiliationBasis;
    this.#receivedAs = flyer.cooperative;
  }

  /** Advances the dwell times without a new position of the track. */
  tick(nowMs: number): void {
    if (nowMs === this.#lookedMs) return;
    for (const visit of this.#visits) if (visit.inside) this.#stay(visit, nowMs);
  }

  /**
   * Lets the visits refer to the areas of a changed site. Visits end if their area was removed, or their zone changed
   * its kind.
   */
  moveTo(things: ReadonlyMap<string, ProtectedArea>, nowMs: number): void {
    for (const visit of [...this.#visits]) {
      const thing = things.get(visit.protectedArea.id);
      if (thing && thing.zone?.kind === visit.protectedArea.zone?.kind) {
        visit.protectedArea = thing;
        continue;
      }
      this.#leave(visit, 'zone', nowMs);
      this.#visits.splice(this.#visits.indexOf(visit), 1);
    }
    this.facts.length = 0;
    this.ignored = false;
    for (const visit of this.#visits) this.#show(visit, visit.inside);
  }

  /** Excludes a span of time from the dwell times. */
  leaveOut(span: Span): void {
    for (const visit of this.#visits) {
      if (!visit.inside) continue;
      visit.enteredMs = leftOut(visit.enteredMs, span);
      visit.dwelled &&= span.toMs - visit.enteredMs >= visit.dwellMs;
      if (!visit.fact) continue;
      visit.fact.dwellS = (span.toMs - visit.enteredMs) / 1_000;
      visit.fact.dwelling = visit.dwelled;
    }
  }

  /** Ends all visits. */
  end(because: ZoneEventCause, nowMs: number): void {
    for (const visit of this.#visits) this.#leave(visit, because, nowMs);
  }

  /**
   * Takes over the visits of the track `other`, which is merged into this one: entry times, and whether the dwell time
   * had passed. Call this before `other` ends.
   */
  inherit(other: TrackZones): void {
    for (const { inside, protectedArea: thing, enteredMs, dwelled } of other.#visits) {
      if (!inside) continue;
      const own = this.#visits.find((visit) => visit.inside && visit.protectedArea.id === thing.id);
      if (!own) {
        this.#legacy.set(thing.id, { enteredMs, dwelled });
        continue;
      }
      own.enteredMs = Math.min(own.enteredMs, enteredMs);
      own.dwelled ||= dwelled;
    }
  }

  /**
   * Returns the index of the visit to an area, searched from index `from` on; the length of the list if there is none.
   */
  #placeOf(thing: ProtectedArea, from: number): number {
    const visits = this.#visits;
    let at = from;
    while (at < visits.length && visits[at]?.protectedArea !== thing) at++;
    return at;
  }

  /**
   * Returns the visit at index `at` of the list, or a new one if there is none, and moves it to index `place`. The list
   * then has the order of the rows, so the next evaluation finds visits without a search. Returns null if a new visit
   * would exceed `MOST_VISITS`.
   */
  #visitAt(at: number, place: number, thing: ProtectedArea): Visit | null {
    if (at >= MOST_VISITS) return null;
    const visits = this.#visits;
    const visit = visits[at] ?? new Visit(thing);
    const other = visits[place];
    if (other && at !== place) visits[at] = other;
    visits[place] = visit;
    return visit;
  }

  #follow(visit: Visit, rows: Float64Array, at: number, nowMs: number): void {
    const flyer = this.#flyer;
    const { zone } = visit.protectedArea;
    const gap = zone ? heightGap(zone, flyer, rows, at, this.#gap) : noGap;
    const distanceM = rows[at + AREA.distanceM] ?? Number.NaN;
    const within = visit.isOver(rows, at) && gap.gapM === 0;
    visit.evaluation = this.#evaluation;
    visit.basis = gap.basis;
    if (within && !visit.inside && flies(flyer)) this.#enter(visit, nowMs);
    if (!within && visit.inside && flyer.state === 'confirmed' && visit.isBeyond(distanceM, gap.gapM))
      this.#leave(visit, this.#causeOf(visit), nowMs);
    const inside = visit.inside || (within && flyer.state === 'tentative');
    const { fact } = visit;
    if (!fact || !zone) return;
    fact.distanceM = distanceM;
    fact.closingMps = rows[at + AREA.closingMps] ?? Number.NaN;
    fact.etaS = inside ? 0 : etaIn(zone, flyer, rows, at, gap);
    if (flyer.state === 'lost') visit.approach.end();
    if (!inside && flies(flyer)) this.#approach(visit, rows[at + AREA.volumeInSigmaS] ?? Number.NaN, nowMs);
    this.#stay(visit, nowMs);
    this.#show(visit, inside);
  }

  #show(visit: Visit, inside: boolean): void {
    const { fact } = visit;
    if (!fact) return;
    fact.inside = inside;
    fact.approaching = visit.approach.holds;
    if (inside && fact.kind === 'ignore') this.ignored = true;
    this.facts.push(fact);
  }

  #approach(visit: Visit, sigmaS: number, nowMs: number): void {
    const { fact, protectedArea: thing } = visit;
    if (!fact || !thing.zone || !thing.value.measured) return;
    if (visit.approach.follow(fact.etaS, sigmaS, thing.zone.alarm.eta_s, nowMs))
      this.#publish(visit, 'approach', 'flown', nowMs);
  }

  #enter(visit: Visit, nowMs: number): void {
    const legacy = this.#legacy.get(visit.protectedArea.id);
    visit.inside = true;
    visit.enteredMs = legacy?.enteredMs ?? nowMs;
    visit.dwelled = legacy?.dwelled ?? false;
    visit.approach.end();
    this.#publish(visit, 'enter', legacy ? 'merged' : this.#causeOf(visit), nowMs);
  }

  #leave(visit: Visit, because: ZoneEventCause, nowMs: number): void {
    if (!visit.inside) return;
    visit.inside = visit.dwelled = false;
    this.#publish(visit, 'exit', because, nowMs);
  }

  /**
   * Advances the dwell time of a visit. For a lost track the shown time stops, because its position is unknown. If it
   * is seen inside again, the gap counts as well.
   */
  #stay(visit: Visit, nowMs: number): void {
    const { fact } = visit;
    if (!fact || (visit.inside && this.#flyer.state === 'lost')) return;
    fact.dwellS = visit.inside ? (nowMs - visit.enteredMs) / 1_000 : 0;
    if (visit.inside && !visit.dwelled && nowMs - visit.enteredMs >= visit.dwellMs) {
      visit.dwelled = true;
      this.#publish(visit, 'dwell', 'flown', nowMs);
    }
    fact.dwelling = visit.dwelled;
  }

  /**
   * Ends visits to zones that no longer apply to the track. Also ends a confirmed track's visits to areas without a
   * row, unless nearer areas may have taken all rows: the track may then be just outside or even inside.
   */
  #endUnmeasured(own: TrackRows, nowMs: number): void {
    const { state } = this.#flyer;
    let kept = 0;
    for (const visit of this.#visits) {
      if (visit.evaluation !== this.#evaluation) {
        const meant = !visit.protectedArea.zone || concerns(visit.protectedArea.zone, this.#flyer);
        if (!meant || (state === 'confirmed' && visit.isBeyond(leastUnmeasuredM(visit.protectedArea, own), 0)))
          this.#leave(visit, this.#causeOf(visit), nowMs);
        if (!visit.inside && !(visit.approach.holds && meant && own.more > 0)) continue;
        this.#stay(visit, nowMs);
        this.#show(visit, visit.inside);
      }
      this.#visits[kept++] = visit;
    }
    if (kept < this.#visits.length) this.#visits.length = kept;
  }

  /**
   * Returns the cause of a transition. `flown`: the track moved. `zone`: the zone changed since the track was last
   * confirmed. `track`: the track's identification changed since then, or the track is new.
   */
  #causeOf({ protectedArea: thing }: Visit): ZoneEventCause {
    const { affiliation, affiliationBasis, cooperative } = this.#flyer;
    if (this.#seenIn === 0) return 'track';
    if ((this.#around.changedIn.get(thing.id) ?? 0) > this.#seenIn) return 'zone';
    if (this.#seenAs !== affiliation || this.#seenBasis !== affiliationBasis) return 'track';
    return this.#receivedAs !== cooperative ? 'track' : 'flown';
  }

  /** Publishes a transition. Assets and ignore zones have no transitions, and keep-in zones have no dwelling. */
  #publish(visit: Visit, transition: ZoneTransition, because: ZoneEventCause, atMs: number): void {
    const { protectedArea: thing, fact, basis: height } = visit;
    const kind = thing.zone?.kind;
    if (!kind || kind === 'ignore' || (kind === 'keep_in' && transition === 'dwell')) return;
    const etaS = transition === 'approach' && fact ? fact.etaS : null;
    this.#around.publish({ zoneId: thing.id, trackId: this.id, transition, atMs, etaS, because, height });
  }
}

/** Returns a lower bound of the distance of an area without a row, m; Infinity if all near areas have a row. */
function leastUnmeasuredM({ value }: ProtectedArea, { rows, from, measured, contained, more }: TrackRows): number {
  const [count, most, end] = value.measured
    ? [measured, Areas.mostMeasured, measured]
    : [contained, Areas.mostContained, measured + contained];
  if (more === 0 || count < most) return Number.POSITIVE_INFINITY;
  return rows[from + (end - 1) * AREA.width + AREA.distanceM] ?? Number.NaN;
}

function flies({ state }: Flyer): boolean {
  return state === 'confirmed' || state === 'coasting';
}
