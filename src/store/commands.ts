import { type Command, isOver } from '../model/command.ts';
import { withProvenance } from './provenance.ts';
import type { State } from './state.ts';

/** Commands are kept for so many of the newest of a workspace; the audit log tells of all. */
const MOST_KEPT = 20_000;

export type CommandPage = { rows: Command[]; next: number | null };

export type CommandRows = {
  get(workspaceId: string, commandId: string): Command | null;
  /** Those that were on their way when it was written last. */
  running(workspaceId: string): Command[];
  /** Of one asset, the newest first; `before` is the number that a page before ended with. */
  ofAsset(workspaceId: string, assetId: string, limit: number, before: number | null): CommandPage;
  /** Writes over the row of the same command. Call within a write of the state. */
  put(workspaceId: string, command: Command): void;
};

export function commandRows({ db }: State): CommandRows {
  const get = db
    .prepare<[string, string], string>('SELECT document FROM commands WHERE workspace_id = ? AND command_id = ?')
    .pluck();
  const running = db
    .prepare<[string], string>('SELECT document FROM commands WHERE workspace_id = ? AND over = 0 ORDER BY number')
    .pluck();
  const ofAsset = db.prepare<[string, string, number, number], { number: number; document: string }>(
    `SELECT number, document FROM commands WHERE workspace_id = ? AND asset_id = ? AND number < ?
     ORDER BY number DESC LIMIT ?`,
  );
  const put = db.prepare<[object]>(
    `INSERT INTO commands (workspace_id, command_id, asset_id, over, accepted_ms, document)
     VALUES (@workspaceId, @commandId, @assetId, @over, @acceptedMs, @document)
     ON CONFLICT (workspace_id, command_id) DO UPDATE SET over = excluded.over, document = excluded.document`,
  );
  const prune = db.prepare<[string, string, number]>(
    `DELETE FROM commands WHERE workspace_id = ? AND over = 1 AND number <= (
       SELECT number FROM commands WHERE workspace_id = ? ORDER BY number DESC LIMIT 1 OFFSET ?)`,
  );
  let puts = 0;
  return {
    get: (workspaceId, commandId) => commandOf(get.get(workspaceId, commandId)),
    running: (workspaceId) => running.all(workspaceId).map(read),
    ofAsset(workspaceId, assetId, limit, before) {
      const found = ofAsset.all(workspaceId, assetId, before ?? Number.MAX_SAFE_INTEGER, limit + 1);
      const rows = found.slice(0, limit);
      const next = found.length > limit ? (rows.at(-1)?.number ?? null) : null;
      return { rows: rows.map(({ document }) => read(document)), next };
    },
    put(workspaceId, command) {
      const { command_id: commandId, asset_id: assetId, state, accepted_at } = command;
      put.run({
        ...{ workspaceId, commandId, assetId, over: isOver(state) ? 1 : 0 },
        ...{ acceptedMs: Date.parse(accepted_at), document: JSON.stringify(command) },
      });
      puts++;
      if (puts % 256 === 0) prune.run(workspaceId, workspaceId, MOST_KEPT);
    },
  };
}

function commandOf(document: string | undefined): Command | null {
  return document === undefined ? null : read(document);
}

function read(document: string): Command {
  return withProvenance<Command>(JSON.parse(document));
}
