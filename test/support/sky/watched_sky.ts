import { Core } from '../../../src/core/core.ts';
import type { TrackingSettings } from '../../../src/core/tracking/settings.ts';
import { receiveInto } from '../../../src/model/received_row.ts';
import { OBSERVED, TRACK } from '../../../src/model/rows/layouts.ts';
import {
  type CoreOutput,
  ROW_WIDTH,
  stateCodes,
  type TrackCard,
  type TrackRemoval,
} from '../../../src/model/track_row.ts';
import { settings } from '../core/core.ts';
import { apartM, type SiteAxes, type Vector } from './site_axes.ts';
import type { Sky } from './sky.ts';

/** A track as a test looks at it: in the site's axes, as of the time to which it was told last. */
export type Shown = { number: number; state: string; place: Vector; card: TrackCard; updatedS: number };

/** A core under a sky, and all that it has told. */
export class WatchedSky {
  readonly core: Core;
  readonly rows = new Map<number, Float64Array>();
  readonly cards = new Map<number, TrackCard>();
  readonly removed: TrackRemoval[] = [];
  readonly assigned: number[] = [];
  readonly offsets: CoreOutput['offsets'] = [];
  readonly #site: SiteAxes;
  readonly #siteHeightM: number;
  readonly #told: ReturnType<Sky['told']>;
  #dossiers: Sky['dossiers'];
  #next = 0;

  constructor(sky: Sky, more: Partial<TrackingSettings> = {}) {
    const [latDeg, lonDeg, altHaeM] = sky.site.toGeodetic([0, 0, 0]);
    const life = { ...settings, coastS: 5, lostS: 20, maxTracks: 300 };
    this.core = new Core({ ...life, origin: { latDeg, lonDeg, altHaeM }, ...more }, new Uint8Array(8).fill(7), 0);
    this.core.setSensors(sky.sensors);
    this.#site = sky.site;
    this.#siteHeightM = altHaeM;
    this.#told = sky.told();
    this.#dossiers = sky.dossiers;
  }

  /** Hands over what has arrived until a time and lets it become that time. */
  until(nowS: number): CoreOutput {
    const from = this.#next;
    while ((this.#told[this.#next]?.receivedS ?? Number.POSITIVE_INFINITY) <= nowS) this.#next++;
    return this.#step(from, nowS);
  }

  /** Hands over the next `count` observations, which the sky may have left; the time is that of the last of them. */
  next(count: number): void {
    const from = this.#next;
    this.#next = Math.min(from + count, this.#told.length);
    if (this.#next > from) this.#step(from, this.#told[this.#next - 1]?.receivedS ?? 0);
  }

  /** Lets a part of the time to the next observation pass. */
  letPass(part: number): void {
    const [last, next] = [this.#told[this.#next - 1], this.#told[this.#next]];
    if (last && next) this.#step(this.#next, last.receivedS + part * (next.receivedS - last.receivedS));
  }

  /** Seconds at which the last arrives. */
  get endS(): number {
    return this.#told.at(-1)?.receivedS ?? 0;
  }

  get left(): number {
    return this.#told.length - this.#next;
  }

  #step(from: number, nowS: number): CoreOutput {
    const rows = new Float64Array((this.#next - from) * OBSERVED.width);
    for (let i = from; i < this.#next; i++) rows.set(this.#told[i]?.row ?? [], (i - from) * OBSERVED.width);
    const output = this.core.step({ rows, dossiers: this.#dossiers }, nowS * 1000);
    this.#dossiers = [];
    this.#take(output);
    return output;
  }

  #take(output: CoreOutput): void {
    for (const card of output.cards) this.cards.set(card.number, card);
    receiveInto(output.received, (number) => this.cards.get(number));
    for (let at = 0; at < output.rows.length; at += ROW_WIDTH) {
      this.rows.set(output.rows[at + TRACK.number] ?? 0, output.rows.slice(at, at + ROW_WIDTH));
    }
    for (const removal of output.removed) {
      this.rows.delete(removal.number);
      this.cards.delete(removal.number);
      this.removed.push(removal);
    }
    for (const value of output.assigned) this.assigned.push(value);
    this.offsets.push(...output.offsets);
  }

  /** Tracks with a place that are confirmed, by number. */
  confirmed(): Shown[] {
    return this.shown().filter(({ state }) => state === 'confirmed');
  }

  shown(): Shown[] {
    const found: Shown[] = [];
    for (const [number, row] of [...this.rows].sort(([a], [b]) => a - b)) {
      const card = this.cards.get(number);
      const [lat = 0, lon = 0, height = 0] = [row[TRACK.latDeg], row[TRACK.lonDeg], row[TRACK.altHaeM]];
      if (!card || Number.isNaN(lat)) continue;
      const state = stateCodes[row[TRACK.state] ?? -1] ?? '';
      // A height that nobody knows is taken for that of the site.
      const place = this.#site.fromGeodetic(lat, lon, Number.isNaN(height) ? this.#siteHeightM : height);
      found.push({ number, state, card, place, updatedS: (row[TRACK.updatedMs] ?? 0) / 1000 });
    }
    return found;
  }

  /** Tracks that carry an identity of this value. */
  of(identity: string): Shown[] {
    return this.shown().filter(({ card }) => card.identities.some(({ value }) => value === identity));
  }

  /** The confirmed track that is nearest to a place and within so many metres of it. */
  at(place: Vector, withinM: number): Shown | undefined {
    const near = this.confirmed().filter((shown) => apartM(shown.place, place) <= withinM);
    return near.sort((a, b) => apartM(a.place, place) - apartM(b.place, place))[0];
  }
}
