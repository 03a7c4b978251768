import type { State } from './state.ts';
import { json, number, orNull, type RowOf, Statements, table, text } from './table.ts';

/** Changed parameters of built-in rules, as stored. */
const tuned = table('builtin_rules', 'rule', {
  id: text,
  workspaceId: text,
  document: json<unknown>(),
  version: number,
  updatedAt: text,
});
export type TunedRow = Omit<RowOf<typeof tuned>, 'workspaceId'>;

const counted = table('rule_counts', 'rule', {
  workspaceId: text,
  ruleId: text,
  fired: number,
  suppressed: number,
  lastAt: orNull(text),
  lastTrackId: orNull(text),
});
export type RuleCountRow = Omit<RowOf<typeof counted>, 'workspaceId'>;
export type RuleRows = ReturnType<typeof ruleRows>;

export function ruleRows(state: State) {
  const rules = new Statements(state.db, tuned);
  const counts = new Statements(state.db, counted);
  const tune = rules.put(['workspaceId', 'id'], ['document', 'version', 'updatedAt']);
  const put = counts.put(['workspaceId', 'ruleId'], ['fired', 'suppressed', 'lastAt', 'lastTrackId']);
  return {
    tuned: rules.all<[workspaceId: string]>('workspace_id = ?'),
    /** Inserts or replaces the changed parameters of a rule. Call it inside `Ledger.change`. */
    tune: (workspaceId: string, row: TunedRow) => tune({ ...row, workspaceId }),
    counts: counts.all<[workspaceId: string]>('workspace_id = ?'),
    /** Writes the counts without an audit row, because no person causes them. */
    saveCounts: (workspaceId: string, rows: readonly RuleCountRow[]) =>
      state.write('The counts of the rules', () => {
        for (const row of rows) put({ ...row, workspaceId });
      }),
    dropCount: counts.delete<[workspaceId: string, ruleId: string]>('workspace_id = ? AND rule_id = ?'),
  };
}
