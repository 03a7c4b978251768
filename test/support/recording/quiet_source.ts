import { join } from 'node:path';
import {
  RecordingService,
  type RecordingServiceDeps,
  type RecordingSettings,
} from '../../../src/recording/recording_service.ts';
import { RecordingStore } from '../../../src/recording/recording_store.ts';
import type { LinkRow, RecordedRow, RecordedTable } from '../../../src/recording/records.ts';
import type { Ledger } from '../../../src/store/ledger.ts';
import { RecorderHook } from '../../../src/world/recorder_hook.ts';

export const linkId = '5e0f6a52-0d3c-4a11-9c55-0000000000b2';
const links: LinkRow[] = [{ id: linkId, spec: { name: 'rid', protocol: 'mavlink' }, issued_for: null, of_file: true }];
const rows: [RecordedTable, RecordedRow[]][] = [
  ['links', links],
  ['zones', [{ id: 'z', name: 'fence' }]],
];

/** A world of one link and one zone, without anything that runs. */
export function quietSource(
  passing: () => [RecordedTable, RecordedRow[]][] = () => [],
): RecordingServiceDeps['source'] {
  return {
    nowMs: () => performance.now(),
    utcMs: (worldMs) => performance.timeOrigin + worldMs,
    tables: () => new Map([...rows, ...passing()]),
    passing: () => new Map(passing()),
    table: () => [],
    links: () => links,
    core: () => ({ seed: Buffer.from('0102030405060708', 'hex'), lastNumber: 41 }),
  };
}

export const quietSettings: RecordingSettings = { maxS: 86_400, maxBytes: 1e9, allBytes: 4e9, minFreeBytes: 0 };

/** Recordings of a world in which nothing happens but what a test says to `recorderHook`. */
export function recordingsOf(
  dataDir: string,
  deps: { ledger: Ledger; workspaceId: string },
  changes: Partial<RecordingServiceDeps> = {},
): { service: RecordingService; recorderHook: RecorderHook; shelf: RecordingStore; folder: string } {
  const recorderHook = new RecorderHook();
  const shelf = new RecordingStore(dataDir);
  const parts = {
    store: shelf,
    settings: quietSettings,
    recorderHook,
    source: quietSource(),
    note: () => {},
    ...deps,
    ...changes,
  };
  return { service: new RecordingService(parts), recorderHook, shelf, folder: join(dataDir, 'recordings') };
}
