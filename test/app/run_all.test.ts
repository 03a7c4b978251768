import t from 'tap';
import { runAll } from '../../src/app/run_all.ts';

t.test('all steps run, and the first failure is thrown afterwards', async (t) => {
  const ran: number[] = [];
  const step = (n: number, fails: boolean) => (): void => {
    ran.push(n);
    if (fails) throw new Error(`step ${n}`);
  };
  t.throws(() => runAll([step(1, false), step(2, true), step(3, true), step(4, false)]), { message: 'step 2' });
  t.same(ran, [1, 2, 3, 4]);
  t.doesNotThrow(() => runAll([]));
});
