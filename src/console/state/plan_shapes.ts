import type { Engagement, Plan, PlanLeg } from '../../model/engagement.ts';
import type { Place } from '../map/camera.ts';

/** Path of a vehicle in a plan, and the distance that the vehicle keeps; `isFlown`: the plan is approved. */
export type PlanShape = {
  from: Place;
  to: Place;
  standoffM: number | null;
  /** The track that the plan is about. */
  trackId: string;
  isFlown: boolean;
};

/** Positions that plans refer to; null where one is unknown. */
export type Places = {
  ofVehicle(assetId: string): Place | null;
  ofTrack(trackId: string): Place | null;
};

/** Paths of all plans that can be approved, or of the approved one. Finished engagements have none. */
export function planShapes(engagements: readonly Engagement[], places: Places): PlanShape[] {
  return engagements.flatMap(({ state, candidates, chosen_plan_id }) => {
    const isFlown = state === 'approved' || state === 'executing';
    const isWaiting = state === 'proposed' || state === 'pending_approval';
    if (!isFlown && !isWaiting) return [];
    const plans = isFlown ? candidates.filter(({ id }) => id === chosen_plan_id) : candidates;
    return plans.filter(({ feasible }) => feasible).flatMap((plan) => legShapes(plan, places, isFlown));
  });
}

function legShapes({ legs, track_id: trackId }: Plan, places: Places, isFlown: boolean): PlanShape[] {
  return legs.flatMap((leg) => {
    const from = places.ofVehicle(leg.asset_id);
    const to = targetOf(leg, places);
    if (from === null || to === null) return [];
    const standoffM = 'standoff_m' in leg.params ? (leg.params.standoff_m ?? null) : null;
    return [{ from, to, standoffM, trackId, isFlown }];
  });
}

function targetOf({ params }: PlanLeg, places: Places): Place | null {
  if (params.kind === 'point') return { lat: params.lat, lon: params.lon };
  if (params.kind === 'track') return places.ofTrack(params.track_id);
  if (params.kind === 'asset') return places.ofVehicle(params.asset_id);
  // A take-off and a return have no target, and a search is of a whole zone.
  return null;
}
