import type { DecisionPolicy } from '../../../model/decision_config.ts';
import { fall } from '../ramp.ts';
import type { Situation, Standing } from '../situation.ts';
import { FACTOR, type Tally } from '../tally.ts';
import { metres, type Wordings } from '../words.ts';

const { proximity: PROXIMITY, inside: INSIDE, low_altitude: LOW_ALTITUDE } = FACTOR;

/** What comes down is judged by the height that it has so much later. */
const DESCENT_AHEAD_S = 20;

/** How a track stands to a thing, in shares of 0 to 1 that several factors go by. */
export type Shares = {
  /** How near it is along the ground. */
  near: number;
  /** How much it is over, under or in the thing, whatever its height. */
  there: number;
  /** How much it is in it. */
  inside: number;
  /** How much what happens along the ground matters at its height over the thing. */
  height: number;
};

/** One for all: thousands of standings are looked at one after another. */
const shares: Shares = { near: 0, there: 0, inside: 0, height: 0 };

/** Good until they are asked of another standing. */
export function sharesOf(standing: Standing, situation: Situation, { curves }: DecisionPolicy): Shares {
  const { distanceM } = standing;
  shares.near = fall(distanceM, curves.proximity_near_m, curves.proximity_far_m);
  shares.there = fall(distanceM, 0, curves.edge_ramp_m);
  shares.inside = insideShare(standing, shares.there, curves);
  shares.height = heightShare(standing, situation, curves);
  return shares;
}

type Curves = DecisionPolicy['curves'];

/**
 * 0 to 1, how much it is in a thing: 1 from the edge on, and less over the last metres outside, so that a plot that
 * jitters about a fence does not make the score jump. A height that nobody knows counts as inside.
 */
function insideShare(standing: Standing, along: number, curves: Curves): number {
  if (along === 0) return 0;
  const gapM = Math.abs(standing.heightGapM);
  return Number.isNaN(gapM) ? along : along * fall(gapM, 0, curves.edge_ramp_m);
}

/** 0 to 1, how much what happens along the ground matters at its height over the thing; what is below can climb. */
function heightShare(standing: Standing, situation: Situation, curves: Curves): number {
  const { climbMps } = situation;
  const comesDownM = climbMps < 0 ? -climbMps * DESCENT_AHEAD_S : 0;
  const gapM = standing.heightGapM - comesDownM;
  return gapM > 0 ? fall(gapM, 0, curves.height_over_m) : 1;
}

export function tellNearness(
  { values, strengths }: Tally,
  { distanceM }: Standing,
  { near, inside, height }: Shares,
  { heightM }: Situation,
  { curves }: DecisionPolicy,
): void {
  values[PROXIMITY] = values[INSIDE] = distanceM;
  strengths[PROXIMITY] = near * height;
  strengths[INSIDE] = inside;
  values[LOW_ALTITUDE] = heightM;
  strengths[LOW_ALTITUDE] = fall(heightM, curves.altitude_low_m, curves.altitude_high_m) * near;
}

export const nearnessWords: Wordings = {
  proximity: {
    unit: 'm',
    say: ({ value, standing }) =>
      value > 0 ? `It is ${metres(value)} from ${standing.name}.` : `It is over ${standing.name}.`,
  },
  inside: {
    unit: 'm',
    say: ({ value, standing }) => {
      const { name, heightGapM } = standing;
      if (value > 0) return `It is at the edge of ${name}, ${metres(value)} outside.`;
      if (heightGapM > 0) return `It is over ${name}, ${metres(heightGapM)} above its ceiling.`;
      if (heightGapM < 0) return `It is under ${name}, ${metres(-heightGapM)} below its floor.`;
      const unsure = Number.isNaN(heightGapM) ? ' as far as is known: its height is not' : '';
      return `It is in ${name}, ${metres(-value)} from the edge${unsure}.`;
    },
  },
  low_altitude: {
    unit: 'm',
    say: ({ value, standing }) => `It is low, ${metres(value)} up, near ${standing.name}: look towards the horizon.`,
  },
};
