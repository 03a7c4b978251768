import { pipeline, Readable } from 'node:stream';
import { constants, crc32, createDeflateRaw } from 'node:zlib';
import { Fault } from '../model/fault.ts';

/** A file to be packed; its content is read once, in order. */
export type ZipEntry = { readonly path: string; readonly content: AsyncIterable<Buffer> };

/** Without the extension for larger ones (Zip64), which not every reader knows. */
const mostBytes = 0xffff_ffff;
/** What follows the sizes is known only after the content; names are UTF-8. */
const flags = 0x0808;
const deflated = 8;
const version = 20;

type Packed = { name: Buffer; crc: number; packedBytes: number; bytes: number; offset: number };

/**
 * A ZIP archive (PKWARE APPNOTE 6.3) as it is written: entries are read one after the other as fast as the archive is
 * taken, so that no more than a few chunks are held. `at` dates every entry, in UTC since the format knows no zone.
 */
export async function* writeZip(entries: AsyncIterable<ZipEntry>, at: Date): AsyncGenerator<Buffer> {
  const date = dosTime(at);
  const packed: Packed[] = [];
  let offset = 0;
  for await (const { path, content } of entries) {
    const entry = { name: Buffer.from(path), crc: 0, packedBytes: 0, bytes: 0, offset };
    const head = localHeader(entry, date);
    offset += head.length;
    yield head;
    for await (const chunk of deflate(measured(content, entry))) {
      entry.packedBytes += chunk.length;
      offset += chunk.length;
      yield chunk;
    }
    if (entry.bytes > mostBytes || offset > mostBytes) throw new Fault('too_large', 'the archive grew over 4 GiB');
    const tail = descriptor(entry);
    offset += tail.length;
    yield tail;
    packed.push(entry);
  }
  const directory = Buffer.concat(packed.map((entry) => centralHeader(entry, date)));
  yield directory;
  yield endOfDirectory(packed.length, directory.length, offset);
}

async function* measured(content: AsyncIterable<Buffer>, entry: Packed): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    entry.crc = crc32(chunk, entry.crc);
    entry.bytes += chunk.length;
    yield chunk;
  }
}

function deflate(content: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const packer = createDeflateRaw({ level: constants.Z_DEFAULT_COMPRESSION });
  // What fails on the way destroys the packer, whose reader is then told.
  return pipeline(Readable.from(content, { objectMode: false }), packer, () => {});
}

function localHeader({ name }: Packed, date: number): Buffer {
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(version, 4);
  head.writeUInt16LE(flags, 6);
  head.writeUInt16LE(deflated, 8);
  head.writeUInt32LE(date, 10);
  head.writeUInt16LE(name.length, 26);
  return Buffer.concat([head, name]);
}

function descriptor({ crc, packedBytes, bytes }: Packed): Buffer {
  const tail = Buffer.alloc(16);
  tail.writeUInt32LE(0x08074b50, 0);
  tail.writeUInt32LE(crc, 4);
  tail.writeUInt32LE(packedBytes, 8);
  tail.writeUInt32LE(bytes, 12);
  return tail;
}

function centralHeader({ name, crc, packedBytes, bytes, offset }: Packed, date: number): Buffer {
  const head = Buffer.alloc(46);
  head.writeUInt32LE(0x02014b50, 0);
  // Made on Unix, so that the file's mode below is read.
  head.writeUInt16LE((3 << 8) | version, 4);
  head.writeUInt16LE(version, 6);
  head.writeUInt16LE(flags, 8);
  head.writeUInt16LE(deflated, 10);
  head.writeUInt32LE(date, 12);
  head.writeUInt32LE(crc, 16);
  head.writeUInt32LE(packedBytes, 20);
  head.writeUInt32LE(bytes, 24);
  head.writeUInt16LE(name.length, 28);
  head.writeUInt32LE(0o100644 * 0x1_0000, 38);
  head.writeUInt32LE(offset, 42);
  return Buffer.concat([head, name]);
}

function endOfDirectory(entries: number, bytes: number, offset: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries, 8);
  end.writeUInt16LE(entries, 10);
  end.writeUInt32LE(bytes, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}

/** Time in the low half, date in the high one; nothing before 1980 can be told. */
function dosTime(at: Date): number {
  const years = Math.min(Math.max(at.getUTCFullYear() - 1980, 0), 127);
  const date = (years << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  return date * 0x1_0000 + time;
}
