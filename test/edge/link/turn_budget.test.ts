import { PassThrough } from 'node:stream';
import t from 'tap';
import { createTurnBudget } from '../../../src/edge/link/turn_budget.ts';
import { until } from './rig.ts';

/** A stream that has a lot to say and says it as fast as it is let. */
function loud(chunks: number, chunkBytes: number): PassThrough {
  const stream = new PassThrough({ highWaterMark: chunkBytes });
  let left = chunks;
  const more = () => {
    while (left > 0) {
      left--;
      if (!stream.write(Buffer.alloc(chunkBytes))) return;
    }
    stream.end();
  };
  stream.on('drain', more);
  more();
  return stream;
}

t.test('the streams of one link together bring no more than the budget and one read in a turn', async (t) => {
  const budget = createTurnBudget(10_000);
  let thisTurn = 0;
  let mostInATurn = 0;
  let total = 0;
  let counting = true;
  const turn = () => {
    mostInATurn = Math.max(mostInATurn, thisTurn);
    thisTurn = 0;
    if (counting) setImmediate(turn);
  };
  turn();
  for (let i = 0; i < 4; i++)
    budget.read(loud(50, 4_000), (bytes) => {
      thisTurn += bytes.length;
      total += bytes.length;
    });
  await until('every byte', () => total === 4 * 50 * 4_000);
  counting = false;
  // Reads already under way when the budget is spent still arrive: at most one from each stream.
  t.ok(mostInATurn <= 10_000 + 4 * 4_000, `${mostInATurn} bytes in the loudest turn`);
});

t.test('a stream that is destroyed while it waits is left alone', async (t) => {
  const budget = createTurnBudget(1);
  const stream = loud(10, 100);
  let seen = 0;
  budget.read(stream, () => {
    seen++;
    stream.destroy();
  });
  await until('its end', () => stream.closed);
  t.equal(seen, 1);
});
