import { randomUUID } from 'node:crypto';
import { type Actor, actorLabel } from '../model/actor.ts';
import { conflict, notFound } from '../model/fault.ts';
import { Listeners } from '../model/listeners.ts';
import type { LogKind } from '../model/log_kind.ts';
import type { Page, PageQuery } from '../model/page.ts';
import { compareRuns, isRunGoing, type Run, type RunComparison } from '../model/run.ts';
import type { Deed } from '../store/ledger.ts';
import { pageAfter } from '../store/log/cursor.ts';
import { type RunRows, runRows } from '../store/runs.ts';
import type { RegistryDeps } from './deps.ts';

/** Limit of the runs stored for a workspace. Beyond it the oldest ended runs are deleted. */
export const MOST_RUNS = 1_000;

const DIED = 'the service stopped during the run';

/** Fields of a run that its caller knows at the start. */
export type NewRun = Pick<Run, 'scenario_id' | 'scenario_name' | 'seed' | 'build' | 'policy_version'>;
/** Fields of a run that change while it goes on. */
export type RunChange = Partial<
  Pick<Run, 'state' | 'reason' | 'simulated_s' | 'metrics' | 'expect' | 'refused' | 'log_hash'>
>;

/** Runs of a workspace. The row of a run has its result; the audit log has the people who started or deleted it. */
export class Runs {
  readonly #deps: RegistryDeps;
  readonly #rows: RunRows;
  /** Emitted with a run after `add` and `update`, once the change is on the disk. */
  readonly changed = new Listeners<[Run]>();

  constructor(deps: RegistryDeps) {
    this.#deps = deps;
    this.#rows = runRows(deps.state);
  }

  /**
   * Marks as `failed` the runs that had not ended when the process died. Call it once at the start. Returns their
   * number.
   */
  begin(): number {
    const { state, workspaceId, ledger } = this.#deps;
    const died = this.#rows.going(workspaceId);
    if (died.length === 0) return 0;
    const ended_at = ledger.nowText();
    state.write('The runs', () => {
      for (const run of died) this.#rows.put(workspaceId, { ...run, state: 'failed', reason: DIED, ended_at });
    });
    return died.length;
  }

  /** Returns one page of runs, the newest first. */
  list({ cursor, ...asked }: PageQuery): Page<Run> {
    return pageAfter('runs', cursor, (after) => this.#rows.page(this.#deps.workspaceId, { ...asked, after }));
  }

  /** Returns the run with this id; throws `not_found` if there is none. */
  get(id: string): Run {
    const run = this.#rows.get(this.#deps.workspaceId, id);
    if (!run) throw notFound(`there is no run with the id ${id} in this workspace`);
    return run;
  }

  compare(a: string, b: string): RunComparison {
    return compareRuns(this.get(a), this.get(b));
  }

  add(begun: NewRun, by: Actor): Run {
    const { ledger, workspaceId } = this.#deps;
    const run: Run = {
      ...{ id: randomUUID(), ...begun, state: 'loading', reason: null },
      ...{ started_at: ledger.nowText(), ended_at: null, simulated_s: 0 },
      ...{ metrics: null, expect: [], refused: [], log_hash: null },
    };
    ledger.change('The run', () => {
      this.#rows.put(workspaceId, run);
      this.#rows.prune(workspaceId, MOST_RUNS);
      const text = `${actorLabel(by)} began a run of ${run.scenario_name} with the seed ${run.seed}`;
      return { result: undefined, deed: this.#deed('run.started', text, run, by) };
    });
    this.changed.emit(run);
    return run;
  }

  /** Writes the progress or the result of a run. Throws `conflict` if the run has ended. */
  update(id: string, change: RunChange): Run {
    const { state, ledger, workspaceId } = this.#deps;
    const was = this.get(id);
    if (!isRunGoing(was.state)) throw conflict(`the run of ${was.scenario_name} has ended`);
    const changed = { ...was, ...change };
    const run = { ...changed, ended_at: isRunGoing(changed.state) ? null : ledger.nowText() };
    state.write('The run', () => this.#rows.put(workspaceId, run));
    this.changed.emit(run);
    return run;
  }

  /** Deletes a run. Throws `conflict` if the run has not ended. */
  remove(id: string, by: Actor): void {
    const { ledger, workspaceId } = this.#deps;
    const run = this.get(id);
    if (isRunGoing(run.state)) throw conflict(`the run of ${run.scenario_name} has not ended: stop it first`);
    ledger.change('The run', () => {
      this.#rows.delete(workspaceId, id);
      const text = `${actorLabel(by)} deleted the run of ${run.scenario_name} that began at ${run.started_at}`;
      return { result: undefined, deed: this.#deed('run.deleted', text, run, by) };
    });
  }

  #deed(kind: LogKind, text: string, run: Run, by: Actor): Deed {
    const { id, scenario_id, scenario_name: label, seed } = run;
    const facts = { scenario_id, scenario_name: label, seed };
    const [before, after] = kind === 'run.deleted' ? [facts, null] : [null, facts];
    return { kind, text, by, workspaceId: this.#deps.workspaceId, subject: { type: 'run', id, label }, before, after };
  }
}
