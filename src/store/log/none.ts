import { noneDropped } from './dropped.ts';
import type { HistoryLog } from './history.ts';

const nothing = { rows: [], next: null };

/** Empty history for a world that nobody queries about its past, for example in a simulation without a server. */
export const noHistory: HistoryLog = {
  forgets: true,
  start: async () => {},
  stop: async () => {},
  append: () => {},
  keep: () => {},
  status: () => ({
    state: 'ok',
    text: null,
    queued: 0,
    written: 0,
    dropped: 0,
    droppedByKind: noneDropped(),
    unreadable: 0,
    lastCommitMs: null,
    bytes: 0,
    heldBytes: 0,
    note: null,
  }),
  trackPoints: async () => nothing,
  detections: async () => nothing,
  events: async () => nothing,
  sightings: async () => nothing,
  lastSummaries: async () => new Map(),
  trails: async () => ({ stepS: 1, tracks: 0, trails: [] }),
  lastTracks: async () => [],
  lastEventSeq: async () => 0,
};
