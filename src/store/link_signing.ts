import { sealedRows } from './sealed_secrets.ts';
import type { State } from './state.ts';

/** Signing state of a link. Times are MAVLink timestamps, in units of 10 µs since 2015. */
export type LinkSigningRow = {
  linkId: string;
  /** Link id in signatures of this box, one byte. */
  number: number;
  /**
   * Timestamp below all signatures of the next run. While the box runs, the stored value is not before any timestamp
   * used so far, so none is repeated after a crash. An orderly stop stores the last used timestamp.
   */
  last: number;
  /**
   * Latest time that the clock of this box showed. It keeps old timestamps refused if the clock is set back: the first
   * timestamp of a signer without a stored stream may be at most 60 s earlier.
   */
  floor: number;
  streams: readonly StoredStream[];
};

/**
 * Timestamp up to which signatures of one signer (system and component id) with one link id are refused. While the box
 * runs, the stored value may be later than the newest accepted timestamp.
 */
export type StoredStream = { sysid: number; compid: number; linkId: number; timestamp: number };

export type LinkSigningRows = {
  get(workspaceId: string, linkId: string): LinkSigningRow | null;
  /** Inserts or replaces the signing state of a link. Call it within a write of the state. */
  put(workspaceId: string, row: LinkSigningRow): void;
  /**
   * Returns a link id for signatures that no link of the box uses. If all are in use, returns one that no link of the
   * workspace uses; if there is none either, 255.
   */
  freeNumber(workspaceId: string): number;
  /**
   * Deletes the key and the signing state of a link. Returns true if there was a key. Call it within a write of the
   * state.
   */
  forget(workspaceId: string, linkId: string): boolean;
};

const MOST_NUMBER = 255;

type Stored = Omit<LinkSigningRow, 'streams'> & { streams: string };

/** Returns the name under which the key of a link is sealed. */
export function signingSecretName(linkId: string): string {
  return `link:${linkId}`;
}

export function linkSigningRows(state: State): LinkSigningRows {
  const { db } = state;
  const sealed = sealedRows(state);
  const get = db.prepare<[string, string], Stored>(
    `SELECT link_id AS linkId, number, last, floor, streams FROM link_signing
     WHERE workspace_id = ? AND link_id = ?`,
  );
  const put = db.prepare<[Stored & { workspaceId: string }]>(
    `INSERT INTO link_signing (workspace_id, link_id, number, last, floor, streams)
     VALUES (@workspaceId, @linkId, @number, @last, @floor, @streams)
     ON CONFLICT (workspace_id, link_id) DO UPDATE
       SET number = excluded.number, last = excluded.last, floor = excluded.floor, streams = excluded.streams`,
  );
  const remove = db.prepare<[string, string]>('DELETE FROM link_signing WHERE workspace_id = ? AND link_id = ?');
  const numbers = db.prepare<[], { workspaceId: string; number: number }>(
    'SELECT workspace_id AS workspaceId, number FROM link_signing',
  );
  return {
    get(workspaceId, linkId) {
      const stored = get.get(workspaceId, linkId);
      return stored === undefined ? null : { ...stored, streams: JSON.parse(stored.streams) };
    },
    put: (workspaceId, row) => void put.run({ ...row, workspaceId, streams: JSON.stringify(row.streams) }),
    freeNumber(workspaceId) {
      const all = numbers.all();
      const own = all.filter((row) => row.workspaceId === workspaceId);
      return firstFree(all) ?? firstFree(own) ?? MOST_NUMBER;
    },
    forget(workspaceId, linkId) {
      remove.run(workspaceId, linkId);
      return sealed.remove(workspaceId, signingSecretName(linkId));
    },
  };
}

/**
 * Returns the first free link id; null if none is free. The id is never 0, because vehicles and other ground stations
 * use 0 for themselves.
 */
function firstFree(rows: readonly { number: number }[]): number | null {
  const taken = new Set(rows.map(({ number }) => number));
  for (let number = 1; number <= MOST_NUMBER; number++) if (!taken.has(number)) return number;
  return null;
}
