import { trackerSettings } from '../../../../src/core/tracking/tracker.ts';

/** Settings of the reference tracker: the defaults of the native one. */
export const settings = {
  qCalm: of('q_calm'),
  qWild: of('q_wild'),
  climbAtBirth: of('climb_at_birth'),
  climbGain: of('climb_gain'),
  climbKept: of('climb_kept'),
  climbLeast: of('climb_least'),
  climbMost: of('climb_most'),
  calmS: of('calm_s'),
  wildS: of('wild_s'),
  calmOdds: of('calm_odds'),
  habitGain: of('habit_gain'),
  habitLeast: of('habit_least'),
  habitMost: of('habit_most'),
  calmAtBirth: of('calm_at_birth'),
  speedSdMps: of('speed_sd_mps'),
  climbSdMps: of('climb_sd_mps'),
  gate: of('gate'),
  hidePerS: of('hide_per_s'),
  showPerS: of('show_per_s'),
  endPerS: of('end_per_s'),
  endHiddenPerS: of('end_hidden_per_s'),
  birthDensity: of('birth_density'),
  birthLeast: of('birth_least'),
  birthMost: of('birth_most'),
  confirmExistence: of('confirm_existence'),
  confirmHits: of('confirm_hits'),
  tentativeExistence: of('tentative_existence'),
  tentativeS: of('tentative_s'),
  confirmedExistence: of('confirmed_existence'),
  lostS: of('lost_s'),
} as const;

function of(name: string): number {
  const value = trackerSettings[name];
  if (value === undefined) throw new Error(`the tracker has no setting ${name}`);
  return value;
}
