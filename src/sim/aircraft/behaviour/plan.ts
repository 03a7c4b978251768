import type { ScenarioActor } from '../../../model/scenario.ts';
import type { Chance } from '../../kernel/chance.ts';
import type { Air } from '../flight/air.ts';
import { type Aim, approach, orbit } from './aim.ts';
import type { Behaviour, Shift } from './behaviour.ts';
import { evade } from './evade.ts';
import { formation } from './formation.ts';
import { land } from './land.ts';
import { hold, loiter } from './loiter.ts';
import { followRoute } from './route.ts';

type ActorBehaviour = NonNullable<ScenarioActor['behaviour']>;
type Target = Extract<ActorBehaviour, { kind: 'approach' }>['target'];

type PlanDeps = {
  /** Returns the body of an actor; the first body of a swarm. */
  bodyOf(actorId: string): number;
  shift: Shift;
  /** Flight height until a waypoint gives one, m. */
  heightM: number;
  chance: Chance;
};

/** Returns the behaviours of an actor, in the order in which they are flown. */
export function planOf({ route, behaviour }: ScenarioActor, deps: PlanDeps): Behaviour[] {
  const heights = route.flatMap(({ height_m }) => (height_m === undefined ? [] : [height_m + deps.shift.upM]));
  const lastM = heights.at(-1) ?? deps.heightM;
  const repeats = behaviour?.kind === 'route' && behaviour.repeat;
  const plan = route.length > 0 ? [followRoute(route, repeats, deps.heightM, deps.shift)] : [];
  const then = behaviour && behaviourOf(behaviour, lastM, deps);
  return [...plan, then ?? hold(lastM)];
}

function behaviourOf(
  behaviour: ActorBehaviour,
  heightM: number,
  { bodyOf, shift, chance }: PlanDeps,
): Behaviour | null {
  const aimOf = (target: Target): Aim => ('actor' in target ? { body: bodyOf(target.actor) } : { place: target });
  switch (behaviour.kind) {
    case 'route':
      return null;
    case 'loiter':
      return loiter(behaviour.radius_m, heightM);
    case 'approach':
      return approach(aimOf(behaviour.target), behaviour.speed_mps, behaviour.height_m, heightM, shift);
    case 'evade':
      return evade(bodyOf(behaviour.from), behaviour.within_m, heightM, chance);
    case 'land':
      return land();
    case 'formation': {
      const { right_m, ahead_m, above_m } = behaviour;
      return formation(bodyOf(behaviour.with), { rightM: right_m, aheadM: ahead_m, aboveM: above_m }, shift);
    }
    case 'orbit': {
      const { target, radius_m, direction, speed_mps, height_m } = behaviour;
      const ofPlace = 'actor' in target ? undefined : target.height_m;
      const options = { radiusM: radius_m, clockwise: direction === 'clockwise', speedMps: speed_mps };
      return orbit(aimOf(target), { ...options, heightM: height_m ?? ofPlace ?? heightM }, shift);
    }
  }
}

export type Pilot = (air: Air, i: number, atS: number) => void;

/** Creates a pilot that flies one behaviour after another, and lands at the end of the aircraft's endurance. */
export function pilotOf(plan: readonly Behaviour[]): Pilot {
  let at = 0;
  let landing: Behaviour | null = null;
  return (air, i, atS) => {
    if ((air.flownS[i] as number) >= (air.limits[i]?.enduranceS ?? 0)) landing ??= land();
    if (landing) landing(air, i, atS);
    else if (plan[at]?.(air, i, atS) && at < plan.length - 1) at++;
  };
}
