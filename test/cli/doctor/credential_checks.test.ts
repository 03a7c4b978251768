import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { checkCredentials } from '../../../src/cli/doctor/credential_checks.ts';
import { defaultConfig } from '../../../src/host/config.ts';
import { systemActor } from '../../../src/model/actor.ts';
import { outletConfigSchema, outletSpecSchema } from '../../../src/model/outlet.ts';
import { folderOf } from '../../support/basics/folder.ts';
import { openRegistry } from '../../support/registry/registry.ts';
import { client, passphrase, pem } from '../../support/tls/certificates.ts';

const tak = { name: 'tak', kind: 'cot', transport: 'tls_client', address: 'tak.example:8089' };
const at = (day: string): number => Date.parse(`${day}T12:00:00Z`);
const advised = /renew the file/;

function configured(t: Parameters<typeof folderOf>[0]) {
  const folder = folderOf(t, {
    'client.pem': pem('client.pem'),
    'client.key': pem('client.key'),
    'ca.pem': pem('ca.pem'),
  });
  const key = join(folder, 'client.key');
  chmodSync(key, 0o600);
  const files = { cert_file: join(folder, 'client.pem'), key_file: key, ca_file: join(folder, 'ca.pem') };
  const outlets = [outletConfigSchema.parse({ ...tak, ...files })];
  const config = { ...defaultConfig(), outlets };
  return { key, config: { ...config, data: { ...config.data, dir: join(folder, 'none') } } };
}

t.test('files of the configuration are read, and their end is told in time', async (t) => {
  const { config } = configured(t);
  const found = (day: string) => checkCredentials(config, at(day));
  const check = 'credentials of outlet tak';
  t.match(found('2026-01-01'), [{ check, state: 'ok', text: 'O=Dunlin tests, CN=dunlin box until 2125-01-01' }]);
  t.match(found('2124-12-15'), [
    { check, state: 'warning', text: /expires on 2125-01-01, in 16 days/, advice: advised },
  ]);
  t.match(found('2125-01-02'), [{ check, state: 'wrong', text: /expired on 2125-01-01/, advice: advised }]);
});

t.test(
  'a key that everybody can read, and a file that is no certificate, are told without their content',
  async (t) => {
    const { config, key } = configured(t);
    chmodSync(key, 0o644);
    const [, open] = checkCredentials(config, at('2026-01-01'));
    t.match(open, { state: 'warning', text: /every user of the box can read the key/, advice: `chmod o= ${key}` });
    writeFileSync(key, pem('client_encrypted.key'));
    t.match(checkCredentials(config, at('2026-01-01')), [{ state: 'wrong', text: /'key_file' is encrypted/ }]);
    writeFileSync(key, 'my password is secret');
    const [broken] = checkCredentials(config, at('2026-01-01'));
    t.match(broken, { state: 'wrong', text: /'key_file' has no private key in PEM/ });
    t.notOk(broken?.text.includes('password'));
  },
);

t.test('sealed credentials are checked where the secret key can be read', async (t) => {
  const folder = folderOf(t, { 'seal.key': Buffer.alloc(32, 7).toString('hex') });
  const rig = openRegistry(t, folder);
  const { id } = await rig.outlets.create(outletSpecSchema.parse({ ...tak, enabled: false }), systemActor);
  const by = { actor: systemActor, userId: null };
  await rig.credentialsOf({} as never).setOfOutlet(id, { ...client('client'), passphrase }, by);
  const config = { ...defaultConfig(), data: { ...defaultConfig().data, dir: folder } };
  const withKey = (path: string | null, day: string) => {
    if (path === null) delete process.env.DUNLIN_SECRET_KEY_FILE;
    else process.env.DUNLIN_SECRET_KEY_FILE = path;
    return checkCredentials(config, at(day));
  };
  t.teardown(() => void withKey(null, '2026-01-01'));
  const key = join(folder, 'seal.key');
  t.match(withKey(key, '2026-01-01'), [
    { check: 'credentials of outlet tak', state: 'ok', text: /CN=dunlin box until/ },
  ]);
  t.match(withKey(key, '2124-12-15'), [{ state: 'warning' }]);
  t.match(withKey(null, '2026-01-01'), [{ state: 'unknown', text: /their expiry is unknown here/ }]);
  writeFileSync(key, '11'.repeat(32));
  t.match(withKey(key, '2026-01-01'), [{ state: 'wrong', text: /cannot be decrypted/ }]);
});
