import t from 'tap';
import type { Asset } from '../../src/model/asset.ts';
import type { Assignment } from '../../src/model/assignment.ts';
import { type Answer, ask, askJson, type Rig, startRig } from '../support/http/server.ts';

const csv = (rig: Rig, body: string, query = ''): Promise<Answer> =>
  ask(`${rig.url}/api/assets/import${query}`, { method: 'POST', headers: { 'content-type': 'text/csv' }, body });
const headers = { 'content-type': 'application/json' };
const json = (rig: Rig, assets: unknown, query = '') =>
  askJson(`${rig.url}/api/assets/import${query}`, 'POST', { assets });
const assets = async (rig: Rig) => (await ask(`${rig.url}/api/assets`)).body.data as Asset[];
const assignments = async (rig: Rig) => (await ask(`${rig.url}/api/assignments`)).body.data as Assignment[];

t.test('good rows are taken and the others are told of, by their rows', async (t) => {
  const rig = await startRig(t);
  const rows = [
    'name,serial,model,affiliation',
    'Heron 1,S1,matrice 30,friend',
    ',S2,,',
    'Heron 3,S3,flying carpet,',
    'Heron 4,s1,,',
    'Stranger,S5,,hostile',
    'Foe,S6,,foe',
    'Watch post,,,',
  ];
  const { body } = await csv(rig, rows.join('\r\n'));
  t.match(body.data, { created: 3, updated: 0, skipped: 0 });
  t.match((body.data as { rejected: unknown }).rejected, [
    { row: 2, error: /'name'/ },
    { row: 3, error: /flying carpet/ },
    { row: 4, error: /same asset as row 1/ },
    { row: 6, error: /'affiliation'/ },
  ]);
  t.match(await assets(rig), [
    { name: 'Heron 1', kind: 'platform', affiliation: 'friend', spec: { model: 'DJI Matrice 30' } },
    { name: 'Stranger', kind: 'emitter', affiliation: 'hostile' },
    { name: 'Watch post', kind: 'platform', paired: false },
  ]);
  t.match(await assignments(rig), [{ affiliation: 'hostile', source: 'import', confirmed: false, active: true }]);
});

t.test('a trial run says what would become of the rows and changes nothing', async (t) => {
  const rig = await startRig(t);
  await json(rig, [{ name: 'a', serial: 'S1' }]);
  const before = await assets(rig);
  const rows = [{ name: 'b', serial: 'S1' }, { name: 'c', serial: 'S2' }, { name: 'a', serial: 'x'.repeat(200) }, 7];
  for (const query of ['?dry_run=1', '?dry_run=true']) {
    t.match((await json(rig, rows, query)).body.data, {
      dry_run: true,
      created: 1,
      updated: 1,
      skipped: 0,
      rejected: [{ row: 3 }, { row: 4 }],
    });
    t.same(await assets(rig), before);
  }
  t.match((await json(rig, rows, '?dry_run=0')).body.data, { dry_run: false, created: 1, updated: 1 });
  const [told] = rig.registry.ledger.audit.since(0).slice(-1);
  t.equal(told?.text, '1 asset was created and 1 changed by an import; 2 rows were refused');
  const unknown = await csv(rig, 'name,model\nx,Flying Carpet\n');
  t.match(unknown.body.data, { rejected: [{ row: 1, error: /'model' must be the name of a catalog entry/ }] });
  t.match(await assets(rig), [{ name: 'b', version: 2 }, { name: 'c' }]);
  t.match((await json(rig, rows)).body.data, { created: 0, updated: 0, skipped: 2 }, 'a second time nothing is new');
});

t.test('what is exported is imported again as it was, in either form', async (t) => {
  const rig = await startRig(t);
  const rows = [
    { name: '=cmd|/c calc!A0', serial: '+S1', model: 'Matrice 30', kind: 'platform' },
    { name: "'@it", serial: '-1"2', affiliation: 'neutral' },
    { name: 'a, "b"; c', kind: 'dock' },
    { name: 'Ünïcode 無人機', serial: 'S4', affiliation: 'hostile' },
  ];
  t.match((await json(rig, rows)).body.data, { created: 4, rejected: [] });
  const as = async (format: string) => await ask(`${rig.url}/api/assets/export?format=${format}`);
  const table = await as('csv');
  t.match(table.headers.get('content-type'), /^text\/csv/);
  t.match(table.headers.get('content-disposition'), /assets\.csv/);
  t.notMatch(table.text, /(^|[,\n])"?[=+\-@]/m, 'no cell is a formula');
  const list = await as('json');
  const other = await startRig(t);
  t.match((await csv(other, table.text)).body.data, { created: 4, updated: 0, skipped: 0, rejected: [] });
  t.match((await json(other, JSON.parse(list.text).assets)).body.data, { created: 0, skipped: 4, rejected: [] });
  t.equal(await (await ask(`${other.url}/api/assets/export?format=csv`)).text, table.text);
  t.same((await assignments(other)).length, 2);
});

t.test('what is no list of assets is refused as a whole', async (t) => {
  const rig = await startRig(t);
  t.equal((await csv(rig, 'wings\n2')).status, 400);
  t.equal((await csv(rig, '')).status, 400);
  t.equal((await json(rig, {})).status, 400);
  t.equal(
    (
      await json(
        rig,
        Array.from({ length: 10_001 }, (_, n) => ({ name: `${n}` })),
      )
    ).status,
    413,
  );
  t.equal((await csv(rig, `name\n${'a\n'.repeat(10_001)}`)).status, 413);
  const many = '{"assets":['.padEnd(3 * 1024 * 1024, '{},');
  t.match(await ask(`${rig.url}/api/assets/import`, { method: 'POST', headers, body: many }), { status: 413 });
  t.equal((await assets(rig)).length, 0);
});

t.test('a row with more cells than the header has columns is refused by itself', async (t) => {
  const rig = await startRig(t);
  t.match((await csv(rig, 'name,serial\na,S1\nb,S2,x')).body.data, {
    created: 1,
    rejected: [{ row: 2, error: 'the row has 3 cells; the header names 2 columns' }],
  });
});
