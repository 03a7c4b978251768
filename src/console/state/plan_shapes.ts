import type { Engagement, Plan, PlanLeg } from '../../model/engagement.ts';
import type { Place } from '../map/camera.ts';

/** Way of a vehicle by a plan, and the distance that it keeps; `isFlown` once a person has approved. */
export type PlanShape = {
  from: Place;
  to: Place;
  standoffM: number | null;
  isFlown: boolean;
};

/** Places that plans are about: null where one is not known. */
export type Places = {
  ofVehicle(assetId: string): Place | null;
  ofTrack(trackId: string): Place | null;
};

/** Ways of all plans that can be approved, or of the one that was; nothing of engagements that are over. */
export function planShapes(engagements: readonly Engagement[], places: Places): PlanShape[] {
  return engagements.flatMap(({ state, candidates, chosen_plan_id }) => {
    const isFlown = state === 'approved' || state === 'executing';
    const isWaiting = state === 'proposed' || state === 'pending_approval';
    if (!isFlown && !isWaiting) return [];
    const plans = isFlown ? candidates.filter(({ id }) => id === chosen_plan_id) : candidates;
    return plans.filter(({ feasible }) => feasible).flatMap((plan) => legShapes(plan, places, isFlown));
  });
}

function legShapes({ legs }: Plan, places: Places, isFlown: boolean): PlanShape[] {
  return legs.flatMap((leg) => {
    const from = places.ofVehicle(leg.asset_id);
    const to = targetOf(leg, places);
    if (from === null || to === null) return [];
    const standoffM = 'standoff_m' in leg.params ? (leg.params.standoff_m ?? null) : null;
    return [{ from, to, standoffM, isFlown }];
  });
}

function targetOf({ params }: PlanLeg, places: Places): Place | null {
  if (params.kind === 'point') return { lat: params.lat, lon: params.lon };
  if (params.kind === 'track') return places.ofTrack(params.track_id);
  if (params.kind === 'asset') return places.ofVehicle(params.asset_id);
  // A take-off and a return have no target of their own; a search is of a whole zone.
  return null;
}
