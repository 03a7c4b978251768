import { randomUUID } from 'node:crypto';
import { settingRows } from './settings.ts';
import type { State } from './state.ts';

const KEY = 'node_id';

/**
 * Id of a workspace at other systems, a UUID v4. It is made once and restored with backups, so that those systems see
 * the same box before and after.
 */
export function nodeIdOf(state: State, workspaceId: string, nowText: string): string {
  const rows = settingRows(state);
  const kept = rows.get(workspaceId, KEY)?.value;
  if (typeof kept === 'string') return kept;
  const value = randomUUID();
  try {
    state.write('The node id', () =>
      rows.put({ workspaceId, key: KEY, value, updatedAt: nowText, updatedBy: 'system' }),
    );
  } catch {
    // A full disk must not prevent the start. The state reports it, and the next start makes another id.
  }
  return value;
}
