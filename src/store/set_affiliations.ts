import type { SetAffiliation } from '../model/track.ts';
import type { State } from './state.ts';
import { json, Statements, table, text } from './table.ts';

/**
 * Affiliations that people set for single tracks. A row is valid until the `expires_at` of its document or the end of
 * its track.
 */
const given = table('set_affiliations', 'set affiliation', {
  workspaceId: text,
  trackId: text,
  document: json<SetAffiliation>(),
});
export type SetAffiliationRows = ReturnType<typeof setAffiliationRows>;

export function setAffiliationRows({ db }: State) {
  const rows = new Statements(db, given);
  return {
    list: rows.all<[workspaceId: string]>('workspace_id = ?'),
    put: rows.put(['workspaceId', 'trackId'], ['document']),
    delete: rows.delete<[workspaceId: string, trackId: string]>('workspace_id = ? AND track_id = ?'),
  };
}
