import type { Engagement } from '../model/engagement.ts';
import { engagementWithProvenance } from './provenance.ts';
import type { State } from './state.ts';
import { flag, json, number, plain, Statements, table, text } from './table.ts';

const engagements = table('engagements', 'engagement', {
  id: text,
  workspaceId: text,
  trackId: text,
  state: plain<Engagement['state']>(),
  over: flag,
  updatedMs: number,
  document: json<Engagement>(engagementWithProvenance),
});
export type EngagementRows = ReturnType<typeof engagementRows>;

/** SQL statements of the table `engagements`. */
export function engagementRows({ db }: State) {
  const rows = new Statements(db, engagements);
  const put = rows.put(['id'], ['state', 'over', 'updatedMs', 'document']);
  const prune = rows.delete<[string, string, number]>(
    `workspace_id = ? AND over = 1 AND number <= (
       SELECT number FROM engagements WHERE workspace_id = ? AND over = 1 ORDER BY number DESC LIMIT 1 OFFSET ?)`,
  );
  return {
    /** Returns the engagements that have not ended, the oldest first. */
    open: rows.documents<[workspaceId: string]>('workspace_id = ? AND over = 0 ORDER BY number'),
    /**
     * Returns the `most` ended engagements that changed last, at or after `updatedMs`, in the order of their creation.
     */
    since: rows.documents<[workspaceId: string, updatedMs: number, most: number]>(
      `number IN (SELECT number FROM engagements WHERE workspace_id = ? AND over = 1 AND updated_ms >= ?
         ORDER BY updated_ms DESC, number DESC LIMIT ?) ORDER BY number`,
    ),
    /** Inserts an engagement, or replaces the row with the same id. Call it inside `Ledger.change`. */
    put(workspaceId: string, engagement: Engagement, over: boolean): void {
      const { id, track_id: trackId, state, updated_at } = engagement;
      put({ id, workspaceId, trackId, state, over, updatedMs: Date.parse(updated_at), document: engagement });
    },
    /** Deletes ended engagements; the newest `most` of them remain. Returns the number of deleted rows. */
    prune: (workspaceId: string, most: number) => prune(workspaceId, workspaceId, most),
  };
}
