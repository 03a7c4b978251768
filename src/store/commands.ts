import { type Command, isOver } from '../model/command.ts';
import { pageOf } from './page.ts';
import { withProvenance } from './provenance.ts';
import type { State } from './state.ts';
import { flag, json, number, Statements, table, text } from './table.ts';

/**
 * Number of the newest commands of a workspace that are always kept. Older ones are deleted once they are finished; the
 * audit log still has rows about them.
 */
const MOST_KEPT = 20_000;

const commands = table('commands', 'command', {
  number,
  workspaceId: text,
  commandId: text,
  assetId: text,
  over: flag,
  acceptedMs: number,
  document: json<Command>(withProvenance),
});
export type CommandRows = ReturnType<typeof commandRows>;

export function commandRows({ db }: State) {
  const rows = new Statements(db, commands);
  const ofAsset = rows.all<[string, string, number, number]>(
    'workspace_id = ? AND asset_id = ? AND number < ? ORDER BY number DESC LIMIT ?',
  );
  const put = rows.put(['workspaceId', 'commandId'], ['over', 'document']);
  const prune = rows.delete<[string, string, number]>(
    `workspace_id = ? AND over = 1 AND number <= (
       SELECT number FROM commands WHERE workspace_id = ? ORDER BY number DESC LIMIT 1 OFFSET ?)`,
  );
  let puts = 0;
  return {
    get: rows.document<[workspaceId: string, commandId: string]>('workspace_id = ? AND command_id = ?'),
    /** Returns the commands that had not ended when they were last written. */
    running: rows.documents<[workspaceId: string]>('workspace_id = ? AND over = 0 ORDER BY number'),
    /**
     * Returns one page of an asset's commands, newest first. `before` is the last number of the previous page; null for
     * the first page.
     */
    ofAsset(workspaceId: string, assetId: string, limit: number, before: number | null) {
      const found = ofAsset(workspaceId, assetId, before ?? Number.MAX_SAFE_INTEGER, limit + 1);
      const { rows, next } = pageOf(found, limit, ({ number }) => number);
      return { rows: rows.map(({ document }) => document), next };
    },
    /** Inserts a command, or replaces the row of the same command. Call it within a write of the state. */
    put(workspaceId: string, command: Command): void {
      const { command_id: commandId, asset_id: assetId, state, accepted_at } = command;
      const acceptedMs = Date.parse(accepted_at);
      put({ workspaceId, commandId, assetId, over: isOver(state), acceptedMs, document: command });
      puts++;
      if (puts % 256 === 0) prune(workspaceId, workspaceId, MOST_KEPT);
    },
  };
}
