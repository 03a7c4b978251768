import type { Threat } from '../model/threat.ts';
import type { State } from './state.ts';

export type ThreatMarks = Pick<Threat, 'acknowledged' | 'dismissed'>;
/** The level that the threat had then; of rows from before it was kept, unknown. */
type Marked = ThreatMarks & Partial<Pick<Threat, 'level'>>;

/** What people did about the threats of tracks, for as long as the tracks live. */
export type ThreatMarkRows = {
  list(workspaceId: string): { trackId: string; marks: ThreatMarks; level?: Threat['level'] }[];
  put(workspaceId: string, trackId: string, marks: ThreatMarks, level: Threat['level']): void;
  delete(workspaceId: string, trackId: string): void;
};

export function threatMarkRows({ db }: State): ThreatMarkRows {
  const list = db.prepare<[string], { trackId: string; marks: string }>(
    'SELECT track_id AS trackId, marks FROM threat_marks WHERE workspace_id = ?',
  );
  const put = db.prepare<[string, string, string]>(
    `INSERT INTO threat_marks (workspace_id, track_id, marks) VALUES (?, ?, ?)
     ON CONFLICT (workspace_id, track_id) DO UPDATE SET marks = excluded.marks`,
  );
  const remove = db.prepare<[string, string]>('DELETE FROM threat_marks WHERE workspace_id = ? AND track_id = ?');
  return {
    list: (workspaceId) =>
      list.all(workspaceId).map(({ trackId, marks: text }) => {
        const { level, ...marks } = JSON.parse(text) as Marked;
        return { trackId, marks, ...(level === undefined ? {} : { level }) };
      }),
    put: (workspaceId, trackId, marks, level) =>
      void put.run(workspaceId, trackId, JSON.stringify({ ...marks, level } satisfies Marked)),
    delete: (workspaceId, trackId) => void remove.run(workspaceId, trackId),
  };
}
