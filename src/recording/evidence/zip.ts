import { pipeline, Readable } from 'node:stream';
import { constants, crc32, createDeflateRaw } from 'node:zlib';
import { Zip, type ZipInputFile } from 'fflate';
import { Fault } from '../../model/fault.ts';

/** A file of the archive. Its content is read once, in order. */
export type ZipEntry = { readonly path: string; readonly content: AsyncIterable<Buffer> };

/**
 * Largest file and archive without Zip64, bytes. Zip64 is the extension for larger files, which some readers do not
 * support.
 */
const mostBytes = 0xffff_ffff;
const deflated = 8;
const unix = 3;

/**
 * Writes a ZIP archive. Entries are read one after the other, as fast as the archive is consumed, so that only a few
 * chunks are in memory. `at` is the date of every entry, in UTC because the format has no time zone. The threads of
 * zlib compress the content, because the ZIP library's own compression would block the main thread.
 */
export async function* writeZip(entries: AsyncIterable<ZipEntry>, at: Date): AsyncGenerator<Buffer> {
  const ready: Buffer[] = [];
  let offset = 0;
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    offset += chunk.length;
    if (chunk.length > 0) ready.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length));
  });
  for await (const { path, content } of entries) {
    const file: ZipInputFile = {
      ...{ filename: path, size: 0, crc: 0, compression: deflated, os: unix, attrs: 0o100644 * 0x1_0000 },
      mtime: localTime(at),
    };
    zip.add(file);
    for await (const chunk of deflate(measured(content, file))) {
      file.ondata?.(null, chunk, false);
      yield* ready.splice(0);
    }
    file.ondata?.(null, new Uint8Array(0), true);
    if (file.size > mostBytes || offset > mostBytes)
      throw new Fault('too_large', 'the archive would exceed its limit of 4 GiB');
    yield* ready.splice(0);
  }
  zip.end();
  yield* ready.splice(0);
}

async function* measured(content: AsyncIterable<Buffer>, file: ZipInputFile): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    file.crc = crc32(chunk, file.crc);
    file.size += chunk.length;
    yield chunk;
  }
}

function deflate(content: AsyncIterable<Buffer>): AsyncIterable<Buffer<ArrayBuffer>> {
  const packer = createDeflateRaw({ level: constants.Z_DEFAULT_COMPRESSION });
  // If reading `content` fails, the packer is destroyed, and whoever reads the packer gets the error.
  return pipeline(Readable.from(content, { objectMode: false }), packer, () => {});
}

/**
 * Returns a local time with the same digits as `at` has in UTC, because the library dates entries in the local time
 * zone. Years are limited to those of the format, since the library rejects others. A machine without a battery-backed
 * clock starts in 1970.
 */
function localTime(at: Date): Date {
  const year = Math.min(Math.max(at.getUTCFullYear(), 1980), 2099);
  return new Date(year, at.getUTCMonth(), at.getUTCDate(), at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds());
}
