import type { State } from './state.ts';

/** What was changed of a built-in rule. */
export type TunedRow = { id: string; document: unknown; version: number; updatedAt: string };

export type RuleCountRow = {
  ruleId: string;
  fired: number;
  suppressed: number;
  lastAt: string | null;
  lastTrackId: string | null;
};

export type RuleRows = {
  tuned(workspaceId: string): TunedRow[];
  /** Call within a change of the ledger. */
  tune(workspaceId: string, row: TunedRow): void;
  counts(workspaceId: string): RuleCountRow[];
  /** Nobody answers for counts: they are written without an audit row. */
  saveCounts(workspaceId: string, rows: readonly RuleCountRow[]): void;
  dropCount(workspaceId: string, ruleId: string): void;
};

export function ruleRows(state: State): RuleRows {
  const { db } = state;
  const tuned = db.prepare<[string], TunedRow & { document: string }>(
    'SELECT id, document, version, updated_at AS updatedAt FROM builtin_rules WHERE workspace_id = ?',
  );
  const tune = db.prepare<[TunedRow & { workspaceId: string }]>(
    `INSERT INTO builtin_rules (workspace_id, id, document, version, updated_at)
     VALUES (@workspaceId, @id, @document, @version, @updatedAt)
     ON CONFLICT (workspace_id, id) DO UPDATE
       SET document = excluded.document, version = excluded.version, updated_at = excluded.updated_at`,
  );
  const counts = db.prepare<[string], RuleCountRow>(
    `SELECT rule_id AS ruleId, fired, suppressed, last_at AS lastAt, last_track_id AS lastTrackId
     FROM rule_counts WHERE workspace_id = ?`,
  );
  const put = db.prepare<[RuleCountRow & { workspaceId: string }]>(
    `INSERT INTO rule_counts (workspace_id, rule_id, fired, suppressed, last_at, last_track_id)
     VALUES (@workspaceId, @ruleId, @fired, @suppressed, @lastAt, @lastTrackId)
     ON CONFLICT (workspace_id, rule_id) DO UPDATE
       SET fired = excluded.fired, suppressed = excluded.suppressed,
           last_at = excluded.last_at, last_track_id = excluded.last_track_id`,
  );
  const drop = db.prepare<[string, string]>('DELETE FROM rule_counts WHERE workspace_id = ? AND rule_id = ?');
  return {
    tuned: (workspaceId) => tuned.all(workspaceId).map((row) => ({ ...row, document: JSON.parse(row.document) })),
    tune: (workspaceId, row) => void tune.run({ ...row, workspaceId, document: JSON.stringify(row.document) }),
    counts: (workspaceId) => counts.all(workspaceId),
    saveCounts: (workspaceId, rows) =>
      state.write('The counts of the rules', () => {
        for (const row of rows) put.run({ ...row, workspaceId });
      }),
    dropCount: (workspaceId, ruleId) => void drop.run(workspaceId, ruleId),
  };
}
