import { isOver } from '../model/command.ts';
import type { Task } from '../model/task.ts';
import { withProvenance } from './provenance.ts';
import type { State } from './state.ts';
import { flag, json, Statements, table, text } from './table.ts';

/** Number of the newest tasks of a workspace that are always kept. Older ones are deleted once they are finished. */
const MOST_KEPT = 5_000;

const tasks = table('tasks', 'task', {
  workspaceId: text,
  id: text,
  assetId: text,
  over: flag,
  document: json<Task>(withProvenance),
});
export type TaskRows = ReturnType<typeof taskRows>;

export function taskRows({ db }: State) {
  const rows = new Statements(db, tasks);
  const put = rows.put(['id'], ['over', 'document']);
  const prune = rows.delete<[string, string, number]>(
    `workspace_id = ? AND over = 1 AND number <= (
       SELECT number FROM tasks WHERE workspace_id = ? ORDER BY number DESC LIMIT 1 OFFSET ?)`,
  );
  let puts = 0;
  return {
    get: rows.document<[workspaceId: string, id: string]>('workspace_id = ? AND id = ?'),
    running: rows.documents<[workspaceId: string]>('workspace_id = ? AND over = 0 ORDER BY number'),
    /** Returns the newest `limit` tasks of a workspace, the newest first. */
    list: rows.documents<[workspaceId: string, limit: number]>('workspace_id = ? ORDER BY number DESC LIMIT ?'),
    /** Inserts a task, or replaces the row with the same id. Call it within a write of the state. */
    put(workspaceId: string, task: Task): void {
      put({ workspaceId, id: task.id, assetId: task.asset_id, over: isOver(task.state), document: task });
      puts++;
      if (puts % 64 === 0) prune(workspaceId, workspaceId, MOST_KEPT);
    },
  };
}
