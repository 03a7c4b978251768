import t from 'tap';
import { DayFiles } from '../../../src/store/log/day_files.ts';

const cacheKib = (files: DayFiles, day: string): number =>
  -Number(files.read(day, ({ db }) => db.pragma('cache_size', { simple: true })));

t.test('only a file that is written has the large page cache', async (t) => {
  let nowMs = 0;
  const files = new DayFiles(
    t.testdir(),
    'session',
    (fault) => t.fail(fault.message),
    () => nowMs,
  );
  t.teardown(() => files.closeAll());
  const [yesterday, today] = ['2026-03-04', '2026-03-05'];
  const insert = (day: string) => files.write(day, (file) => file.insert([], () => t.fail()));
  insert(yesterday);
  t.equal(cacheKib(files, yesterday), 4_096);
  insert(today);
  files.closeIdle(today);
  t.equal(cacheKib(files, yesterday), 1_024);
  t.equal(cacheKib(files, today), 4_096);
  insert(yesterday);
  t.equal(cacheKib(files, yesterday), 4_096, 'a late row is written as fast as any');
  nowMs = 60_000;
  insert(today);
  files.closeIdle(today);
  t.equal(cacheKib(files, yesterday), 1_024, 'it was closed, and opened to be read');
});
