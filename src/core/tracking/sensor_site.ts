import type { Geodetic } from '../../geo/position.ts';
import { isPlace } from './plausible.ts';
import type { SensorValue } from './settings.ts';
import type { Tracker } from './tracker.ts';

/**
 * Sensors of the tracker by index, and the origin of the site's axes. If none is configured, the first known position
 * of a sensor or an aircraft becomes the origin.
 */
export class SensorSite {
  readonly #tracker: Tracker;
  readonly #sensors = new Map<number, SensorValue>();
  readonly #flush: () => void;
  #hasOrigin: boolean;

  /**
   * `flush` processes the waiting observations. It is called before the origin changes, so that they are converted with
   * the axes valid at their arrival.
   */
  constructor(tracker: Tracker, hasOrigin: boolean, flush: () => void) {
    this.#tracker = tracker;
    this.#hasOrigin = hasOrigin;
    this.#flush = flush;
  }

  get hasOrigin(): boolean {
    return this.#hasOrigin;
  }

  get(index: number): SensorValue | undefined {
    return this.#sensors.get(index);
  }

  values(): Iterable<SensorValue> {
    return this.#sensors.values();
  }

  set(sensors: readonly SensorValue[]): void {
    const place = sensors.find(({ placement }) => placement && isPlace(placement))?.placement;
    for (const sensor of sensors) this.#sensors.set(sensor.index, sensor);
    if (!this.#hasOrigin && place) this.setOrigin(place);
    else for (const sensor of sensors) this.#tracker.setSensor(sensor);
  }

  setOrigin(place: Geodetic): void {
    this.#flush();
    this.#hasOrigin = true;
    this.#tracker.setSite(place);
    for (const sensor of this.#sensors.values()) this.#tracker.setSensor(sensor);
  }
}
