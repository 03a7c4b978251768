import type { Threat } from '../model/threat.ts';
import type { State } from './state.ts';

export type ThreatMarks = Pick<Threat, 'acknowledged' | 'dismissed'>;

/** What people did about the threats of tracks, for as long as the tracks live. */
export type ThreatMarkRows = {
  list(workspaceId: string): { trackId: string; marks: ThreatMarks }[];
  put(workspaceId: string, trackId: string, marks: ThreatMarks): void;
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
    list: (workspaceId) => list.all(workspaceId).map(({ trackId, marks }) => ({ trackId, marks: JSON.parse(marks) })),
    put: (workspaceId, trackId, marks) => void put.run(workspaceId, trackId, JSON.stringify(marks)),
    delete: (workspaceId, trackId) => void remove.run(workspaceId, trackId),
  };
}
