import t from 'tap';
import { oneAtATime } from '../../src/app/one_at_a_time.ts';

t.test('dry runs are made one at a time, and one that fails holds nobody up', async (t) => {
  const trials = oneAtATime();
  let end: (() => void) | null = null;
  const first = trials(async () => {
    await new Promise<void>((resolve) => {
      end = resolve;
    });
    throw new Error('the disk is gone');
  });
  await t.rejects(
    trials(async () => 2),
    { code: 'rate_limited', message: /try again/ },
  );
  (end as (() => void) | null)?.();
  await t.rejects(first, { message: 'the disk is gone' });
  t.equal(await trials(async () => 3), 3);
});
