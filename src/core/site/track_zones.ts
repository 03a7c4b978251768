import { AREA } from '../../model/area_row.ts';
import type { ZoneEvent, ZoneEventCause, ZoneTransition } from '../../model/firing.ts';
import { Areas } from '../areas.ts';
import type { ZoneFact } from '../rules/facts.ts';
import { leftOut, type Span } from '../span.ts';
import { concerns, type Flyer } from './flyer.ts';
import { etaIn, type HeightGap, heightGap } from './height.ts';
import type { SiteThing } from './site.ts';
import { type Closeness, Visit } from './visit.ts';

/** So many things are followed for one track; a look tells of 16 at most. */
const MOST_VISITS = 32;

/** The things as they are, when each zone came or was changed, and who is told what happens. */
export type Around = {
  things: readonly SiteThing[];
  closeness: Closeness;
  revision: number;
  /** By zone: the revision in which it came, or was changed. */
  changedIn: ReadonlyMap<string, number>;
  /** Whether those are followed too that are only near, since somebody asks how far they are. */
  followsFar: boolean;
  tell(event: ZoneEvent): void;
};

/**
 * The rows of one track, in the columns of model/area_row.ts: where they begin, how many are of things that are measured
 * and how many of others, and how many more there may be.
 */
export type Told = { rows: Float64Array; from: number; measured: number; contained: number; more: number };

/** What a track that became one with another had been doing in a zone. */
type Legacy = { enteredMs: number; dwelled: boolean };

const noGap: HeightGap = { gapM: 0, basis: 'altitude' };

/**
 * One track and all zones and assets that it is in or near; changed in place. What is seen enters and leaves; what coasts
 * may enter but not leave, since nobody saw it go; and of what is lost nothing is said: it stays where it was seen last
 * until it is seen again or is closed. A tentative track is told of and causes nothing.
 */
export class TrackZones {
  /** Of the zones that are about such a track and that it is in or near. */
  readonly facts: ZoneFact[] = [];
  /** It is in an ignore zone. */
  ignored = false;
  readonly #visits: Visit[] = [];
  readonly #legacy = new Map<string, Legacy>();
  readonly #gap: HeightGap = { gapM: 0, basis: 'altitude' };
  #flyer: Flyer;
  #look = 0;
  #lookedMs = Number.NaN;
  /** Revision of the site when it was last seen, who it was held to be then; 0 where it never was. */
  #seenIn = 0;
  #seenAs: Flyer['affiliation'] = 'unknown';
  #heardAs: Flyer['cooperative'] = 'both';

  constructor(flyer: Flyer) {
    this.#flyer = flyer;
  }

  get id(): string {
    return this.#flyer.id;
  }

  /** How long it has been in a zone or at an asset; 0 where it is not. */
  dwellS(thing: SiteThing, nowMs: number): number {
    for (const visit of this.#visits)
      if (visit.inside && visit.thing === thing) return visit.fact?.dwellS ?? (nowMs - visit.enteredMs) / 1_000;
    return 0;
  }

  /** It is in a zone or at an asset. */
  get isSomewhere(): boolean {
    for (const { inside } of this.#visits) if (inside) return true;
    return false;
  }

  look(flyer: Flyer, told: Told, nowMs: number, around: Around): void {
    this.#flyer = flyer;
    this.#look++;
    this.#lookedMs = nowMs;
    // To set a length takes long, also where it is the same.
    if (this.facts.length > 0) this.facts.length = 0;
    this.ignored = false;
    let followed = 0;
    const end = told.from + (told.measured + told.contained) * AREA.width;
    for (let at = told.from; at < end; at += AREA.width) {
      const close = around.followsFar || around.closeness.isCloseBy(told.rows, at);
      if (!close && followed === this.#visits.length) continue;
      const thing = around.things[told.rows[at + AREA.thing] ?? -1];
      if (!thing) continue;
      const known = this.#placeOf(thing, followed);
      if (!close && known === this.#visits.length) continue;
      if (thing.zone && !concerns(thing.zone, flyer)) continue;
      const visit = this.#visitAt(known, followed, thing);
      if (!visit) continue;
      followed++;
      this.#follow(visit, told.rows, at, nowMs, around);
    }
    this.#endUntold(told, nowMs, around);
    if (this.#legacy.size > 0 && flies(flyer)) this.#legacy.clear();
    if (flyer.state !== 'confirmed') return;
    this.#seenIn = around.revision;
    this.#seenAs = flyer.affiliation;
    this.#heardAs = flyer.cooperative;
  }

  /** Time passes: it may have been in a zone for long enough, without having been looked at. */
  tick(nowMs: number, around: Around): void {
    if (nowMs === this.#lookedMs) return;
    for (const visit of this.#visits) if (visit.inside) this.#stay(visit, nowMs, around);
  }

  /** The site is another. */
  moveTo(things: ReadonlyMap<string, SiteThing>, nowMs: number, around: Around): void {
    for (const visit of [...this.#visits]) {
      const thing = things.get(visit.thing.id);
      if (thing && thing.zone?.kind === visit.thing.zone?.kind) {
        visit.thing = thing;
        continue;
      }
      this.#leave(visit, 'zone', nowMs, around);
      this.#visits.splice(this.#visits.indexOf(visit), 1);
    }
    this.facts.length = 0;
    this.ignored = false;
    for (const visit of this.#visits) this.#show(visit, visit.inside);
  }

  /** A time that does not count for how long it has been in a zone. */
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

  /** It is no more. */
  end(because: ZoneEventCause, nowMs: number, around: Around): void {
    for (const visit of this.#visits) this.#leave(visit, because, nowMs, around);
  }

  /** Takes over how long another track has been where, which turned out to be this one: before the other's end. */
  inherit(other: TrackZones): void {
    for (const { inside, thing, enteredMs, dwelled } of other.#visits) {
      if (!inside) continue;
      const own = this.#visits.find((visit) => visit.inside && visit.thing.id === thing.id);
      if (!own) {
        this.#legacy.set(thing.id, { enteredMs, dwelled });
        continue;
      }
      own.enteredMs = Math.min(own.enteredMs, enteredMs);
      own.dwelled ||= dwelled;
    }
  }

  /** Where the visit to a thing stands, from a place on; the end where there is none. */
  #placeOf(thing: SiteThing, from: number): number {
    const visits = this.#visits;
    let at = from;
    while (at < visits.length && visits[at]?.thing !== thing) at++;
    return at;
  }

  /** The visit that stands there, or a new one, put at a place: in the order of the rows, it stands there again at the next look. */
  #visitAt(at: number, place: number, thing: SiteThing): Visit | null {
    if (at >= MOST_VISITS) return null;
    const visits = this.#visits;
    const visit = visits[at] ?? new Visit(thing);
    const other = visits[place];
    if (other && at !== place) visits[at] = other;
    visits[place] = visit;
    return visit;
  }

  #follow(visit: Visit, rows: Float64Array, at: number, nowMs: number, around: Around): void {
    const flyer = this.#flyer;
    const { zone } = visit.thing;
    const gap = zone ? heightGap(zone, flyer, rows, at, this.#gap) : noGap;
    const distanceM = rows[at + AREA.distanceM] ?? Number.NaN;
    const within = visit.isOver(rows, at) && gap.gapM === 0;
    visit.look = this.#look;
    visit.basis = gap.basis;
    if (within && !visit.inside && flies(flyer)) this.#enter(visit, nowMs, around);
    if (!within && visit.inside && flyer.state === 'confirmed' && visit.isBeyond(distanceM, gap.gapM))
      this.#leave(visit, this.#causeOf(visit, around), nowMs, around);
    const inside = visit.inside || (within && flyer.state === 'tentative');
    const { fact } = visit;
    if (!fact || !zone) return;
    fact.distanceM = distanceM;
    fact.closingMps = rows[at + AREA.closingMps] ?? Number.NaN;
    fact.etaS = inside ? 0 : etaIn(zone, flyer, rows, at, gap);
    if (flyer.state === 'lost') visit.approach.end();
    if (!inside && flies(flyer)) this.#approach(visit, rows[at + AREA.volumeInSigmaS] ?? Number.NaN, nowMs, around);
    this.#stay(visit, nowMs, around);
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

  #approach(visit: Visit, sigmaS: number, nowMs: number, around: Around): void {
    const { fact, thing } = visit;
    if (!fact || !thing.zone || !thing.value.measured) return;
    if (visit.approach.follow(fact.etaS, sigmaS, thing.zone.alarm.eta_s, nowMs))
      this.#tell(visit, 'approach', 'flown', nowMs, around);
  }

  #enter(visit: Visit, nowMs: number, around: Around): void {
    const legacy = this.#legacy.get(visit.thing.id);
    visit.inside = true;
    visit.enteredMs = legacy?.enteredMs ?? nowMs;
    visit.dwelled = legacy?.dwelled ?? false;
    visit.approach.end();
    this.#tell(visit, 'enter', legacy ? 'merged' : this.#causeOf(visit, around), nowMs, around);
  }

  #leave(visit: Visit, because: ZoneEventCause, nowMs: number, around: Around): void {
    if (!visit.inside) return;
    visit.inside = visit.dwelled = false;
    this.#tell(visit, 'exit', because, nowMs, around);
  }

  /** How long it has been there; of what is lost nobody knows, so that it stands until it is seen again. */
  #stay(visit: Visit, nowMs: number, around: Around): void {
    const { fact } = visit;
    if (!fact || (visit.inside && this.#flyer.state === 'lost')) return;
    fact.dwellS = visit.inside ? (nowMs - visit.enteredMs) / 1_000 : 0;
    if (visit.inside && !visit.dwelled && nowMs - visit.enteredMs >= visit.dwellMs) {
      visit.dwelled = true;
      this.#tell(visit, 'dwell', 'flown', nowMs, around);
    }
    fact.dwelling = visit.dwelled;
  }

  /** What was not told of has been left, unless so many things are nearer that it may be just outside or even in it. */
  #endUntold(told: Told, nowMs: number, around: Around): void {
    const { state } = this.#flyer;
    let kept = 0;
    for (const visit of this.#visits) {
      if (visit.look !== this.#look) {
        const meant = !visit.thing.zone || concerns(visit.thing.zone, this.#flyer);
        if (!meant || (state === 'confirmed' && visit.isBeyond(leastUntoldM(visit.thing, told), 0)))
          this.#leave(visit, this.#causeOf(visit, around), nowMs, around);
        if (!visit.inside && !(visit.approach.holds && meant && told.more > 0)) continue;
        this.#stay(visit, nowMs, around);
        this.#show(visit, visit.inside);
      }
      this.#visits[kept++] = visit;
    }
    if (kept < this.#visits.length) this.#visits.length = kept;
  }

  /** Whether it flew there, or the zone or who it is held to be became another since it was last seen. */
  #causeOf({ thing }: Visit, around: Around): ZoneEventCause {
    const { affiliation, cooperative } = this.#flyer;
    if (this.#seenIn === 0) return 'track';
    if ((around.changedIn.get(thing.id) ?? 0) > this.#seenIn) return 'zone';
    return this.#seenAs !== affiliation || this.#heardAs !== cooperative ? 'track' : 'flown';
  }

  /** What is ignored causes nothing; of a keep_in zone it is told who comes and goes. */
  #tell(visit: Visit, transition: ZoneTransition, because: ZoneEventCause, atMs: number, around: Around): void {
    const { thing, fact, basis: height } = visit;
    const kind = thing.zone?.kind;
    if (!kind || kind === 'ignore' || (kind === 'keep_in' && transition === 'dwell')) return;
    const etaS = transition === 'approach' && fact ? fact.etaS : null;
    around.tell({ zoneId: thing.id, trackId: this.id, transition, atMs, etaS, because, height });
  }
}

/** No thing of this kind that was not told of is nearer: all that are near are told of, or the nearest. */
function leastUntoldM({ value }: SiteThing, { rows, from, measured, contained, more }: Told): number {
  const [count, most, end] = value.measured
    ? [measured, Areas.mostMeasured, measured]
    : [contained, Areas.mostContained, measured + contained];
  if (more === 0 || count < most) return Number.POSITIVE_INFINITY;
  return rows[from + (end - 1) * AREA.width + AREA.distanceM] ?? Number.NaN;
}

function flies({ state }: Flyer): boolean {
  return state === 'confirmed' || state === 'coasting';
}
