import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { auditKey } from '../../src/store/audit_key.ts';
import { randomFrom } from '../support/basics/random.ts';
import { seedOf } from '../support/basics/seed.ts';

/** The key of a box whose secret key is these bytes. */
function keyOf(folder: string, bytes: Uint8Array) {
  const path = join(folder, 'secret_key');
  writeFileSync(path, bytes);
  return auditKey(folder, path, true);
}

t.test('any 32 bytes are a key, and another byte is another key', async (t) => {
  const folder = t.testdir();
  const random = randomFrom(seedOf(t));
  for (let i = 0; i < 200; i++) {
    const bytes = Uint8Array.from({ length: 32 }, () => Math.floor(random() * 256));
    const signed = keyOf(folder, bytes).sign('text');
    t.equal(keyOf(folder, bytes).verify('text', signed), true);
    const other = Uint8Array.from(bytes);
    other[i % 32] = (bytes[i % 32] ?? 0) ^ 0x80;
    t.equal(keyOf(folder, other).verify('text', signed), false);
  }
});

t.test('a key of text is the same with the line end that an editor leaves', async (t) => {
  const folder = t.testdir();
  const text = '0123456789abcdef'.repeat(4);
  const signed = keyOf(folder, Buffer.from(text)).sign('text');
  t.equal(keyOf(folder, Buffer.from(`${text}\n`)).verify('text', signed), true);
});

t.test('a key that can be guessed is refused, and how long it is is said', async (t) => {
  const folder = t.testdir();
  t.throws(() => keyOf(folder, new Uint8Array(31).fill(0xff)), /31 bytes, and a key needs at least 32/);
  t.throws(() => keyOf(folder, Buffer.from('short   \n')), /5 bytes, and a key needs at least 32/);
});
