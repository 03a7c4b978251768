import { randomUUID } from 'node:crypto';
import { settingRows } from './settings.ts';
import type { State } from './state.ts';

const KEY = 'node_id';

/**
 * Returns the id under which other systems know a workspace, a UUID v4. It is created once and restored with backups,
 * so other systems still recognise the box afterwards.
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
    // A full disk must not prevent the start. The state reports the fault, and the next start creates another id.
  }
  return value;
}
