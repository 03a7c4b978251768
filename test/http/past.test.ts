import t from 'tap';
import { changesWhatIsShown, refuseInPast } from '../../src/http/past.ts';
import { table } from '../../src/http/table.ts';
import { idleSim, type SimState } from '../../src/model/picture.ts';

const shown = (mode: SimState['mode']) =>
  ({ workspace: { playback: { state: () => ({ ...idleSim, mode }) } } }) as never;
const named = (fits: (changes: boolean) => boolean): string[] =>
  table.mounted.filter((of) => of.write && fits(changesWhatIsShown(of))).map(({ method, path }) => `${method} ${path}`);

t.test('while a replay is shown, whatever is of the registry or done about what is shown is refused', async (t) => {
  const refused = new Set(named((changes) => changes));
  for (const of of [
    'POST /zones',
    'DELETE /zones/{id}',
    'POST /sensors',
    'POST /assets',
    'POST /assets/{id}/command',
    'POST /assignments/confirm',
    'POST /alerts/{id}/acknowledge',
    'POST /threats/{id}/dismiss',
    'POST /tracks/{id}/merge',
    'POST /engagement/task',
    'POST /engagement/autonomy',
    'PUT /decision-config',
    'POST /doctrine/import',
    'POST /rules',
  ])
    t.ok(refused.has(of), of);
});

t.test('what is of the box or of the live world alone works whatever is shown', async (t) => {
  const allowed = new Set(named((changes) => !changes));
  for (const of of [
    'POST /sim/mode',
    'POST /sim/stop',
    'POST /scenarios',
    'POST /recordings',
    'DELETE /recordings/{id}',
    'POST /ingest/obs',
    'POST /links',
    'POST /holds',
    'POST /users',
    'POST /engagement/stop_all',
  ])
    t.ok(allowed.has(of), of);
});

t.test('nothing is refused in any other mode, and what changes nothing never', async (t) => {
  for (const of of table.mounted) {
    t.doesNotThrow(() => refuseInPast(of, shown('live')));
    t.doesNotThrow(() => refuseInPast(of, shown('sim')));
    if (!of.write) t.doesNotThrow(() => refuseInPast(of, shown('replay')));
    else if (changesWhatIsShown(of)) t.throws(() => refuseInPast(of, shown('replay')), { code: 'conflict' });
  }
});
