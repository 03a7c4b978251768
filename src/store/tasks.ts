import { isOver } from '../model/command.ts';
import type { Task } from '../model/task.ts';
import { withProvenance } from './provenance.ts';
import type { State } from './state.ts';

/** Tasks that are over are kept for so many of the newest of a workspace. */
const MOST_KEPT = 5_000;

export type TaskRows = {
  get(workspaceId: string, id: string): Task | null;
  running(workspaceId: string): Task[];
  /** The newest first. */
  list(workspaceId: string, limit: number): Task[];
  /** Writes over the row of the same id. Call within a write of the state. */
  put(workspaceId: string, task: Task): void;
};

export function taskRows({ db }: State): TaskRows {
  const get = db
    .prepare<[string, string], string>('SELECT document FROM tasks WHERE workspace_id = ? AND id = ?')
    .pluck();
  const running = db
    .prepare<[string], string>('SELECT document FROM tasks WHERE workspace_id = ? AND over = 0 ORDER BY number')
    .pluck();
  const list = db
    .prepare<[string, number], string>('SELECT document FROM tasks WHERE workspace_id = ? ORDER BY number DESC LIMIT ?')
    .pluck();
  const put = db.prepare<[object]>(
    `INSERT INTO tasks (workspace_id, id, asset_id, over, document)
     VALUES (@workspaceId, @id, @assetId, @over, @document)
     ON CONFLICT (id) DO UPDATE SET over = excluded.over, document = excluded.document`,
  );
  const prune = db.prepare<[string, string, number]>(
    `DELETE FROM tasks WHERE workspace_id = ? AND over = 1 AND number <= (
       SELECT number FROM tasks WHERE workspace_id = ? ORDER BY number DESC LIMIT 1 OFFSET ?)`,
  );
  const read = (document: string): Task => withProvenance<Task>(JSON.parse(document));
  let puts = 0;
  return {
    get(workspaceId, id) {
      const document = get.get(workspaceId, id);
      return document === undefined ? null : read(document);
    },
    running: (workspaceId) => running.all(workspaceId).map(read),
    list: (workspaceId, limit) => list.all(workspaceId, limit).map(read),
    put(workspaceId, task) {
      const { id, asset_id: assetId, state } = task;
      put.run({ workspaceId, id, assetId, over: isOver(state) ? 1 : 0, document: JSON.stringify(task) });
      puts++;
      if (puts % 64 === 0) prune.run(workspaceId, workspaceId, MOST_KEPT);
    },
  };
}
