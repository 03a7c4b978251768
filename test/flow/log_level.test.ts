import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { LogEvent } from '../../src/model/event.ts';
import { onlyInFull, takeTime } from '../support/basics/patience.ts';
import { dunlin, dunlinWith } from '../support/daemon/dunlin.ts';
import { fieldBox } from '../support/daemon/field_box.ts';
import { firstOwner } from '../support/daemon/signed_in.ts';

onlyInFull(t);
takeTime(t, 120);

t.test(
  'the log level changes while the daemon runs, with a row of the audit log, and ends with a restart',
  async (t) => {
    const box = fieldBox(t, 'log: {level: warn}\n');
    const daemon = await box.start();
    t.notOk(
      daemon.lines.some(({ msg }) => msg === 'ready'),
      'a level above info writes no such line',
    );
    const shown = await dunlin(t, 'log-level', '--url', daemon.url);
    t.match(shown, { code: 0, out: 'the log level is warn, as configured\n' });
    const set = await dunlin(t, 'log-level', 'debug', '--for', '10', '--url', daemon.url);
    t.match(set, { code: 0, out: /^the log level is debug until 20.*Z; the level of the configuration is warn\n$/ });
    const [row] = await daemon.get<LogEvent[]>('/api/events?kind=log.level');
    t.match(row, {
      text: 'the log level is debug for 600 s',
      before: { level: 'warn' },
      after: { level: 'debug' },
      actor: { type: 'open' },
    });
    const before = daemon.lines.length;
    await daemon.end();
    t.ok(
      daemon.lines.slice(before).some(({ level }) => Number(level) <= 30),
      'lines of a lower level are written',
    );
    const again = await box.start();
    t.match(await dunlin(t, 'log-level', '--url', again.url), { out: 'the log level is warn, as configured\n' });
  },
);

t.test('only an owner of the first workspace sets it, and wrong use is said before anything is asked', async (t) => {
  const box = fieldBox(t, '');
  const daemon = await box.start();
  const anna = await firstOwner(t, daemon);
  const key = await anna.key('operator');
  const file = join(box.folder, 'key');
  writeFileSync(file, key.secret);
  const refused = await dunlin(t, 'log-level', 'trace', '--url', daemon.url, '--key-file', file);
  t.match(refused, { code: 1, out: '', err: /^dunlin log-level: .*owner/ });
  const south = await anna.workspace('south');
  const other = await anna.ask('PUT', '/v1/log-level', { level: 'trace' }, south.id);
  t.equal(other.status, 200, 'an owner of both may');
  const ben = await anna.member('ben', 'owner', south.id);
  t.match(await ben.ask('PUT', '/v1/log-level', { level: 'trace' }), {
    status: 403,
    body: { error: /^the log level belongs to the whole box/ },
  });
  for (const args of [['loud'], ['debug', '--for', '0'], ['--for', '5'], ['debug', 'info']])
    t.match(await dunlin(t, 'log-level', ...args, '--url', daemon.url), { code: 2, out: '' }, args.join(' '));
  t.match(await dunlin(t, 'log-level', '--url', 'http://127.0.0.1:1'), { code: 1, err: /nothing listens there/ });
  t.match((await anna.ask('PUT', '/v1/log-level', { level: 'info', for_s: 0 })).status, 400);
});

t.test('health is printed a part a line, and a box that receives nothing is not healthy', async (t) => {
  const box = fieldBox(
    t,
    'sensors:\n  - {name: mast, modality: radar, placement: {lat: 47.4, lon: 8.5, alt_hae_m: 450}, heartbeat_s: 1}\n',
  );
  const daemon = await box.start();
  const found = await dunlin(t, 'health', '--wait', '5', '--url', daemon.url);
  t.match(found.out, /^(up {8}core: |not healthy: )/);
  t.match(await dunlin(t, 'health', '--url', 'http://127.0.0.1:1'), { code: 1, err: /nothing listens there/ });
  t.match(await dunlinWith(t, { env: { DUNLIN_API_KEY: 'dak_wrong_wrong_wrong' } }, 'health', '--url', daemon.url), {
    code: 3,
    out: /shows its health only to callers with an API key/,
  });
});
