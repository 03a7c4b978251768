import type { Spot } from '../../../geo/position.ts';
import type { Clearance } from './clearance.ts';
import { type Closing, nearestIfItTurns, SPARE_M } from './closing.ts';
import { directionOf, lengthOf, opposite, plus, turned, turnTo } from './spot.ts';

/** A point to flee to is so many seconds away at least, so that nothing slows down for it. */
const AHEAD_S = 4;
/** From straight away to straight aside. */
const TURNS = [0, 15, 30, 45, 60, 75, 90].map((deg) => (deg * Math.PI) / 180);

type Fleeing = {
  velocity: Spot;
  /** Velocity of the approaching object. */
  theirs: Spot;
  closing: Closing;
};

/**
 * Point to give way to: off the course of what closes, to the side on which the vehicle is, and as much away from where it is
 * now as keeps the standoff should it turn. Straight away alone would be to run before it; aside alone might let it close.
 */
export function giveWay(clearance: Clearance, fleeing: Fleeing, isFree: (to: Spot) => boolean): Spot {
  const { velocity, theirs, closing } = fleeing;
  const [now = [0, 0] as Spot] = clearance.ahead;
  const course = directionOf(theirs, directionOf(velocity));
  const out = directionOf(opposite(now), turned(course, Math.PI / 2));
  const off = turnTo(course, out);
  const side = Math.abs(off) > 0.02 ? Math.sign(off) : Math.sign(turnTo(course, velocity)) || 1;
  const shortM = AHEAD_S * closing.maxMps;
  const longM = [shortM, shortM + clearance.standoffM, shortM + 10 * lengthOf(theirs) + clearance.standoffM];
  const safe = TURNS.filter((turn) => isKept(clearance, closing, shortM, turn)).reverse();
  const sides = [
    ...safe.map((turn) => side * turn),
    ...safe.map((turn) => -side * turn),
    0,
    ...TURNS,
    ...TURNS.map((turn) => -turn),
  ];
  const away = longM
    .flatMap((far) => sides.map((turn) => plus([0, 0], turned(out, turn), far)))
    .filter((to) => clearance.allows(to));
  return away.find(isFree) ?? away[0] ?? plus([0, 0], out, shortM);
}

function isKept({ standoffM }: Clearance, closing: Closing, farM: number, turn: number): boolean {
  const outward = Math.cos(turn);
  return nearestIfItTurns(closing, farM * outward, closing.maxMps * outward) >= standoffM + SPARE_M;
}
