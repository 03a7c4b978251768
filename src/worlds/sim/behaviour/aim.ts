import type { ScenarioPlace } from '../../../model/scenario.ts';
import type { Air } from '../flight/air.ts';

/** What something is done about: a body, or a place that does not move. */
export type Aim = { body: number } | { place: ScenarioPlace };

export const aimEastM = (air: Air, aim: Aim): number =>
  'body' in aim ? (air.eastM[aim.body] as number) : aim.place.east_m;
export const aimNorthM = (air: Air, aim: Aim): number =>
  'body' in aim ? (air.northM[aim.body] as number) : aim.place.north_m;
/** Undefined of a place that has none. */
export const aimHeightM = (air: Air, aim: Aim): number | undefined =>
  'body' in aim ? (air.heightM[aim.body] as number) : aim.place.height_m;
export const aimEastMps = (air: Air, aim: Aim): number => ('body' in aim ? (air.eastMps[aim.body] as number) : 0);
export const aimNorthMps = (air: Air, aim: Aim): number => ('body' in aim ? (air.northMps[aim.body] as number) : 0);
