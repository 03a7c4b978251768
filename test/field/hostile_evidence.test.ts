import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Track } from '../../src/model/track.ts';
import { folderOf } from '../support/basics/folder.ts';
import { onlyInFull, takeTime, until } from '../support/basics/patience.ts';
import { fieldBox, radarConfig } from '../support/daemon/field_box.ts';
import { rowOf } from '../support/daemon/swarm.ts';

onlyInFull(t);
takeTime(t, 120);

const names = [
  '../../../tmp/evil',
  '/etc/cron.d/evil',
  'C:\\evil.exe',
  ']]><script>alert(1)</script>',
  '&lol;<!ENTITY lol "x">',
  "=cmd|' /C calc'!A0",
  '@SUM(1+1)',
  'a\r\nContent-Disposition: attachment; filename=evil',
  'nul\u0000nul',
  '\u202egnp.exe',
];

t.test(
  'whatever an aircraft calls itself, its evidence and its histories are files of plain names that others read',
  async (t) => {
    const daemon = await fieldBox(t, radarConfig).spawn();
    const obs = (second: number): object[] =>
      names.map((value, n) => ({
        ...rowOf(n * 3, 'mast', second),
        identity: [{ type: 'callsign', value, transport: 'other' }],
        operator: { lat: 47.4, lon: 8.5, type: 'fixed', operator_id: value },
      }));
    let second = 0;
    const tracks = await until(async () => {
      const answer = await daemon.post('/api/ingest/obs', { obs: obs(second++ / 5) });
      t.equal(answer.status, 200);
      const found = await daemon.get<Track[]>('/api/tracks');
      return found.length >= names.length && found.every(({ state }) => state === 'confirmed') ? found : null;
    }, 'all are tracked');
    const folder = folderOf(t);
    const told = new Set<string>();
    for (const { id, identities } of tracks) {
      for (const { value } of identities) told.add(value);
      const response = await fetch(`${daemon.url}/api/evidence/${id}`);
      t.match(response.headers.get('content-disposition'), /^attachment; filename="evidence-T-\d{4}-\w+\.zip"$/);
      const file = join(folder, 'evidence.zip');
      writeFileSync(file, Buffer.from(await response.arrayBuffer()));
      t.equal(spawnSync('unzip', ['-q', '-o', file, '-d', join(folder, id)]).status, 0);
      const files = readdirSync(join(folder, id), { recursive: true, encoding: 'utf8' });
      t.ok(
        files.every((name) => /^\w+(\.\w+)?$/.test(name)),
        files.join(' '),
      );
      // Read by what people have at hand, not by what wrote it.
      const xml = 'import sys,xml.dom.minidom as m; m.parse(sys.argv[1])';
      const read = spawnSync('python3', ['-c', xml, join(folder, id, 'history.kml')], { encoding: 'utf8' });
      t.equal(read.status, 0, read.stderr);
      const csv = await (await fetch(`${daemon.url}/api/tracks/${id}/history?format=csv`)).text();
      t.notMatch(csv, /(^|,)"?[=@]/m, 'no cell is a formula');
    }
    t.notOk(existsSync('/tmp/evil'));
    t.ok(names.filter((name) => told.has(name)).length >= names.length - 2, 'they are told as they were said');
  },
);
