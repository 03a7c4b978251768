import { setTimeout as wait } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import t from 'tap';
import { returnNow } from '../../src/host/free_memory.ts';
import { collectGarbage } from '../support/basics/garbage.ts';

/** Objects of which one in seven stays, so that each page of the heap is mostly free and none is empty. */
function scattered(): object[] {
  const all = Array.from({ length: 400_000 }, (_, index) => ({ index, text: `object ${index}` }));
  collectGarbage();
  return all.filter(({ index }) => index % 7 === 0);
}

/** Bytes of the heap's pages that no object uses. */
function freeOfHeap(): number {
  const { total_heap_size, used_heap_size } = getHeapStatistics();
  return total_heap_size - used_heap_size;
}

t.test('pages of the heap that are mostly free return to the system', async (t) => {
  returnNow();
  const kept = scattered();
  collectGarbage();
  const before = freeOfHeap();
  returnNow();
  // The collection proceeds in steps of the event loop.
  for (let turns = 0; freeOfHeap() > before / 2 && turns < 1_000; turns++) await wait(5);
  t.ok(freeOfHeap() < before / 2, `${before} → ${freeOfHeap()} bytes`);
  t.equal(kept.length, 57_143, 'one object in seven is still in use');
});

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
