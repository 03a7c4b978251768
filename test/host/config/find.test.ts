import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { type ConfigFiles, defaultConfig, readConfig, secretKeyFile } from '../../../src/host/config.ts';
import { protocols, transports } from '../../../src/model/link.ts';

function filesOf(contents: Record<string, string>): ConfigFiles {
  return {
    exists: (path) => path in contents,
    read(path) {
      const text = contents[path];
      if (text === undefined) throw Object.assign(new Error('ENOENT: no such file'), { code: 'ENOENT' });
      return text;
    },
  };
}

const all = filesOf({
  'flag.yaml': 'log: {level: trace}',
  'env.yaml': 'log: {level: debug}',
  'config/dunlin.yaml': 'log: {level: warn}',
  '/etc/dunlin/dunlin.yaml': 'log: {level: error}',
});

t.test('the file is the one of the flag, of the environment, of the tree, of the system, in that order', async (t) => {
  const env = { DUNLIN_CONFIG: 'env.yaml' };
  t.equal(readConfig({ config: 'flag.yaml' }, env, all).config?.log.level, 'trace');
  t.equal(readConfig({}, env, all).config?.log.level, 'debug');
  t.equal(readConfig({}, {}, all).config?.log.level, 'warn');
  t.equal(readConfig({}, { DUNLIN_CONFIG: '' }, all).file, 'config/dunlin.yaml');
  const system = readConfig({}, {}, filesOf({ '/etc/dunlin/dunlin.yaml': 'log: {level: error}' }));
  t.equal(system.config?.log.level, 'error');
  const none = readConfig({}, {}, filesOf({}));
  t.equal(none.file, null);
  t.strictSame(none.config, defaultConfig());
});

t.test('a named file that cannot be read is one clear sentence, and no other file is tried', async (t) => {
  const missing = readConfig({ config: 'nowhere.yaml' }, {}, all);
  t.notOk(missing.ok);
  t.same(missing.problems, ['the configuration nowhere.yaml cannot be read: there is no such file']);
  t.same(readConfig({}, { DUNLIN_CONFIG: 'gone.yaml' }, all).problems, [
    'the configuration gone.yaml cannot be read: there is no such file',
  ]);
  const folder = mkdtempSync(join(tmpdir(), 'dunlin-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  t.same(readConfig({ config: folder }, {}).problems, [`the configuration ${folder} cannot be read: it is a folder`]);
});

t.test('the command line stands above the environment, which stands above the file', async (t) => {
  const files = filesOf({ x: 'data: {dir: file}\nhttp: {listen: "127.0.0.1:1"}' });
  t.equal(readConfig({ config: 'x' }, {}, files).config?.data.dir, 'file');
  t.equal(readConfig({ config: 'x' }, { DUNLIN_DATA: 'env' }, files).config?.data.dir, 'env');
  t.equal(readConfig({ config: 'x', data: 'flag' }, { DUNLIN_DATA: 'env' }, files).config?.data.dir, 'flag');
  t.equal(readConfig({ config: 'x', listen: '0.0.0.0:0' }, {}, files).config?.http.listen, '0.0.0.0:0');
  t.same(readConfig({ config: 'x', listen: 'here' }, {}, files).problems, [
    '--listen here: must be HOST:PORT, for example 127.0.0.1:8077',
  ]);
});

t.test('links of the command line are added to those of the file, and checked with them', async (t) => {
  const files = filesOf({ x: 'links: [{name: rid, transport: udp, address: "127.0.0.1:14550", protocol: mavlink}]' });
  const link = 'name=b,transport=udp,address=127.0.0.1:14551,protocol=sbs';
  const added = readConfig({ config: 'x', link: [link] }, {}, files);
  t.same(
    added.config?.links.map(({ name }) => name),
    ['rid', 'b'],
  );
  const clash = 'name=rid,transport=udp,address=0.0.0.0:14550,protocol=sbs';
  t.same(readConfig({ config: 'x', link: [clash, 'name=z'] }, {}, files).problems, [
    `--link name=z: transport: is required: one of ${transports.join(', ')}; address: is required; protocol: is required: one of ${protocols.join(', ')}`,
    '--link: rid: name: rid is already the name of links.0',
    '--link: rid: address: 0.0.0.0:14550 is already taken by link rid',
  ]);
});

t.test('a listen address of the command line may not take the port of a link of the file', async (t) => {
  const files = filesOf({ x: 'links: [{name: a, transport: tcp_server, address: "0.0.0.0:9000", protocol: sbs}]' });
  t.same(readConfig({ config: 'x', listen: '127.0.0.1:9000' }, {}, files).problems, [
    '--listen: a: address: 0.0.0.0:9000 is already taken by http.listen',
  ]);
});

t.test('the secret key is the named file, else the credential of the unit, else none', async (t) => {
  const files = filesOf({ '/run/credentials/dunlin.service/secret_key': 'k' });
  const unit = { CREDENTIALS_DIRECTORY: '/run/credentials/dunlin.service' };
  t.equal(secretKeyFile({ ...unit, DUNLIN_SECRET_KEY_FILE: '/k' }, files), '/k');
  t.equal(secretKeyFile(unit, files), '/run/credentials/dunlin.service/secret_key');
  t.equal(secretKeyFile({ CREDENTIALS_DIRECTORY: '/elsewhere' }, files), null);
  t.equal(secretKeyFile({}, files), null);
});
