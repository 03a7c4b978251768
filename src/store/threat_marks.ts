import type { Threat } from '../model/threat.ts';
import type { State } from './state.ts';
import { json, Statements, table, text } from './table.ts';

export type ThreatMarks = Pick<Threat, 'acknowledged' | 'dismissed' | 'dismissal_ended'>;

/** Marks that people set on the threats of tracks. A row is valid until its track ends. */
const marked = table('threat_marks', 'threat mark', {
  workspaceId: text,
  trackId: text,
  /**
   * Marks, with the level of the threat when they were set. Rows of earlier versions have neither a level nor an ended
   * dismissal.
   */
  marks: json<Omit<ThreatMarks, 'dismissal_ended'> & Partial<Pick<Threat, 'dismissal_ended' | 'level'>>>(),
});
export type ThreatMarkRows = ReturnType<typeof threatMarkRows>;

export function threatMarkRows({ db }: State) {
  const rows = new Statements(db, marked);
  const list = rows.all<[string]>('workspace_id = ?');
  const put = rows.put(['workspaceId', 'trackId'], ['marks']);
  return {
    list: (workspaceId: string) =>
      list(workspaceId).map(({ trackId, marks: { level, ...marks } }) => ({
        ...{ trackId, level },
        marks: { dismissal_ended: null, ...marks },
      })),
    put: (workspaceId: string, trackId: string, marks: ThreatMarks, level: Threat['level']) =>
      put({ workspaceId, trackId, marks: { ...marks, level } }),
    delete: rows.delete<[workspaceId: string, trackId: string]>('workspace_id = ? AND track_id = ?'),
  };
}
