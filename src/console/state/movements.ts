import type { LogEvent } from '../../model/event.ts';

/** Verbs that end the state after STOP ALL. A vehicle that holds, returns or lands still counts as stopped. */
export const movements: ReadonlySet<string> = new Set(['takeoff', 'goto', 'orbit', 'shadow', 'escort', 'search']);

type Row = Pick<LogEvent, 'seq' | 'at' | 'after'>;

/** Time of the last stop, where no later row approves a plan or orders a movement; else null. */
export function stoppedAtOf(stops: readonly Row[], approvals: readonly Row[], orders: readonly Row[]): string | null {
  const last = stops.toSorted((a, b) => b.seq - a.seq)[0];
  if (!last) return null;
  const moving = orders.filter(({ after }) => movements.has(String((after as { verb?: unknown } | null)?.verb)));
  return [...approvals, ...moving].some(({ seq }) => seq > last.seq) ? null : last.at;
}
