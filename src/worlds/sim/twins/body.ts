/** Metres east, north and up of the scenario's origin. */
export type Place = { eastM: number; northM: number; upM: number };

/** Where a twin is and how it moves over the ground. The heading is clockwise from north. */
export type Body = Place & {
  eastMps: number;
  northMps: number;
  upMps: number;
  headingRad: number;
  /** Through the air; of wings alone. */
  airMps: number;
};

/** One manoeuvre at a time; what has come to its end stays in it. */
export type Manoeuvre =
  /** Stops, and stays where it came to stand; wings circle about it. */
  | { kind: 'hold'; upM: number; at: Place | null }
  /** Wings circle about it. */
  | { kind: 'goto'; to: Place; radiusM: number; clockwise: boolean }
  | { kind: 'circle'; middle: Place; radiusM: number; clockwise: boolean }
  | { kind: 'takeoff'; upM: number; waitS: number }
  /** At `overM` or higher, and down where it has come. */
  | { kind: 'return'; overM: number; arrived: boolean; lands: boolean }
  | { kind: 'land'; at: Place | null };

export const apartM = (a: Place, b: Place): number => Math.hypot(a.eastM - b.eastM, a.northM - b.northM);

export const groundMps = ({ eastMps, northMps }: Body): number => Math.hypot(eastMps, northMps);

/** Turns a vertical speed towards the wanted one; rates of climb do not change at once. */
export function lift(body: Body, wantedMps: number, dtS: number): void {
  const most = 2.5 * dtS;
  body.upMps += Math.max(-most, Math.min(most, wantedMps - body.upMps));
}

/** The vertical speed that brings to a height and stops there. */
export function levelTo(body: Body, upM: number, { climbMps, descentMps }: Rates): number {
  const leftM = upM - body.upM;
  const most = leftM > 0 ? climbMps : descentMps;
  return Math.sign(leftM) * Math.min(most, Math.abs(leftM), Math.sqrt(3 * Math.abs(leftM)));
}

type Rates = { climbMps: number; descentMps: number };

const FINAL_M = 8;
const FINAL_MPS = 0.7;

/** The last metres are slow, and what is slowed down for is seen in time. */
export function downTo({ upM }: Body, descentMps: number): number {
  const leftM = Math.max(0, upM - FINAL_M);
  return -Math.min(descentMps, Math.sqrt(FINAL_MPS ** 2 + 2 * leftM));
}
