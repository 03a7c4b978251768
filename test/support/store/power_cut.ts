import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Records of test/support/store/disk_layer.c. */
const ops = { create: 1, write: 2, truncate: 3, sync: 4, syncFolder: 5, rename: 6, unlink: 7, mkdir: 8 } as const;
const MAGIC = 0x4c44;
const HEAD_BYTES = 32;
const SECTOR_BYTES = 512;

type Change = { atByte: number; bytes: Buffer } | { toBytes: number };

/** Bytes of a file, changed in place. */
class Bytes {
  #held: Buffer;
  #length: number;

  constructor(held: Uint8Array = new Uint8Array()) {
    this.#held = Buffer.from(held);
    this.#length = held.length;
  }

  get now(): Buffer {
    return this.#held.subarray(0, this.#length);
  }

  apply(change: Change): void {
    const isWrite = 'bytes' in change;
    const end = isWrite ? change.atByte + change.bytes.length : change.toBytes;
    if (end > this.#held.length) {
      const grown = Buffer.alloc(2 * end);
      this.now.copy(grown);
      this.#held = grown;
    }
    if (isWrite) change.bytes.copy(this.#held, change.atByte);
    else if (end < this.#length) this.#held.fill(0, end, this.#length);
    this.#length = isWrite ? Math.max(end, this.#length) : end;
  }
}

/** One file or folder: what the disk surely has, and the changes since its last sync, which it may have or not. */
type Content = { synced: Bytes; pending: Change[] };

const folderContent: Content = { synced: new Bytes(), pending: [] };

/** A name that was given or taken away; `content` is null where it was taken away. */
type Naming = { path: string; content: Content | null };

/** What became of the changes that no sync covers. */
export type Fate = 'dropped' | 'torn' | 'reordered';
export const fates: readonly Fate[] = ['dropped', 'torn', 'reordered'];

/** The files of a folder as a disk has them that keeps for sure only what was synced. */
export class Disk {
  readonly #folder: string;
  readonly #journal: Buffer;
  #at = 0;
  /** Names that the disk surely has, and what happened to the names of each folder since it was synced. */
  readonly #names = new Map<string, Content>();
  readonly #pendingNames = new Map<string, Naming[]>();
  /** Names as the program saw them. */
  readonly #seen = new Map<string, Content>();
  readonly #byInode = new Map<bigint, Content>();

  /** `folder` was empty when the journal of its layer began. */
  constructor(folder: string, journal: Buffer) {
    this.#folder = folder;
    this.#journal = journal;
  }

  /** Repeats the journal up to a byte. A record that ends later is left for the next call. */
  replay(untilByte: number): void {
    for (let at = this.#at; at + HEAD_BYTES <= untilByte; at = this.#at) {
      const journal = this.#journal;
      if (journal.readUInt32LE(at) !== MAGIC) throw new Error(`no record at byte ${at} of the journal`);
      const aEnd = at + HEAD_BYTES + journal.readUInt32LE(at + 24);
      const bEnd = aEnd + journal.readUInt32LE(at + 28);
      if (bEnd > Math.min(untilByte, journal.length)) return;
      const inode = journal.readBigUInt64LE(at + 8);
      const place = Number(journal.readBigUInt64LE(at + 16));
      const a = journal.subarray(at + HEAD_BYTES, aEnd);
      this.#take(journal.readUInt32LE(at + 4), inode, place, a, journal.subarray(aEnd, bEnd).toString());
      this.#at = bEnd;
    }
  }

  /** Makes a folder with what the disk has after the power went at this moment. */
  cutPower(target: string, fate: Fate, random: () => number): void {
    const names = new Map(this.#names);
    // A journaling file system keeps the order of changes of names.
    for (const pending of this.#pendingNames.values()) {
      const kept = fate === 'dropped' ? 0 : Math.floor(random() * (pending.length + 1));
      for (const { path, content } of pending.slice(0, kept)) name(names, path, content);
    }
    mkdirSync(target);
    const isFound = (path: string): boolean => path === this.#folder || (names.has(path) && isFound(dirname(path)));
    for (const [path, content] of names) {
      // What was synced in a folder whose own name was not is not found again.
      if (content === folderContent || !isFound(path)) continue;
      // SQLite makes its shared memory anew from the write-ahead log; nothing ever syncs it.
      if (path.endsWith('-shm')) continue;
      const place = join(target, relative(this.#folder, path));
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, survived(content, fate, random), { mode: 0o640 });
    }
  }

  #take(op: number, inode: bigint, place: number, a: Buffer, b: string): void {
    if (op === ops.write) this.#content(inode).pending.push({ atByte: place, bytes: a });
    else if (op === ops.truncate) this.#content(inode).pending.push({ toBytes: place });
    else if (op === ops.sync) {
      const content = this.#content(inode);
      for (const change of content.pending) content.synced.apply(change);
      content.pending = [];
    } else if (op === ops.syncFolder) this.#syncNames(a.toString());
    else if (op === ops.create) {
      const content = { synced: new Bytes(), pending: [] };
      this.#byInode.set(inode, content);
      this.#name(a.toString(), content);
    } else if (op === ops.unlink) this.#name(a.toString(), null);
    else if (op === ops.mkdir) this.#name(a.toString(), folderContent);
    else if (op === ops.rename) this.#move(a.toString(), b);
  }

  #move(from: string, to: string): void {
    const moved = this.#seen.get(from);
    if (moved === undefined) throw new Error(`${from} was moved and never made`);
    this.#name(to, moved);
    this.#name(from, null);
  }

  #content(inode: bigint): Content {
    const content = this.#byInode.get(inode);
    if (content === undefined) throw new Error(`inode ${inode} was changed and never made`);
    return content;
  }

  #name(path: string, content: Content | null): void {
    name(this.#seen, path, content);
    const pending = this.#pendingNames.get(dirname(path)) ?? [];
    this.#pendingNames.set(dirname(path), pending);
    pending.push({ path, content });
  }

  #syncNames(folder: string): void {
    for (const { path, content } of this.#pendingNames.get(folder) ?? []) name(this.#names, path, content);
    this.#pendingNames.delete(folder);
  }
}

function name(names: Map<string, Content>, path: string, content: Content | null): void {
  if (content === null) names.delete(path);
  else names.set(path, content);
}

/** A file after the cut: its unsynced changes are gone, end in the middle of one, or are kept by chance. */
function survived({ synced, pending }: Content, fate: Fate, random: () => number): Uint8Array {
  const bytes = new Bytes(synced.now);
  const whole = Math.floor(random() * (pending.length + 1));
  for (const [at, change] of pending.entries()) {
    if (fate === 'reordered' ? random() < 0.5 : fate === 'torn' && at < whole) bytes.apply(change);
    else if (fate === 'torn' && at === whole) bytes.apply(torn(change, random));
  }
  return bytes.now;
}

/** The first sectors of a write. */
function torn(change: Change, random: () => number): Change {
  if (!('bytes' in change)) return change;
  const sectors = Math.floor(random() * Math.ceil(change.bytes.length / SECTOR_BYTES));
  return { ...change, bytes: change.bytes.subarray(0, sectors * SECTOR_BYTES) };
}
