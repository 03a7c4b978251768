import { gzipSync } from 'node:zlib';

/** A tile of a map that a test makes; its row counts from the north. */
export type MadeTile = { z: number; x: number; y: number; bytes: Buffer };

type Made = {
  tiles: readonly MadeTile[];
  /** By the specification: 1 MVT, 2 PNG, 3 JPEG, 4 WebP, 5 AVIF. */
  tileType?: number;
  /** 1 none, 2 gzip, 3 brotli, 4 zstd. */
  tileCompression?: number;
  internalCompression?: 1 | 2;
  metadata?: object;
  bounds?: [number, number, number, number];
  /** Entries of a leaf directory; without it all are in the root. */
  leafEntries?: number;
};
type Entry = { tileId: number; offset: number; length: number; runLength: number };

/** A file of the PMTiles specification, version 3: header, root directory, metadata, leaf directories, tiles. */
export function pmtilesOf(made: Made): Buffer {
  const { tileType = 1, tileCompression = 2, internalCompression = 2, metadata = {}, leafEntries } = made;
  const pack = (bytes: Buffer): Buffer => (internalCompression === 2 ? gzipSync(bytes) : bytes);
  const tiles = made.tiles
    .map((tile) => ({ ...tile, tileId: tileIdOf(tile.z, tile.x, tile.y) }))
    .sort((a, b) => a.tileId - b.tileId);
  const entries: Entry[] = [];
  let offset = 0;
  for (const { tileId, bytes } of tiles) {
    entries.push({ tileId, offset, length: bytes.length, runLength: 1 });
    offset += bytes.length;
  }
  const leaves = leavesOf(entries, leafEntries ?? entries.length, pack);
  const root = pack(directoryOf(leafEntries === undefined ? entries : leaves.entries));
  const leafBytes = leafEntries === undefined ? Buffer.alloc(0) : leaves.bytes;
  const document = pack(Buffer.from(JSON.stringify(metadata)));
  const parts = [root, document, leafBytes, Buffer.concat(tiles.map(({ bytes }) => bytes))];

  const header = Buffer.alloc(127);
  header.write('PMTiles', 0, 'latin1');
  header.writeUInt8(3, 7);
  let at = header.length;
  for (const [index, part] of parts.entries()) {
    header.writeBigUInt64LE(BigInt(at), 8 + index * 16);
    header.writeBigUInt64LE(BigInt(part.length), 16 + index * 16);
    at += part.length;
  }
  for (const place of [72, 80, 88]) header.writeBigUInt64LE(BigInt(tiles.length), place);
  const zooms = tiles.map(({ z }) => z);
  for (const [index, value] of [
    1,
    internalCompression,
    tileCompression,
    tileType,
    Math.min(...zooms),
    Math.max(...zooms),
  ].entries())
    header.writeUInt8(value, 96 + index);
  for (const [index, degrees] of (made.bounds ?? [8.4, 47.3, 8.7, 47.5]).entries())
    header.writeInt32LE(Math.round(degrees * 1e7), 102 + index * 4);
  return Buffer.concat([header, ...parts]);
}

/** Number of a tile along the Hilbert curve, after those of all lower zoom levels. */
function tileIdOf(z: number, column: number, row: number): number {
  let id = (4 ** z - 1) / 3;
  let [x, y] = [column, row];
  for (let side = 2 ** z / 2; side >= 1; side /= 2) {
    const [rx, ry] = [(x & side) === 0 ? 0 : 1, (y & side) === 0 ? 0 : 1];
    id += side * side * ((3 * rx) ^ ry);
    if (ry === 0) {
      if (rx === 1) [x, y] = [side - 1 - x, side - 1 - y];
      [x, y] = [y, x];
    }
    x &= side - 1;
    y &= side - 1;
  }
  return id;
}

function leavesOf(entries: readonly Entry[], size: number, pack: (bytes: Buffer) => Buffer) {
  const packed: Buffer[] = [];
  const pointers: Entry[] = [];
  let offset = 0;
  for (let at = 0; at < entries.length; at += size) {
    const leaf = pack(directoryOf(entries.slice(at, at + size)));
    pointers.push({ tileId: entries[at]?.tileId ?? 0, offset, length: leaf.length, runLength: 0 });
    packed.push(leaf);
    offset += leaf.length;
  }
  return { entries: pointers, bytes: Buffer.concat(packed) };
}

function directoryOf(entries: readonly Entry[]): Buffer {
  const numbers = [
    entries.length,
    ...entries.map(({ tileId }, at) => tileId - (entries[at - 1]?.tileId ?? 0)),
    ...entries.map(({ runLength }) => runLength),
    ...entries.map(({ length }) => length),
    ...entries.map(({ offset }) => offset + 1),
  ];
  return Buffer.from(numbers.flatMap(varint));
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  return [...bytes, rest];
}
