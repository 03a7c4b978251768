import t from 'tap';
import { rateLimited } from '../../src/host/journal.ts';
import { manualTimers } from './manual_timers.ts';
import { memoryLog } from './memory_log.ts';

t.test('the first report is a line at once; a flood is one line each interval with its count', async (t) => {
  const { log, lines } = memoryLog();
  const timers = manualTimers();
  const noisy = rateLimited(log, 5_000, timers);
  const said = (): unknown[] => lines.map(({ count, link, msg, level }) => ({ count, link, msg, level }));
  noisy.report('warn', { link: 'a' }, 'refused');
  t.same(said(), [{ count: 1, link: 'a', msg: 'refused', level: 40 }]);
  for (let i = 0; i < 1_000; i++) {
    noisy.report('error', { link: `b${i}` }, 'refused again');
    await timers.advance(10);
  }
  t.same(said().slice(1), [
    { count: 500, link: 'b499', msg: 'refused again', level: 50 },
    { count: 500, link: 'b999', msg: 'refused again', level: 50 },
  ]);
  t.equal(
    lines.reduce((sum, { count }) => sum + Number(count), 0),
    1_001,
    'no report is lost',
  );
});

t.test('after a quiet interval the next report is a line at once again, and no timer is left', async (t) => {
  const { log, lines } = memoryLog();
  const timers = manualTimers();
  const noisy = rateLimited(log, 5_000, timers);
  noisy.report('info', {}, 'one');
  await timers.advance(5_000);
  t.equal(timers.waiting(), 0);
  t.equal(lines.length, 1);
  noisy.report('info', {}, 'two');
  t.equal(lines.length, 2);
});

t.test('what is counted and not yet said is said at the stop', async (t) => {
  const { log, lines } = memoryLog();
  const timers = manualTimers();
  const noisy = rateLimited(log, 5_000, timers);
  noisy.report('info', {}, 'one');
  noisy.report('info', {}, 'two');
  noisy.report('info', {}, 'three');
  noisy.flush();
  t.match(lines.at(-1), { msg: 'three', count: 2 });
  t.equal(timers.waiting(), 0);
  noisy.flush();
  t.equal(lines.length, 2);
});
