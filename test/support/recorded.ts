import { join } from 'node:path';
import type { Ledger } from '../../src/store/ledger.ts';
import { RecordingDesk, type RecordingDeskParts, type RecordingSettings } from '../../src/worlds/replay/desk.ts';
import type { RecordedRow, RecordedTable } from '../../src/worlds/replay/records.ts';
import { RecordingShelf } from '../../src/worlds/replay/shelf.ts';
import { Taps } from '../../src/worlds/taps.ts';

export const linkId = '5e0f6a52-0d3c-4a11-9c55-0000000000b2';
const rows: [RecordedTable, RecordedRow[]][] = [
  ['links', [{ id: linkId, spec: { name: 'rid', protocol: 'mavlink' }, issued_for: null, of_file: true }]],
  ['zones', [{ id: 'z', name: 'fence' }]],
];

/** A world of one link and one zone, without anything that runs. */
export function quietSource(passing: () => [RecordedTable, RecordedRow[]][] = () => []): RecordingDeskParts['source'] {
  return {
    nowMs: () => performance.now(),
    utcMs: (worldMs) => performance.timeOrigin + worldMs,
    tables: () => new Map([...rows, ...passing()]),
    passing: () => new Map(passing()),
    table: (table) => rows.find(([name]) => name === table)?.[1] ?? [],
    core: () => ({ seed: Buffer.from('0102030405060708', 'hex'), lastNumber: 41 }),
  };
}

export const quietSettings: RecordingSettings = { maxS: 86_400, maxBytes: 1e9, allBytes: 4e9, minFreeBytes: 0 };

/** Recordings of a world in which nothing happens but what a test says to `taps`. */
export function recordingsOf(
  dataDir: string,
  rim: { ledger: Ledger; workspaceId: string },
  changes: Partial<RecordingDeskParts> = {},
): { desk: RecordingDesk; taps: Taps; shelf: RecordingShelf; folder: string } {
  const taps = new Taps();
  const shelf = new RecordingShelf(dataDir);
  const parts = { shelf, settings: quietSettings, taps, source: quietSource(), note: () => {}, ...rim, ...changes };
  return { desk: new RecordingDesk(parts), taps, shelf, folder: join(dataDir, 'recordings') };
}
