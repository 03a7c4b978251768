/**
 * Reaction time to a turn of the track, s: 1 s until an order takes effect, and 0.5 s until a report shows the turn.
 */
const REACTION_S = 1.5;
/**
 * Assumed accelerations of a copter, m/s²: away from the track, towards the track, and while the copter brakes from a
 * speed towards the track.
 */
const OUTWARD_MPS2 = 3;
const INWARD_MPS2 = 5;
export const BRAKING_MPS2 = 2;
/** Greatest acceleration assumed of the followed object, m/s²: 0.7 g. */
const THEIR_MPS2 = 7;
/**
 * Assumed greatest speed of the approaching track: `THEIR_LEAST_MPS`, m/s, or `THEIR_MORE` times its present speed,
 * whichever is higher.
 */
const THEIR_LEAST_MPS = 6;
const THEIR_MORE = 1.1;
/** Distance beyond the standoff that must remain even if the track turns towards the vehicle with `THEIR_MPS2`, m. */
export const SPARE_M = 6;
const STEP_S = 0.25;
const AHEAD_S = 20;

/**
 * Present motion along the line between vehicle and track. `ourOutwardMps` is positive if the vehicle flies away from
 * the track. `theirInwardMps` is positive if the track flies towards the vehicle.
 */
export type Closing = {
  apartM: number;
  ourOutwardMps: number;
  /**
   * Speed of the vehicle across the line, m/s. A part of its acceleration is needed to remove this speed, and only the
   * rest leads away from the track.
   */
  ourAsideMps: number;
  theirInwardMps: number;
  theirSpeedMps: number;
  maxMps: number;
};

/**
 * Returns the least distance, m, between the vehicle and a track that turns towards the vehicle now, with `THEIR_MPS2`.
 * For `REACTION_S`, the vehicle flies to a point `gapM` farther from the track (negative: nearer). After that, the
 * vehicle flies away from the track.
 */
export function nearestIfItTurns(closing: Closing, gapM: number, mostOutwardMps = closing.maxMps): number {
  let { apartM, ourOutwardMps: ours, theirInwardMps: theirs } = closing;
  const theirMost = Math.max(THEIR_LEAST_MPS, THEIR_MORE * closing.theirSpeedMps);
  let [least, gap] = [apartM, gapM];
  for (let inS = 0; inS < AHEAD_S; inS += STEP_S) {
    const braking = Math.sign(gap) * Math.sqrt(2 * BRAKING_MPS2 * Math.abs(gap));
    const wanted = inS < REACTION_S ? Math.max(-closing.maxMps, Math.min(mostOutwardMps, braking)) : closing.maxMps;
    const most = rateOf(closing, ours, wanted) * STEP_S;
    ours += Math.max(-most, Math.min(most, wanted - ours));
    theirs = Math.min(theirMost, theirs + THEIR_MPS2 * STEP_S);
    gap -= ours * STEP_S;
    apartM += (ours - theirs) * STEP_S;
    least = Math.min(least, apartM);
    if (inS > REACTION_S && ours >= theirs) break;
  }
  return least;
}

function rateOf({ ourAsideMps }: Closing, ours: number, wanted: number): number {
  if (wanted < ours) return INWARD_MPS2;
  const outward = (wanted - ours) / Math.max(1e-6, Math.hypot(wanted - ours, ourAsideMps));
  return (ours < 0 ? BRAKING_MPS2 : OUTWARD_MPS2) * outward;
}
