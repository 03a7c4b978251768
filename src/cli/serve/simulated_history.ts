import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { LogEvent } from '../../model/event.ts';
import type { Fault } from '../../model/fault.ts';
import { createHistoryLog, type HistoryLog } from '../../store/log/history.ts';

/** What is kept of a world that is played: it goes with the world, and needs no more room than this. */
const RETENTION = { prunedBefore: null, bytes: 1_073_741_824 };

export type SimulatedHistory = { history: HistoryLog; close(): Promise<void> };

/**
 * The history of the world that a workspace plays beside its live one. What an earlier one left is taken away. `slot` tells
 * apart two that are there at once.
 */
export async function openSimulatedHistory(
  dataDir: string,
  workspaceId: string,
  onFault: (fault: Fault) => void,
  { slot = '', provenance }: { slot?: string; provenance: LogEvent['provenance'] },
): Promise<SimulatedHistory> {
  const folder = folderOf(workspaceId) + slot;
  const clear = (): void => rmSync(join(dataDir, folder), { recursive: true, force: true });
  clear();
  const history = createHistoryLog({ dataDir, folder, retention: RETENTION, provenance, onFault });
  await history.start();
  return {
    history,
    async close() {
      await history.stop();
      clear();
    },
  };
}

/** What a service that died left of what it played. */
export function clearSimulatedHistory(dataDir: string, workspaceId: string): void {
  // Named whole: the id of one workspace may begin that of another, which plays meanwhile.
  for (const slot of ['', '-0', '-1'])
    rmSync(join(dataDir, folderOf(workspaceId) + slot), { recursive: true, force: true });
}

function folderOf(workspaceId: string): string {
  return `played-${workspaceId}`;
}
