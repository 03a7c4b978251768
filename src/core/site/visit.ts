import { AREA } from '../../model/area_row.ts';
import type { HeightBasis, ZoneTransition } from '../../model/firing.ts';
import type { ZoneFact } from '../rules/facts.ts';
import { Approach } from './approach.ts';
import type { SiteThing } from './site.ts';

/** At an asset, which is a point, is who is so near; he has left when he is twice as far. */
const AT_ASSET_M = 50;

/** What happens at keep_in zones is that one of ours leaves them. */
const leaving: readonly ZoneTransition[] = ['exit'];
const nothing: readonly ZoneTransition[] = [];

/** The course of one track with one thing: near, in it, how long. */
export class Visit {
  readonly approach = new Approach();
  /** Null of an asset. */
  readonly fact: ZoneFact | null;
  inside = false;
  enteredMs = 0;
  dwelled = false;
  /** What said last that its height is right. */
  basis: HeightBasis = 'altitude';
  /** The look that told of it last. */
  look = 0;
  #thing: SiteThing;

  constructor(thing: SiteThing) {
    this.#thing = thing;
    this.fact = thing.zone && blankFact(thing);
    this.thing = thing;
  }

  get thing(): SiteThing {
    return this.#thing;
  }

  set thing(thing: SiteThing) {
    this.#thing = thing;
    const { fact } = this;
    const { zone } = thing;
    if (!fact || !zone) return;
    fact.name = zone.name;
    fact.kind = zone.kind;
    fact.alarm = { on: alarmOn(zone), severity: zone.alarm.level };
  }

  get dwellMs(): number {
    return this.thing.zone ? this.thing.zone.alarm.dwell_s * 1_000 : Number.POSITIVE_INFINITY;
  }

  /** Within the edge of it, whatever the height. */
  isOver(rows: Float64Array, at: number): boolean {
    return isOver(this.thing, rows, at);
  }

  /** So far outside, along the ground or in height, that it has left. */
  isBeyond(distanceM: number, gapM: number): boolean {
    const { zone } = this.thing;
    if (!zone) return distanceM > 2 * AT_ASSET_M;
    return distanceM > zone.alarm.hysteresis_m || Math.abs(gapM) > zone.alarm.hysteresis_m;
  }
}

function isOver({ zone }: SiteThing, rows: Float64Array, at: number): boolean {
  if (!zone) return (rows[at + AREA.distanceM] ?? Number.POSITIVE_INFINITY) <= AT_ASSET_M;
  return rows[at + AREA.inside] === 1;
}

/** By which it is told who is at a thing, or will be within the time of warning: numbers in a row, since all are asked of all. */
export class Closeness {
  readonly #atM: Float64Array;
  readonly #warnS: Float64Array;

  /** In the order in which rows name the things. */
  constructor(things: readonly SiteThing[]) {
    this.#atM = Float64Array.from(things, ({ zone }) => (zone ? Number.NEGATIVE_INFINITY : AT_ASSET_M));
    this.#warnS = Float64Array.from(things, ({ zone }) => zone?.alarm.eta_s ?? Number.NaN);
  }

  /** Whether a track that is not followed there has to be. Nothing is inside of an asset, which is a point. */
  isCloseBy(rows: Float64Array, at: number): boolean {
    const place = rows[at + AREA.thing] ?? -1;
    if (rows[at + AREA.inside] === 1) return true;
    if ((rows[at + AREA.volumeInS] ?? Number.NaN) <= (this.#warnS[place] ?? Number.NaN)) return true;
    return (rows[at + AREA.distanceM] ?? Number.NaN) <= (this.#atM[place] ?? Number.NaN);
  }
}

function alarmOn({ kind, alarm }: NonNullable<SiteThing['zone']>): readonly ZoneTransition[] {
  if (kind === 'ignore') return nothing;
  return kind === 'keep_in' ? leaving.filter((transition) => alarm.on.includes(transition)) : alarm.on;
}

function blankFact({ id, name, zone }: SiteThing): ZoneFact {
  return {
    id,
    name,
    kind: zone?.kind ?? 'protected',
    alarm: { on: nothing, severity: 'info' },
    inside: false,
    distanceM: Number.NaN,
    closingMps: Number.NaN,
    etaS: Number.POSITIVE_INFINITY,
    dwellS: 0,
    approaching: false,
    dwelling: false,
  };
}
