import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import {
  bytesToHeader,
  Compression,
  findTile,
  type Header,
  ResolvedValueCache,
  type Source,
  zxyToTileId,
} from 'pmtiles';
import type { TileType } from '../model/base_map.ts';
import { attributionOf, boundsOf, checkZooms, nameOf } from './facts.ts';
import { MAX_TILE_BYTES, type TileFacts, type TileFile, Unreadable } from './tile_file.ts';

const unzip = promisify(gunzip);

const HEADER_BYTES = 127;
/**
 * Limit of a decompressed directory or metadata, bytes. A hostile file must not fill the memory; real ones are below 1
 * MB.
 */
const MAX_PART_BYTES = 4 * 1024 * 1024;
/**
 * Greatest depth of directories, as in the `pmtiles` library: the root and three levels below it. The specification
 * sets no limit.
 */
const MAX_DEPTH = 4;
/** Number of directories in the cache, for all maps together. A directory has some thousand entries. */
const CACHED_DIRECTORIES = 32;

/**
 * Tile types by their numbers in PMTiles version 3. MapLibre tiles are left out, because the console's map style does
 * not read them.
 */
const tileTypeOf: Record<number, TileType> = { 1: 'mvt', 2: 'png', 3: 'jpeg', 4: 'webp', 5: 'avif' };

const directories = new ResolvedValueCache(CACHED_DIRECTORIES, true, decompress);

async function decompress(bytes: ArrayBuffer, compression: Compression): Promise<ArrayBuffer> {
  if (compression === Compression.None) return bytes;
  if (compression !== Compression.Gzip)
    throw new Unreadable('has directories in a compression that is not supported: use gzip');
  return exact(await unzip(bytes, { maxOutputLength: MAX_PART_BYTES }));
}

/**
 * Copies the bytes of a buffer into a separate `ArrayBuffer`. A buffer's own `ArrayBuffer` may contain other buffers
 * too.
 */
function exact({ buffer, byteOffset, byteLength }: Buffer): ArrayBuffer {
  return buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
}

/** Reads byte ranges of an open file for the PMTiles library. */
class FileRanges implements Source {
  readonly #handle: FileHandle;
  readonly #key: string;
  readonly #bytes: number;

  /** `key` identifies this version of the file in the cache of directories. */
  constructor(handle: FileHandle, key: string, bytes: number) {
    this.#handle = handle;
    this.#key = key;
    this.#bytes = bytes;
  }

  getKey(): string {
    return this.#key;
  }

  async getBytes(offset: number, length: number): Promise<{ data: ArrayBuffer }> {
    return { data: exact(await this.read(offset, length)) };
  }

  async read(offset: number, length: number): Promise<Buffer> {
    if (length > MAX_TILE_BYTES)
      throw new Unreadable(`contains a part of ${length} bytes, more than the limit of ${MAX_TILE_BYTES} bytes`);
    if (offset + length > this.#bytes)
      throw new Unreadable(
        `ends at byte ${this.#bytes}, in the middle of its content: it is copied in part, or cut off`,
      );
    const buffer = Buffer.alloc(length);
    const { bytesRead } = await this.#handle.read(buffer, 0, length, offset);
    if (bytesRead < length) throw new Unreadable('became shorter while it was read');
    return buffer;
  }
}

/** A map in the PMTiles format, version 3: one file with a header, directories and tiles. */
export class PmtilesFile implements TileFile {
  readonly facts: TileFacts;
  readonly #handle: FileHandle;
  readonly #ranges: FileRanges;
  readonly #header: Header;

  private constructor(handle: FileHandle, ranges: FileRanges, header: Header, facts: TileFacts) {
    this.#handle = handle;
    this.#ranges = ranges;
    this.#header = header;
    this.facts = facts;
  }

  /** Opens a file and reads its header, root directory and metadata. Throws `Unreadable`, or an error of the system. */
  static async open(path: string, key: string): Promise<PmtilesFile> {
    const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      const { size } = await handle.stat();
      const ranges = new FileRanges(handle, key, size);
      const header = await readHeader(ranges, size);
      const facts = factsOf(header, await readMetadata(ranges, header));
      await directories.getDirectory(ranges, header.rootDirectoryOffset, header.rootDirectoryLength, header);
      return new PmtilesFile(handle, ranges, header, facts);
    } catch (thrown) {
      await handle.close();
      throw thrown;
    }
  }

  async tile(z: number, x: number, y: number): Promise<Buffer | null> {
    const header = this.#header;
    if (z < header.minZoom || z > header.maxZoom) return null;
    const tileId = zxyToTileId(z, x, y);
    let [offset, length] = [header.rootDirectoryOffset, header.rootDirectoryLength];
    for (let depth = 0; depth < MAX_DEPTH; depth++) {
      const entry = findTile(await directories.getDirectory(this.#ranges, offset, length, header), tileId);
      if (entry === null) return null;
      if (entry.runLength > 0) return this.#ranges.read(header.tileDataOffset + entry.offset, entry.length);
      [offset, length] = [header.leafDirectoryOffset + entry.offset, entry.length];
    }
    throw new Unreadable(`has directories in more than ${MAX_DEPTH} levels`);
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

async function readHeader(ranges: FileRanges, size: number): Promise<Header> {
  if (size < HEADER_BYTES) throw new Unreadable('is too short for a PMTiles file; it may be copied in part');
  const bytes = await ranges.read(0, HEADER_BYTES);
  if (bytes.toString('latin1', 0, 7) !== 'PMTiles')
    throw new Unreadable('is no PMTiles file: it does not begin with the mark of the format');
  if (bytes[7] !== 3) throw new Unreadable(`is a PMTiles file of version ${bytes[7]}: only version 3 is supported`);
  const header = bytesToHeader(exact(bytes));
  const end = Math.max(
    header.rootDirectoryOffset + header.rootDirectoryLength,
    header.jsonMetadataOffset + header.jsonMetadataLength,
    header.leafDirectoryOffset + (header.leafDirectoryLength ?? 0),
    header.tileDataOffset + (header.tileDataLength ?? 0),
  );
  if (end > size) throw new Unreadable(`has ${size} of its ${end} bytes: it is copied in part, or cut off`);
  return header;
}

/**
 * Returns the metadata of the file. Unreadable JSON gives an empty object, since only name and attribution are read
 * from the metadata.
 */
async function readMetadata(ranges: FileRanges, header: Header): Promise<Record<string, unknown>> {
  const { jsonMetadataOffset, jsonMetadataLength, internalCompression } = header;
  if (jsonMetadataLength === 0) return {};
  const { data } = await ranges.getBytes(jsonMetadataOffset, jsonMetadataLength);
  const bytes = await decompress(data, internalCompression);
  try {
    const document: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    return typeof document === 'object' && document !== null ? { ...document } : {};
  } catch {
    return {};
  }
}

function factsOf(header: Header, metadata: Record<string, unknown>): TileFacts {
  const tileType = tileTypeOf[header.tileType];
  if (tileType === undefined) throw new Unreadable(`has tiles of the unknown type ${header.tileType}`);
  if (header.tileCompression === Compression.Brotli || header.tileCompression === Compression.Zstd)
    throw new Unreadable('has tiles in a compression that is not supported: use gzip');
  const { minZoom, maxZoom, minLon, minLat, maxLon, maxLat } = header;
  checkZooms(minZoom, maxZoom);
  const bounds = boundsOf([minLon, minLat, maxLon, maxLat]);
  return {
    name: nameOf(metadata.name),
    tileType,
    minZoom,
    maxZoom,
    bounds,
    attribution: attributionOf(metadata.attribution),
  };
}
