import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, readdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { MapFormat } from '../model/base_map.ts';
import { Fault, invalidInput, unavailable } from '../model/fault.ts';
import { codeOf, reasonOf } from '../store/failures.ts';
import { isOfSystem, openTiles, whyUnreadable } from './map_folder.ts';

/** Number of written bytes after which the free space is checked again. */
const STEP_BYTES = 8 * 1024 * 1024;
/** Time limit of one upload, ms: other uploads are refused until its end. */
const UPLOAD_MS = 3_600_000;
const PART = /^\.upload-[0-9a-f-]+\.part$/;

/** Limits of one upload. */
export type UploadLimits = {
  /** Space that the other maps leave, bytes. */
  roomBytes: number;
  /** Sentence of the refusal if the file is larger than `roomBytes`. */
  noRoom: string;
  minFreeBytes: number;
};

/**
 * A file that is being uploaded. `announcedBytes` is null if the sender announced no size. `pieces` yields the
 * content.
 */
export type Incoming = { announcedBytes: number | null; pieces(): AsyncIterable<Buffer> };

/**
 * Writes a file beside the maps, under a hidden name. Returns its path once the file is synced to the disk and can be
 * read as a map.
 */
export async function receive(
  folder: string,
  file: { name: string; format: MapFormat },
  incoming: Incoming,
  limits: UploadLimits,
): Promise<string> {
  await admit(folder, incoming.announcedBytes ?? 0, limits);
  const path = join(folder, `.upload-${randomUUID()}.part`);
  try {
    const handle = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o640);
    try {
      await writePieces(handle, folder, incoming, limits);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await verify(path, file);
    return path;
  } catch (thrown) {
    await rm(path, { force: true });
    if (thrown instanceof Fault || codeOf(thrown) === '') throw thrown;
    throw unavailable(`the map ${file.name} cannot be written: ${reasonOf(thrown)}`);
  }
}

/** Removes partial files of uploads that a kill or a power cut interrupted. */
export async function removeParts(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  await Promise.all(names.filter((name) => PART.test(name)).map((name) => rm(join(folder, name), { force: true })));
}

async function admit(folder: string, bytes: number, { roomBytes, noRoom, minFreeBytes }: UploadLimits): Promise<void> {
  if (bytes > roomBytes || roomBytes <= 0) throw new Fault('too_large', noRoom);
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize - bytes >= minFreeBytes) return;
  const megabytes = Math.ceil(minFreeBytes / 1e6);
  throw unavailable(`the disk is nearly full: a map must leave ${megabytes} MB free (data.maps.min_free_bytes)`);
}

async function writePieces(
  handle: FileHandle,
  folder: string,
  { pieces }: Incoming,
  limits: UploadLimits,
): Promise<void> {
  const beganMs = performance.now();
  let written = 0;
  let sinceStep = 0;
  for await (const piece of pieces()) {
    written += piece.length;
    sinceStep += piece.length;
    if (written > limits.roomBytes) throw new Fault('too_large', limits.noRoom);
    if (sinceStep > STEP_BYTES) {
      sinceStep = 0;
      await admit(folder, 0, limits);
    }
    if (performance.now() - beganMs > UPLOAD_MS) throw invalidInput('the upload of the map took longer than one hour');
    await handle.writeFile(piece);
  }
}

async function verify(path: string, { name, format }: { name: string; format: MapFormat }): Promise<void> {
  try {
    const tiles = await openTiles(path, format, path);
    await tiles.close();
  } catch (thrown) {
    const sentence = whyUnreadable(name, thrown);
    throw isOfSystem(thrown) ? unavailable(sentence) : invalidInput(sentence);
  }
}
