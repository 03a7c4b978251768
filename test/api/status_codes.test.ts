import t from 'tap';
import { takeTime } from '../support/basics/patience.ts';
import { startDaemon } from '../support/daemon/daemon.ts';
import { firstOwner } from '../support/daemon/signed_in.ts';
import { type Described, isAsDescribed, type OpenApi, operationsOf } from '../support/http/openapi.ts';
import { ask } from '../support/http/server.ts';
import { denialStatuses, sessionStatuses } from './statuses/access.ts';
import { assetStatuses } from './statuses/assets.ts';
import { assignmentStatuses } from './statuses/assignments.ts';
import { StatusBox, type StatusTable } from './statuses/box.ts';
import { named } from './statuses/named.ts';
import { catalogStatuses, settingStatuses } from './statuses/settings.ts';

takeTime(t, 120);

/**
 * Every documented status of a route is reached here by a request to a real daemon, once for each documented reason.
 * `statuses/named.ts` lists the statuses, and those of routes that do not exist yet.
 */
const daemon = await startDaemon(t);
const anna = await firstOwner(t, daemon);
const revoked = await anna.key('viewer');
await anna.get('DELETE', `/v1/keys/${revoked.id}`);
const box = new StatusBox({
  url: daemon.url,
  anna,
  revoked,
  ben: await anna.member('ben', 'viewer'),
  south: await anna.workspace('south'),
  key: await anna.key('operator'),
});
const known = await box.asset({ remote_id_serial: box.newSerial() }, 'Known');
const table: StatusTable = {
  ...assetStatuses(box, known),
  ...assignmentStatuses(box, known),
  ...catalogStatuses(box),
  ...settingStatuses(box),
  ...sessionStatuses(box),
  ...denialStatuses(box, known),
};

const document = JSON.parse((await ask(`${daemon.url}/api/openapi.json`)).text) as OpenApi;
const operations = new Map(operationsOf(document).map((one) => [`${one.method} ${one.path}`, one]));

function describedOf(route: string): Described {
  const found = operations.get(route.replace('/v1/', '/api/'));
  if (found === undefined) throw new Error(`the served document does not have ${route}`);
  return found;
}

for (const [route, rows] of Object.entries(table)) {
  t.test(route, async (t) => {
    for (const [condition, { code, says, gives, reach }] of Object.entries(rows)) {
      const answer = await reach();
      t.equal(answer.status, Number(condition.slice(0, 3)), `${condition}: ${answer.text.slice(0, 200)}`);
      t.equal(isAsDescribed(describedOf(route), answer), null, 'as the document says');
      if (code !== undefined) t.match(answer.body, { ok: false, code, error: says ?? String }, condition);
      else if (gives !== undefined) t.match(answer.body, { ok: true, data: gives }, condition);
    }
  });
}

t.test('each status that the interface names has its row, and no other has one', async (t) => {
  const reached = Object.entries(table).flatMap(([route, rows]) => Object.keys(rows).map((row) => `${route} ${row}`));
  const wanted = Object.entries(named).flatMap(([route, rows]) => rows.map((row) => `${route} ${row}`));
  t.same(reached.toSorted(), wanted.toSorted());
});
