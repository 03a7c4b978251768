import { sealedRows } from './sealed_secrets.ts';
import type { State } from './state.ts';

/** Signing state of a link. Times are in units of 10 µs since 2015. */
export type LinkSigningRow = {
  linkId: string;
  /** The link id in our signatures, one byte. */
  number: number;
  /** Time of the last signature: later signatures must have a later time. */
  last: number;
  /** Minimum timestamp that is accepted from a signer that was never received before. */
  floor: number;
  streams: readonly StoredStream[];
};

/** The newest timestamp that was accepted from a signer, per link id of the signer. */
export type StoredStream = { sysid: number; compid: number; linkId: number; timestamp: number };

export type LinkSigningRows = {
  get(workspaceId: string, linkId: string): LinkSigningRow | null;
  /** Call within a write of the state. */
  put(workspaceId: string, row: LinkSigningRow): void;
  /** A number that no link of the box has. When all are in use, a number that no link of the workspace has. */
  freeNumber(workspaceId: string): number;
  /**
   * Deletes the key of a link and its signing state; returns whether there was a key. Call within a write of the state.
   */
  forget(workspaceId: string, linkId: string): boolean;
};

const MOST_NUMBER = 255;

type Stored = Omit<LinkSigningRow, 'streams'> & { streams: string };

/** Name under which the key of a link is sealed. */
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

/** The first free number; never 0, which vehicles and other stations use for themselves. */
function firstFree(rows: readonly { number: number }[]): number | null {
  const taken = new Set(rows.map(({ number }) => number));
  for (let number = 1; number <= MOST_NUMBER; number++) if (!taken.has(number)) return number;
  return null;
}
