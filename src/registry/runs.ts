import { randomUUID } from 'node:crypto';
import { type Actor, actorLabel } from '../model/actor.ts';
import { Fault } from '../model/fault.ts';
import { compareRuns, isRunGoing, type Run, type RunComparison } from '../model/run.ts';
import type { Deed } from '../store/ledger.ts';
import { readCursor, writeCursor } from '../store/log/cursor.ts';
import { type RunRows, runRows } from '../store/runs.ts';
import type { RegistryRim } from './rim.ts';

/** Of one workspace; beyond them the oldest that have ended go. */
export const MOST_RUNS = 1_000;

const DIED = 'the service stopped while it ran';

export type RunsAsked = { sinceMs: number | null; untilMs: number | null; limit: number; cursor: string | null };

/** What a run is begun with; all else comes of it. */
export type NewRun = Pick<Run, 'scenario_id' | 'scenario_name' | 'seed' | 'build' | 'policy_version'>;
/** What becomes of it. */
export type RunChange = Partial<Pick<Run, 'state' | 'reason' | 'simulated_s' | 'metrics' | 'expect' | 'log_hash'>>;

/** The runs of a workspace. Who began one and who took one away stands in the audit log; what came of it in the row. */
export class Runs {
  readonly #rim: RegistryRim;
  readonly #rows: RunRows;
  /** Told of each change once it is on the disk: the stream tells of it. */
  onChange: (run: Run) => void = () => {};

  constructor(rim: RegistryRim) {
    this.#rim = rim;
    this.#rows = runRows(rim.state);
  }

  /** Once at the start: what was going when the process died has failed. Returns how many there were. */
  begin(): number {
    const { state, workspaceId, ledger } = this.#rim;
    const died = this.#rows.going(workspaceId);
    if (died.length === 0) return 0;
    const ended_at = ledger.nowText();
    state.write('The runs', () => {
      for (const run of died) this.#rows.put(workspaceId, { ...run, state: 'failed', reason: DIED, ended_at });
    });
    return died.length;
  }

  /** The newest first. */
  list({ cursor, ...asked }: RunsAsked): { rows: Run[]; nextCursor: string | null } {
    const after = cursor === null ? null : readCursor('runs', cursor);
    const { rows, next } = this.#rows.page(this.#rim.workspaceId, { ...asked, after });
    return { rows, nextCursor: next && writeCursor('runs', next) };
  }

  /** Throws `not_found`. */
  get(id: string): Run {
    const run = this.#rows.get(this.#rim.workspaceId, id);
    if (!run) throw new Fault('not_found', `there is no run with the id ${id} in this workspace`);
    return run;
  }

  compare(a: string, b: string): RunComparison {
    return compareRuns(this.get(a), this.get(b));
  }

  add(begun: NewRun, by: Actor): Run {
    const { ledger, workspaceId } = this.#rim;
    const run: Run = {
      ...{ id: randomUUID(), ...begun, state: 'loading', reason: null },
      ...{ started_at: ledger.nowText(), ended_at: null, simulated_s: 0 },
      ...{ metrics: null, expect: [], log_hash: null },
    };
    ledger.change('The run', () => {
      this.#rows.put(workspaceId, run);
      this.#rows.prune(workspaceId, MOST_RUNS);
      const text = `${actorLabel(by)} began a run of ${run.scenario_name} with the seed ${run.seed}`;
      return { result: undefined, deed: this.#deed('run.started', text, run, by) };
    });
    this.onChange(run);
    return run;
  }

  /** What it came to, or how far it is. One that has ended stays as it is: `conflict`. */
  update(id: string, change: RunChange): Run {
    const { state, ledger, workspaceId } = this.#rim;
    const was = this.get(id);
    if (!isRunGoing(was.state)) throw new Fault('conflict', `the run of ${was.scenario_name} has ended`);
    const changed = { ...was, ...change };
    const run = { ...changed, ended_at: isRunGoing(changed.state) ? null : ledger.nowText() };
    state.write('The run', () => this.#rows.put(workspaceId, run));
    this.onChange(run);
    return run;
  }

  /** Throws `conflict` where it is going. */
  remove(id: string, by: Actor): void {
    const { ledger, workspaceId } = this.#rim;
    const run = this.get(id);
    if (isRunGoing(run.state)) throw new Fault('conflict', `the run of ${run.scenario_name} is going: stop it first`);
    ledger.change('The run', () => {
      this.#rows.delete(workspaceId, id);
      const text = `${actorLabel(by)} deleted the run of ${run.scenario_name} that began at ${run.started_at}`;
      return { result: undefined, deed: this.#deed('run.deleted', text, run, by) };
    });
  }

  #deed(kind: string, text: string, run: Run, by: Actor): Deed {
    const { id, scenario_id, scenario_name: label, seed } = run;
    const told = { scenario_id, scenario_name: label, seed };
    const [before, after] = kind === 'run.deleted' ? [told, null] : [null, told];
    return { kind, text, by, workspaceId: this.#rim.workspaceId, subject: { type: 'run', id, label }, before, after };
  }
}
