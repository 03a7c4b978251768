import type { Engagement } from '../../model/engagement.ts';
import type { LogEvent } from '../../model/event.ts';
import type { FleetRow } from '../../model/fleet.ts';

/** Verbs that end the state after STOP ALL. A vehicle that holds, returns or lands still counts as stopped. */
export const movements: ReadonlySet<string> = new Set(['takeoff', 'goto', 'orbit', 'shadow', 'escort', 'search']);

/** Speed from which a vehicle in the air moves, m/s. */
const MOVES_MPS = 1;

/** Whether a vehicle is in the air and moves: after STOP ALL it returns, lands, or its pilot flies it. */
export const isMoving = ({ landed, velocity }: Pick<FleetRow, 'landed' | 'velocity'>): boolean =>
  landed !== 'on_ground' && (velocity?.speed_mps ?? 0) >= MOVES_MPS;

/** True of an engagement in execution with a verb that moves a vehicle. A notification or a camera ends no stop. */
export const setsInMotion = ({ state, chosen_plan_id: chosen, candidates }: PlanState): boolean =>
  (state === 'approved' || state === 'executing') &&
  candidates.some(({ id, legs }) => id === chosen && legs.some(({ verb }) => movements.has(verb)));

type PlanState = Pick<Engagement, 'state' | 'chosen_plan_id' | 'candidates'>;
type Row = Pick<LogEvent, 'seq' | 'at' | 'after'>;

/** Time of the last stop, where no later row approves a plan that moves a vehicle, or orders a movement; else null. */
export function stoppedAtOf(stops: readonly Row[], approvals: readonly Row[], orders: readonly Row[]): string | null {
  const last = stops.toSorted((a, b) => b.seq - a.seq)[0];
  if (!last) return null;
  const verbOf = (of: unknown): string => String((of as { verb?: unknown } | null)?.verb);
  const moving = orders.filter(({ after }) => movements.has(verbOf(after)));
  const flown = approvals.filter(({ after }) => {
    const { legs } = (after ?? {}) as { legs?: unknown };
    return !Array.isArray(legs) || legs.some((leg) => movements.has(verbOf(leg)));
  });
  return [...flown, ...moving].some(({ seq }) => seq > last.seq) ? null : last.at;
}
