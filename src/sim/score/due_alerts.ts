import { Chart } from '../../geo/flat/chart.ts';
import { type Drawn, Footprint } from '../../geo/flat/footprint.ts';
import type { Heights } from '../../geo/geoid.ts';
import { middleOf } from '../../geo/shape/middle.ts';
import { holdsAt } from '../../model/schedule.ts';
import type { Zone } from '../../model/zone.ts';
import { zoneValue } from '../../world/site_plan.ts';
import type { Cast } from './cast.ts';
import { isToBeFollowed, type TruePlace } from './truth.ts';

/**
 * An alert that must come: its actor, the world time from which it is due, ms, and its zone. The zone is null if
 * only an expectation of the scenario requires the alert.
 */
export type DueAlert = { actorId: string; fromMs: number; zoneId: string | null };

type Drawing = { chart: Chart; drawn: Drawn | null; floorM: number; ceilingM: number };

/**
 * Distance from the chart's middle beyond which a zone's outline is not projected, m. It drops no zone, because each
 * chart is centred on its zone.
 */
const FAR_M = 1_000_000;

/** Finds actors about which an alert is due: hostile actors, from the time at which they enter a guarded zone. */
export class DueAlerts {
  readonly #cast: Cast;
  readonly #zones: () => readonly Zone[];
  readonly #heights: Heights;
  readonly #drawings = new WeakMap<Zone, Drawing>();
  readonly #due = new Map<string, DueAlert>();

  constructor(cast: Cast, zones: () => readonly Zone[], heights: Heights) {
    this.#cast = cast;
    this.#zones = zones;
    this.#heights = heights;
  }

  evaluate(places: readonly TruePlace[], atMs: number): void {
    const zones = this.#zones().filter((zone) => isGuarded(zone) && holds(zone, atMs));
    if (zones.length === 0) return;
    for (const place of places) {
      const actor = this.#cast.of(place.id);
      if (actor?.truth_affiliation !== 'hostile' || this.#due.has(actor.id) || !isToBeFollowed(place)) continue;
      const zone = zones.find((zone) => this.#isInside(zone, place));
      if (zone) this.#due.set(actor.id, { actorId: actor.id, fromMs: atMs, zoneId: zone.id });
    }
  }

  all(): DueAlert[] {
    return [...this.#due.values()];
  }

  #isInside(zone: Zone, place: TruePlace): boolean {
    const { chart, drawn, floorM, ceilingM } = this.#drawingOf(zone);
    if (!drawn || place.altHaeM < floorM || place.altHaeM > ceilingM) return false;
    return drawn.depth(chart.spotOf(place)) >= 0;
  }

  #drawingOf(zone: Zone): Drawing {
    const known = this.#drawings.get(zone);
    if (known) return known;
    const chart = new Chart(middleOf(zone.geometry));
    const { floorM, ceilingM } = zoneValue(zone, this.#heights);
    const drawing = { chart, drawn: new Footprint(zone.geometry).on(chart, FAR_M), floorM, ceilingM };
    this.#drawings.set(zone, drawing);
    return drawing;
  }
}

/**
 * True if the entry of a stranger must raise an alert: in an enabled protected zone, or an enabled alert zone whose
 * alarm includes `enter`.
 */
function isGuarded({ kind, enabled, alarm }: Zone): boolean {
  return enabled && (kind === 'protected' || (kind === 'alert' && alarm.on.includes('enter')));
}

function holds({ schedule }: Zone, atMs: number): boolean {
  return schedule === null || holdsAt(schedule, atMs);
}
