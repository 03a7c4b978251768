import fc from 'fast-check';
import t from 'tap';
import type { PictureEvent } from '../../src/picture/events.ts';
import { ReplayWindow } from '../../src/picture/replay_window.ts';
import { seedOf } from '../support/basics/seed.ts';
import { sized } from '../support/basics/size.ts';

function eventAt(seq: number): PictureEvent {
  const body = { id: `track ${seq % 3}`, quality: seq / 7, operator: null, flags: ['emergency' as const] };
  return { seq, at: '2025-06-01T12:00:00.000Z', kind: 'track_update', object: body.id, body };
}

const plain = ({ seq, at, kind, object, body }: PictureEvent) => ({ seq, at, kind, object, body });

const upTo = (count: number, from: number): PictureEvent[] =>
  Array.from({ length: count }, (_, i) => eventAt(from + i));

t.test('whatever is added in whatever parts, the last events come back as they were, or not at all', async (t) => {
  const seed = seedOf(t);
  const parts = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 20 });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 30 }), parts, fc.nat(200), (limit, sizes, after) => {
      const window = new ReplayWindow(limit);
      let last = 0;
      // Of a tick longer than the window nothing is kept that somebody could ask for.
      let lostUpTo = 0;
      for (const size of sizes) {
        window.know(last);
        window.add(upTo(size, last + 1));
        last += size;
        if (size > limit) lostUpTo = last;
      }
      const answer = window.since(after, last);
      if (after > last || last - after > limit || after < lostUpTo) return answer === null || after === last;
      return JSON.stringify(answer?.map(plain)) === JSON.stringify(upTo(last - after, after + 1));
    }),
    { seed, numRuns: sized(300) },
  );
});

t.test('who knows a picture that is not too old gets what followed it, whoever came and went in between', async (t) => {
  const seed = seedOf(t);
  const steps = fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.boolean()), { maxLength: 40 });
  fc.assert(
    fc.property(fc.integer({ min: 9, max: 30 }), steps, (limit, all) => {
      const window = new ReplayWindow(limit);
      const known: number[] = [];
      let last = 0;
      for (const [size, isAsked] of all) {
        window.add(upTo(size, last + 1));
        last += size;
        if (isAsked) known.push(last);
        if (isAsked) window.know(last);
      }
      return known.every((seq) => {
        const answer = window.since(seq, last);
        if (last - seq > limit) return answer === null;
        return JSON.stringify(answer?.map(plain)) === JSON.stringify(upTo(last - seq, seq + 1));
      });
    }),
    { seed, numRuns: sized(300) },
  );
});

t.test('events that are stored compressed come back as they were, however many, from any number', async (t) => {
  const seed = seedOf(t);
  const parts = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 3, maxLength: 12 });
  fc.assert(
    fc.property(
      fc.integer({ min: 300, max: 1_200 }),
      parts,
      fc.double({ min: 0, max: 1, noNaN: true }),
      (limit, sizes, share) => {
        const window = new ReplayWindow(limit);
        let last = 0;
        for (const size of sizes) {
          window.know(last);
          window.add(upTo(size, last + 1));
          last += size;
        }
        const after = Math.round(last * share);
        const answer = window.since(after, last);
        if (last - after > limit) return answer === null;
        return JSON.stringify(answer) === JSON.stringify(upTo(last - after, after + 1));
      },
    ),
    { seed, numRuns: sized(100) },
  );
});

t.test('an event is stored as it was published, whatever becomes of its object and whatever its text is', async (t) => {
  const window = new ReplayWindow(1_000);
  window.know(0);
  const text = 'line one\nline two\u2028 „…“ 🛩';
  for (let seq = 1; seq <= 600; seq++) {
    const event = eventAt(seq);
    Object.assign(event.body, { text });
    window.add([event]);
    Object.assign(event.body, { text: 'changed' });
  }
  const kept = window.since(0, 600) ?? [];
  t.equal(kept.length, 600);
  t.ok(kept.every(({ body }) => (body as { text?: string }).text === text));
});

t.test('what nobody can come back for is not kept', async (t) => {
  const window = new ReplayWindow(100);
  window.add(upTo(50, 1));
  t.equal(window.since(20, 50), null, 'nobody ever asked');
  window.know(50);
  window.add(upTo(100, 51));
  t.equal(window.since(50, 150)?.length, 100);
  window.add(upTo(1, 151));
  t.equal(window.since(50, 151), null);
  t.equal(window.since(150, 151), null, 'nobody was told of that number');
});
