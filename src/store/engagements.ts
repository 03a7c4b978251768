import type { Engagement } from '../model/engagement.ts';
import { engagementWithProvenance } from './provenance.ts';
import type { State } from './state.ts';

export type EngagementRows = {
  /** Those that had not ended, the oldest first. */
  open(workspaceId: string): Engagement[];
  /** Those that ended since then, the newest `most` of them, the oldest first. */
  since(workspaceId: string, updatedMs: number, most: number): Engagement[];
  /** Writes over the row of the same id. Call within a change of the ledger. */
  put(workspaceId: string, engagement: Engagement, over: boolean): void;
  /** Keeps the newest `most` of those that ended. */
  prune(workspaceId: string, most: number): number;
};

/** Statements of the table `engagements`. */
export function engagementRows({ db }: State): EngagementRows {
  const open = db
    .prepare<[string], string>('SELECT document FROM engagements WHERE workspace_id = ? AND over = 0 ORDER BY number')
    .pluck();
  const since = db
    .prepare<[string, number, number], string>(
      `SELECT document FROM (
         SELECT number, document FROM engagements WHERE workspace_id = ? AND over = 1 AND updated_ms >= ?
         ORDER BY updated_ms DESC, number DESC LIMIT ?) ORDER BY number`,
    )
    .pluck();
  const put = db.prepare<[object]>(
    `INSERT INTO engagements (id, workspace_id, track_id, state, over, updated_ms, document)
     VALUES (@id, @workspaceId, @trackId, @state, @over, @updatedMs, @document)
     ON CONFLICT (id) DO UPDATE SET state = excluded.state, over = excluded.over, updated_ms = excluded.updated_ms,
       document = excluded.document`,
  );
  const prune = db.prepare<[string, string, number]>(
    `DELETE FROM engagements WHERE workspace_id = ? AND over = 1 AND number <= (
       SELECT number FROM engagements WHERE workspace_id = ? AND over = 1 ORDER BY number DESC LIMIT 1 OFFSET ?)`,
  );
  const read = (documents: string[]): Engagement[] =>
    documents.map((text) => engagementWithProvenance(JSON.parse(text)));
  return {
    open: (workspaceId) => read(open.all(workspaceId)),
    since: (workspaceId, updatedMs, most) => read(since.all(workspaceId, updatedMs, most)),
    put(workspaceId, engagement, over) {
      const { id, track_id: trackId, state, updated_at } = engagement;
      const updatedMs = Date.parse(updated_at);
      put.run({
        ...{ id, workspaceId, trackId, state, over: over ? 1 : 0, updatedMs },
        document: JSON.stringify(engagement),
      });
    },
    prune: (workspaceId, most) => prune.run(workspaceId, workspaceId, most).changes,
  };
}
