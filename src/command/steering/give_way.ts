import type { Spot } from '../../geo/flat/chart.ts';
import type { Clearance } from './clearance.ts';
import { directionOf, lengthOf, plus, turned, turnTo } from './spot.ts';

/** A point to flee to is so many seconds away at least, so that nothing slows down for it. */
const AHEAD_S = 4;
/** Going away counts so much more than what comes nearer, and so much besides. */
const FASTER = 1.15;
const FASTER_MPS = 1;

export type Fleeing = {
  maxMps: number;
  velocity: Spot;
  /** How what closes flies. */
  closing: Spot;
  breach: boolean;
};

/**
 * Where to give way to: away from where it is now, at least as fast as it can come nearer, and with what speed is left to the
 * side of its course on which the vehicle is. Straight away alone would be to run before it; to the side alone lets it close.
 */
export function giveWay(clearance: Clearance, fleeing: Fleeing, isFree: (to: Spot) => boolean): Spot {
  const { maxMps, velocity, closing, breach } = fleeing;
  const [now = [0, 0] as Spot] = clearance.ahead;
  const course = directionOf(closing, directionOf(velocity));
  const out = directionOf(plus([0, 0], now, -1), turned(course, Math.PI / 2));
  const off = turnTo(course, out);
  const side = Math.abs(off) > 0.02 ? Math.sign(off) : Math.sign(turnTo(course, velocity)) || 1;
  const aside = breach ? 0 : Math.acos(Math.min(1, (FASTER * lengthOf(closing) + FASTER_MPS) / maxMps));
  const turns = [aside, aside / 2, 0, -aside / 2, -aside, Math.PI / 3, -Math.PI / 3, Math.PI / 2, -Math.PI / 2];
  const shortM = AHEAD_S * maxMps;
  const ways = [shortM, shortM + clearance.standoffM, shortM + 10 * lengthOf(closing) + clearance.standoffM].flatMap(
    (far) => turns.map((turn) => plus([0, 0], turned(out, side * turn), far)),
  );
  const away = ways.filter((to) => clearance.allows(to));
  return away.find(isFree) ?? away[0] ?? plus([0, 0], out, shortM);
}
