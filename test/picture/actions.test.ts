import t from 'tap';
import { sampleTask } from '../../src/http/openapi/fleet_samples.ts';
import { Actions } from '../../src/picture/actions.ts';

t.test('a picture holds the tasks that are flown, and not those of years', (t) => {
  const told: unknown[] = [];
  const actions = new Actions((_kind, _object, body) => void told.push(body));
  actions.task({ ...sampleTask, id: 'flown' });
  for (let i = 0; i < 1_000; i++) {
    actions.task({ ...sampleTask, id: `task ${i}` });
    actions.task({ ...sampleTask, id: `task ${i}`, state: 'done' });
  }
  t.same(
    actions.tasks().map(({ id }) => id),
    ['flown'],
  );
  t.equal(told.length, 2_001, 'that one is over is told');
  t.end();
});
