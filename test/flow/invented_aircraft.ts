import type { OdidLocation } from '../../src/edge/wire/odid/message.ts';
import { type Place, placeAt } from '../support/basics/place.ts';
import { randomFrom } from '../support/basics/random.ts';
import { Aircraft } from '../support/sky/aircraft.ts';

const STEP_S = 1;

/**
 * An aircraft that somebody made up: it wanders about a place, another way each second. It flies as it says, or its places
 * are drawn by lot and contradict what it says of its speed.
 */
export class Invented extends Aircraft {
  readonly #random: () => number;
  readonly #flies: boolean;
  #at: Place;
  #course: number;

  constructor(of: { mac: string; serial: string; about: Place; seed: number; flies: boolean }) {
    const random = randomFrom(of.seed);
    const from = placeAt(of.about, random() * 360, 100 + random() * 250);
    super({ mac: of.mac, serial: of.serial, from, speedMps: 8 + 6 * random() });
    this.#random = random;
    this.#flies = of.flies;
    this.#at = from;
    this.#course = random() * 360;
  }

  /** What it says next, a second after what it said before. */
  next(): OdidLocation {
    const { speedMps, from } = this.flight;
    const random = this.#random;
    this.#course = (this.#course + 360 + (random() - 0.5) * 40) % 360;
    this.#at = this.#flies
      ? placeAt(this.#at, this.#course, speedMps * STEP_S)
      : placeAt(from, random() * 360, random() * 400);
    const { lat, lon } = this.#at;
    return { ...this.location(0), latDeg: lat, lonDeg: lon, directionDeg: Math.round(this.#course) % 360 };
  }
}
