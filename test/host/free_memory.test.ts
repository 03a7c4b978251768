import t from 'tap';
import { returnNow } from '../../src/host/free_memory.ts';
import { collectGarbage } from '../support/basics/garbage.ts';

t.test('memory that native code freed returns to the system', async (t) => {
  // Pieces of this size come from the heap of malloc, and those that stay keep the freed ones between them resident.
  let pieces = Array.from({ length: 2_000 }, () => Buffer.allocUnsafeSlow(24_000).fill(1));
  const kept = pieces.filter((_, index) => index % 50 === 0);
  pieces = [];
  // The second collection waits until the first one has freed the buffers.
  collectGarbage();
  collectGarbage();
  const beforeMb = process.memoryUsage.rss() / 1e6;
  returnNow();
  const afterMb = process.memoryUsage.rss() / 1e6;
  t.ok(beforeMb - afterMb > 10, `${beforeMb.toFixed(1)} → ${afterMb.toFixed(1)} MB of 48 freed`);
  t.equal(kept.length, 40, 'some of them are still in use');
});
