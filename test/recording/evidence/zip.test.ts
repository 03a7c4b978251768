import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createWriteStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import fc from 'fast-check';
import t from 'tap';
import { writeZip, type ZipEntry } from '../../../src/recording/evidence/zip.ts';
import { onlyInFull } from '../../support/basics/patience.ts';
import { seedOf } from '../../support/basics/seed.ts';

/** Reads an archive as a stranger does, and prints the names with the hash of each content. */
const python = `
import hashlib, json, sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
assert z.testzip() is None
print(json.dumps([[i.filename, hashlib.sha256(z.read(i)).hexdigest(), list(i.date_time), i.external_attr >> 16] for i in z.infolist()]))
`;

onlyInFull(t);
const at = new Date('2026-03-04T12:30:42.000Z');

async function* entries(files: readonly (readonly [string, readonly Buffer[]])[]): AsyncGenerator<ZipEntry> {
  for (const [path, chunks] of files) yield { path, content: Readable.from(chunks) };
}

async function write(path: string, files: readonly (readonly [string, readonly Buffer[]])[], when = at): Promise<void> {
  await pipeline(Readable.from(writeZip(entries(files), when), { objectMode: false }), createWriteStream(path));
}

function readBack(path: string): [string, string, number[], number][] {
  const run = spawnSync('python3', ['-c', python, path], { encoding: 'utf8' });
  if (run.status !== 0) throw new Error(run.stderr);
  return JSON.parse(run.stdout);
}

async function sha256(chunks: readonly Buffer[]): Promise<string> {
  const { createHash } = await import('node:crypto');
  return createHash('sha256').update(Buffer.concat(chunks)).digest('hex');
}

t.test('what is packed is what others unpack', async (t) => {
  const folder = t.testdir();
  let round = 0;
  const chunk = fc.uint8Array({ maxLength: 3_000 }).map((bytes) => Buffer.from(bytes));
  const file = fc.tuple(fc.stringMatching(/^[a-zß日 ]{1,20}\.[a-z]{3}$/), fc.array(chunk, { maxLength: 4 }));
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(file, { maxLength: 6, selector: ([path]) => path }), async (files) => {
      const path = join(folder, `${round++}.zip`);
      await write(path, files);
      const found = readBack(path);
      t.same(
        found.map(([name, hash]) => [name, hash]),
        await Promise.all(files.map(async ([name, chunks]) => [name, await sha256(chunks)])),
      );
      for (const [, , time, mode] of found) {
        t.same(time, [2026, 3, 4, 12, 30, 42]);
        t.equal(mode, 0o100644);
      }
    }),
    { seed: seedOf(t), numRuns: 15 },
  );
});

t.test('unzip finds nothing to complain of, in a large one neither', async (t) => {
  const path = join(t.testdir(), 'large.zip');
  const block = Buffer.concat([randomBytes(500_000), Buffer.alloc(500_000)]);
  await write(path, [
    ['a.bin', Array.from({ length: 40 }, () => block)],
    ['empty.txt', []],
  ]);
  t.equal(spawnSync('unzip', ['-t', path]).status, 0);
  t.ok(readFileSync(path).length < 21_000_000, 'and it is packed');
});

t.test('a box without a clock, or of the next century, packs all the same', async (t) => {
  const path = join(t.testdir(), 'dated.zip');
  for (const [when, year] of [
    ['1970-01-01T00:00:05Z', 1980],
    ['2150-07-01T12:00:00Z', 2099],
  ] as const) {
    await write(path, [['a.txt', [Buffer.from('x')]]], new Date(when));
    t.equal(readBack(path)[0]?.[2][0], year);
  }
});

t.test('what fails while it is read fails the archive', async (t) => {
  async function* broken(): AsyncGenerator<ZipEntry> {
    async function* content(): AsyncGenerator<Buffer> {
      yield Buffer.from('x');
      throw new Error('the history is gone');
    }
    yield { path: 'a', content: content() };
  }
  const read = async (): Promise<void> => {
    for await (const _ of writeZip(broken(), at));
  };
  await t.rejects(read(), /the history is gone/);
});

t.test('no more is read than is taken', async (t) => {
  let read = 0;
  async function* endless(): AsyncGenerator<Buffer> {
    for (;;) {
      read += 100_000;
      yield randomBytes(100_000);
    }
  }
  async function* one(): AsyncGenerator<ZipEntry> {
    yield { path: 'a', content: endless() };
  }
  let taken = 0;
  for await (const piece of writeZip(one(), at)) {
    taken += piece.length;
    if (taken > 2_000_000) break;
  }
  t.ok(read - taken < 1_500_000, `${read} bytes read for ${taken} taken`);
});
