import type { ScenarioActor } from '../../../model/scenario.ts';
import type { Chance } from '../chance.ts';
import type { Aim } from './aim.ts';
import { Approach } from './approach.ts';
import type { Behaviour, Shift } from './behaviour.ts';
import { Evade } from './evade.ts';
import { Formation } from './formation.ts';
import { Land } from './land.ts';
import { Hold, Loiter } from './loiter.ts';
import { Orbit } from './orbit.ts';
import { Route } from './route.ts';

type Target = Extract<NonNullable<ScenarioActor['behaviour']>, { kind: 'approach' }>['target'];

export type PlanRim = {
  /** The body of an actor, of a swarm its first. */
  bodyOf(actorId: string): number;
  shift: Shift;
  /** Where it flies when nothing says how high. */
  heightM: number;
  chance: Chance;
};

/** What an actor does, one thing after another. */
export function planOf({ route, behaviour }: Pick<ScenarioActor, 'route' | 'behaviour'>, rim: PlanRim): Behaviour[] {
  const heights = route.flatMap(({ height_m }) => (height_m === undefined ? [] : [height_m + rim.shift.upM]));
  const lastM = heights.at(-1) ?? rim.heightM;
  const repeats = behaviour?.kind === 'route' && behaviour.repeat;
  const plan: Behaviour[] = route.length > 0 ? [new Route(route, repeats, rim.heightM, rim.shift)] : [];
  const then = behaviour && behaviourOf(behaviour, lastM, rim);
  return [...plan, then ?? new Hold(lastM)];
}

function behaviourOf(
  behaviour: NonNullable<ScenarioActor['behaviour']>,
  heightM: number,
  { bodyOf, shift, chance }: PlanRim,
): Behaviour | null {
  const aimOf = (target: Target): Aim => ('actor' in target ? { body: bodyOf(target.actor) } : { place: target });
  switch (behaviour.kind) {
    case 'route':
      return null;
    case 'loiter':
      return new Loiter(behaviour.radius_m, heightM);
    case 'approach':
      return new Approach(aimOf(behaviour.target), behaviour.speed_mps, behaviour.height_m, heightM, shift);
    case 'evade':
      return new Evade(bodyOf(behaviour.from), behaviour.within_m, heightM, chance);
    case 'land':
      return new Land();
    case 'formation': {
      const { right_m, ahead_m, above_m } = behaviour;
      return new Formation(bodyOf(behaviour.with), { rightM: right_m, aheadM: ahead_m, aboveM: above_m }, shift);
    }
    case 'orbit': {
      const { target, radius_m, direction, speed_mps, height_m } = behaviour;
      const ofPlace = 'actor' in target ? undefined : target.height_m;
      const options = { radiusM: radius_m, clockwise: direction === 'clockwise', speedMps: speed_mps };
      return new Orbit(aimOf(target), { ...options, heightM: height_m ?? ofPlace ?? heightM }, shift);
    }
  }
}
