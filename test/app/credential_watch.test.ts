import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { CredentialStore } from '../../src/app/credential_store.ts';
import { CredentialWatch } from '../../src/app/credential_watch.ts';
import { idOfName } from '../../src/host/name_id.ts';
import { folderOf } from '../support/basics/folder.ts';
import { pem } from '../support/tls/certificates.ts';

const DAY_MS = 86_400_000;
const END_MS = Date.parse('2125-01-01T00:00:00Z');

/** An outlet with files, and a clock of the test. */
function rig(t: Parameters<typeof folderOf>[0]) {
  const names = ['client.pem', 'client.key', 'ca.pem'] as const;
  const folder = folderOf(t, Object.fromEntries(names.map((name) => [name, pem(name)])));
  const file = (name: string): string => join(folder, name);
  const files = { cert_file: file('client.pem'), key_file: file('client.key'), ca_file: file('ca.pem') };
  const now = { utcMs: END_MS - 40 * DAY_MS, nowMs: 0 };
  const secrets = { get: () => null, has: () => false, put: () => {}, remove: () => {} };
  const store = new CredentialStore({
    ...{ secrets, workspaceId: 'w', nowMs: () => now.nowMs, utcMs: () => now.utcMs },
    files: { link: [], outlet: [{ name: 'tak', ...files }] },
  });
  const id = idOfName('outlet', 'tak');
  const credentials = store.of('outlet', id);
  const spec = { name: 'tak', transport: 'tls_client', enabled: true };
  const notes: string[] = [];
  const watch = new CredentialWatch({
    watched: () => ({ link: [], outlet: [{ id, spec, credentials }] }),
    utcMs: () => now.utcMs,
    note: (kind, severity, text) => void notes.push(`${kind} ${severity} ${text}`),
  });
  /** Lets days pass, three hours at a time. */
  const pass = (days: number): void => {
    for (let part = 0; part < days * 8; part++) {
      now.utcMs += DAY_MS / 8;
      now.nowMs += DAY_MS / 8;
      watch.everySecond();
    }
  };
  return { file, store, id, credentials, spec, notes, watch, pass };
}

t.test('a certificate is a warning once a day from 30 days before its end, also after it', async (t) => {
  const { notes, pass, credentials } = rig(t);
  pass(9);
  t.same(notes, []);
  t.equal(credentials.trouble(), null);
  pass(3);
  t.equal(notes.length, 3);
  t.match(
    notes[0],
    /^outlet\.expiring warning the outlet tak needs care: the certificate expires on 2125-01-01, in 29 days/,
  );
  pass(30);
  t.match(notes.at(-1), /the certificate expired on 2125-01-01: set a new one/);
  t.equal(new Set(notes).size, notes.length - 2, 'the days of one end differ');
  t.match(credentials.trouble(), /expired on 2125-01-01/);
});

t.test('files that are renewed are read again without a restart; disabled outlets are left in peace', async (t) => {
  const { file, credentials, spec, notes, pass } = rig(t);
  t.match(credentials.view(), { subject: 'O=Dunlin tests, CN=dunlin box' });
  writeFileSync(file('client.pem'), pem('renewed.pem'));
  t.throws(() => credentials.read(), {
    message: /the credentials cannot be used: the key does not belong to the certificate/,
  });
  t.match(credentials.trouble(), /cannot be used/);
  writeFileSync(file('client.key'), pem('renewed.key'));
  t.match(credentials.read()?.key, /BEGIN PRIVATE KEY/);
  t.match(credentials.view(), { subject: 'O=Dunlin tests, CN=dunlin box renewed' });
  t.equal(credentials.trouble(), null);
  spec.enabled = false;
  pass(35);
  t.same(notes, []);
});

t.test('a file that is missing is named by its setting', async (t) => {
  const folder = folderOf(t);
  const secrets = { get: () => null, has: () => false, put: () => {}, remove: () => {} };
  const store = new CredentialStore({
    ...{ secrets, workspaceId: 'w', nowMs: () => 0, utcMs: () => 0 },
    files: { link: [{ name: 'adsb', ca_file: join(folder, 'none.pem') }], outlet: [] },
  });
  const { trouble, read } = store.of('link', idOfName('link', 'adsb'));
  t.throws(() => read(), { message: 'the credentials cannot be used: ca_file cannot be read: there is no such file' });
  t.match(trouble(), /ca_file cannot be read/);
});
