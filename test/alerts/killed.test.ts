import t from 'tap';
import { openState } from '../../src/store/state.ts';
import { linesBeforeKill } from '../support/store/killed_writer.ts';
import { everything, openBook } from './rig.ts';

t.test('an alert that was told survives kill -9, in the state in which it was told', async (t) => {
  const folder = t.testdir();
  const lines = await linesBeforeKill(new URL('./alert_writer.js', import.meta.url), folder, 200, 4);
  t.ok(lines.length > 3, `${lines.length} alerts`);
  const state = openState(folder);
  t.teardown(() => state.close());
  const rig = openBook(t, state);
  const kept = new Map(rig.store.page(everything).rows.map((row) => [row.text, row.state]));
  t.same(
    lines
      .slice(-400)
      .map((line) => line.slice(0, line.lastIndexOf(' ')))
      .filter((key) => !kept.has(key)),
    [],
  );
  for (const line of lines.slice(-400)) {
    const end = line.lastIndexOf(' ');
    t.equal(kept.get(line.slice(0, end)), line.slice(end + 1));
  }
});
