import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { dirname, join } from 'node:path';
import t from 'tap';
import { rulesOf } from '../../src/cli/open_network/firewall.ts';
import { folderOf } from '../support/basics/folder.ts';
import { takeTime } from '../support/basics/patience.ts';
import { dunlin, dunlinWith } from '../support/daemon/dunlin.ts';
import { fieldBox } from '../support/daemon/field_box.ts';
import { DAEMON_GROUP, NetworkBox, ownAddress } from '../support/daemon/network_box.ts';

takeTime(t, 180);

const PASSWORD = 'a long enough password\n';
const asked = ['--name', 'dunlin.local', '--address', '192.168.77.10', '--network', '192.168.77.0/24'];
const needsOpenssl = spawnSync('openssl', ['version']).status === 0 ? false : 'needs openssl';

/** Every file of a folder with its content, mode and time of change. */
function contentOf(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return Object.fromEntries(
    paths.map((name) => {
      const at = statSync(join(folder, name));
      const text = at.isFile() ? readFileSync(join(folder, name), 'latin1') : '';
      return [name, `${at.mode} ${at.mtimeMs} ${text}`];
    }),
  );
}

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

/** A box with a configuration of this text, and the arguments that open it. */
function closedBox(t: Parameters<typeof fieldBox>[0], text: string) {
  const field = fieldBox(t, text);
  return { ...field, network: new NetworkBox(field.folder), args: [...asked, '--config', field.config] };
}

/** The words of the first commands of the page, without `sudo`. */
function commandsOfPage(): string[][] {
  const block = /```sh\n([\s\S]*?)```/.exec(readFileSync('docs/use/lan.md', 'utf8'))?.[1] ?? '';
  return block
    .trim()
    .split('\n')
    .map((line) => line.replace(/^sudo (-u dunlin )?(dunlin )?/, '').split(' '));
}

t.test(
  'the page of the network opens a box: TLS, and a sign-in from other machines',
  { skip: needsOpenssl },
  async (t) => {
    const { folder, config, dataDir, network, spawn } = closedBox(t, readFileSync('config/dunlin.field.yaml', 'utf8'));
    const [[, ...open] = [], user = [], restart] = commandsOfPage();
    t.same(restart, ['systemctl', 'restart', 'dunlin']);
    const address = ownAddress === null ? [] : ['--address', ownAddress, '--network', `${ownAddress}/24`];
    const opened = await network.open(...open, ...address, '--config', config, '--yes');
    t.match(opened, { code: 0, out: /https:\/\/dunlin\.local:8077\/console\// }, opened.err);
    const named = user.map((word) => (word === '/var/lib/dunlin' ? dataDir : word));
    t.match(await dunlinWith(t, { input: PASSWORD }, ...named), { code: 0 });
    t.match(await dunlin(t, 'check-config', config), { code: 0, out: /serves https:\/\/0\.0\.0\.0:8077/, err: '' });

    const daemon = await spawn({ args: ['--listen', '0.0.0.0:0'] });
    const port = new URL(daemon.url).port;
    const ca = readFileSync(join(folder, 'tls', 'cert.pem'));
    const ask = (host: string, path: string, body?: object): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const method = body === undefined ? 'GET' : 'POST';
        const headers = { host: `dunlin.local:${port}`, 'content-type': 'application/json' };
        const sent = request(
          { host, port, path, method, ca, headers, servername: 'dunlin.local', agent: false },
          (answer) => {
            answer.resume();
            resolve(answer.statusCode);
          },
        );
        sent.once('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
      });
    t.equal(await ask('127.0.0.1', '/api/tracks'), 200, 'the box itself needs no sign-in');
    if (ownAddress === null) t.comment('this machine has no address of a network');
    else {
      t.equal(await ask(ownAddress, '/api/tracks'), 401, 'another caller signs in');
      const signIn = { username: 'anna', password: PASSWORD.trim() };
      t.equal(await ask(ownAddress, '/v1/auth/sign-in', signIn), 200);
    }
    t.equal(await daemon.end(), 0);
  },
);

t.test('the parts that open a box have their modes and stay when it is repeated', { skip: needsOpenssl }, async (t) => {
  const before = readFileSync('config/dunlin.field.yaml', 'utf8');
  const { folder, config, network, args } = closedBox(t, before);
  chmodSync(config, 0o640);
  writeFileSync(network.nftables, '#!/usr/sbin/nft -f\nflush ruleset', { mode: 0o755 });
  network.afterwards = (words) => {
    const key = words[words.indexOf('-keyout') + 1] ?? '';
    if (!words.includes('-keyout')) return;
    t.same([modeOf(dirname(key)), modeOf(key)], ['700', '600'], 'nobody else reads the new key');
  };
  const opened = await network.open(...args, '--yes');
  t.match(opened, { code: 0, err: '' });
  t.match(opened.out, /first owner +sudo -u dunlin dunlin user add anna --role owner --data \/var\/lib\/dunlin\n/);
  t.match(opened.out, /restart +sudo systemctl restart dunlin\n/);
  const tls = join(folder, 'tls');
  const modes = ['', 'key.pem', 'cert.pem'].map((name) => modeOf(join(tls, name)));
  t.same(modes, ['750', '640', '644']);
  if (DAEMON_GROUP !== null) t.equal(statSync(join(tls, 'key.pem')).gid, DAEMON_GROUP);
  t.same(readdirSync(tls).sort(), ['cert.pem', 'key.pem']);
  const certificate = new X509Certificate(readFileSync(join(tls, 'cert.pem')));
  for (const name of ['dunlin.local', 'localhost']) t.ok(certificate.checkHost(name), name);
  for (const address of ['192.168.77.10', '127.0.0.1', '::1']) t.ok(certificate.checkIP(address), address);
  t.notOk(certificate.ca);

  t.equal(modeOf(config), '640');
  t.equal(readFileSync(`${config}.before-open-network`, 'utf8'), before);
  const pair = `    cert_file: ${tls}/cert.pem\n    key_file: ${tls}/key.pem\n`;
  const expected = before.replace('  listen: 127.0.0.1:8077\n', `  listen: 0.0.0.0:8077\n  tls:\n${pair}`);
  t.equal(readFileSync(config, 'utf8'), expected, 'comments and all else stay');
  t.equal(readFileSync(network.nftables, 'utf8'), `#!/usr/sbin/nft -f\nflush ruleset\ninclude "${network.rules}"\n`);
  t.equal(modeOf(network.nftables), '755');
  t.match(readFileSync(network.rules, 'utf8'), 'tcp dport 8077 ip saddr != { 127.0.0.0/8, 192.168.77.0/24 } drop');
  t.ok(network.ran.includes(`nft -f ${network.rules}.new`) && network.ran.includes('systemctl enable nftables'));

  const content = contentOf(folder);
  network.ran.length = 0;
  t.match(await network.open(...args), { code: 0, err: '', out: /cert\.pem is kept.*until/ }, 'nothing to ask');
  t.same(contentOf(folder), content);
  t.notOk(
    network.ran.some((line) => /nft -f|enable nft|openssl/.test(line)),
    network.ran.join('; '),
  );

  chmodSync(join(tls, 'key.pem'), 0o644);
  t.match(await network.open(...args, '--yes'), { code: 0, out: /other users lose access to its key/ });
  t.equal(modeOf(join(tls, 'key.pem')), '640');
  const key = readFileSync(join(tls, 'key.pem'), 'utf8');
  t.match(await network.open(...args, '--yes', '--renew'), { code: 0, out: /because of --renew/ });
  t.not(readFileSync(join(tls, 'key.pem'), 'utf8'), key);
  t.equal(readFileSync(join(tls, 'key.pem.before-open-network'), 'utf8'), key, 'the old pair is kept');
});

t.test('nothing changes before a person agrees', { skip: needsOpenssl }, async (t) => {
  const { folder, network, args } = closedBox(t, 'log: {level: info}\n');
  const content = contentOf(folder);
  const planned = await network.open(...args, '--dry-run');
  t.match(planned, {
    code: 0,
    out: /http\.listen: 0\.0\.0\.0:8077.*\n.*access\.allowed_hosts: dunlin\.local/s,
    err: '',
  });
  t.match(await network.open(...args), { code: 2, err: /without a terminal, the command needs --yes/ });
  network.answer = false;
  t.match(await network.open(...args), { code: 1, err: 'nothing was changed\n' });
  t.same(contentOf(folder), content);
  t.notOk(network.ran.some((line) => /nft -f|enable|openssl req/.test(line)));
  network.answer = true;
  t.match(await network.open(...args), { code: 0, out: /done: certificate\ndone: firewall\ndone: configuration\n/ });
});

t.test('a name, address or network that does not fit is refused before anything runs', async (t) => {
  const { folder, config, network } = closedBox(t, '');
  const content = contentOf(folder);
  const [name, address, net] = ['dunlin.local', '192.168.77.10', '192.168.77.0/24'];
  const noName = /--name .* is not a host name, such as dunlin\.local/;
  for (const [values, said] of [
    [['a b', address, net], noName],
    [['x,DNS:evil.example', address, net], noName],
    [['x/O=evil', address, net], noName],
    [['x\n[req]\ndir = y', address, net], noName],
    [['$(touch pwned)', address, net], noName],
    [['"; rm -rf', address, net], noName],
    [['-config', address, net], noName],
    [['*.local', address, net], noName],
    [['\x1b[2Jx', address, net], /"\\u001b\[2Jx" is not a host name/],
    [['192.168.77.10', address, net], noName],
    [[`${'a'.repeat(64)}.local`, address, net], noName],
    [[name, '192.168.77.300', net], /--address .* is not an IP address/],
    [[name, 'fe80::1%eth0', 'fe80::/64'], /is not an IP address/],
    [[name, '127.0.0.1', '127.0.0.0/8'], /not an address at which consoles can reach this box/],
    [[name, '0.0.0.0', '0.0.0.0/8'], /not an address at which consoles can reach this box/],
    [[name, address, '192.168.78.0/24'], /192\.168\.78\.0\/24 does not contain 192\.168\.77\.10/],
    [[name, address, '192.168.77.0'], /is not a network in CIDR form/],
    [[name, address, '192.168.77.0/33'], /is not a network in CIDR form/],
    [[name, address, '192.168.77.0/24 } accept; {'], /is not a network in CIDR form/],
    [[name, address, '0.0.0.0/0'], /contains every address/],
    [[name, 'fd00::2', net], /does not contain fd00::2/],
  ] as const) {
    const args = [`--name=${values[0]}`, '--address', values[1], '--network', values[2], '--config', config, '--yes'];
    t.match(await network.open(...args), { code: 2, err: said, out: '' }, values.join(' '));
  }
  t.match(await network.open('--name', name), { code: 2, err: /--name, --address and --network are required/ });
  t.same(network.ran, []);
  t.same(contentOf(folder), content);
  const foreign = ['--name', name, '--address', '192.168.77.99', '--network', net, '--config', config, '--dry-run'];
  t.match(await dunlin(t, 'open-network', ...foreign), {
    err: /warning: no interface of this box has the address 192/,
  });
});

t.test(
  'a configuration keeps its port, its comments and the rest of its settings',
  { skip: needsOpenssl },
  async (t) => {
    for (const [before, expected] of [
      ['# of the site\n', '# of the site\n\nhttp:\n  listen: 0.0.0.0:8077\n'],
      [
        'http:\n  # the port\n  listen: "127.0.0.1:9443" # ours\n',
        'http:\n  # the port\n  listen: "0.0.0.0:9443" # ours\n',
      ],
      ['http: {listen: 192.168.77.10:443}\n', 'http: {listen: 192.168.77.10:443, tls: '],
      ['http:\n  # no key yet\nlog:\n  level: warn # few\n', 'log:\n  level: warn # few\n'],
      ['http:\n  # no key yet\nlog:\n  level: warn # few\n', '# no key yet\n'],
      ['access:\n  trusted_networks: [127.0.0.1, 10.0.0.0/8]\n', '  trusted_networks: [127.0.0.1]\n'],
      ['access:\n  trusted_networks: [0.0.0.0/0, ::1/64]\n', '  trusted_networks: []\n'],
      [
        'access: {trusted_networks: [], allowed_hosts: [old.local]}\n',
        '{trusted_networks: [], allowed_hosts: [old.local, dunlin.local]}\n',
      ],
    ] as const) {
      const { config, network, args } = closedBox(t, before);
      t.match(await network.open(...args, '--yes'), { code: 0, err: '' });
      const text = readFileSync(config, 'utf8');
      t.ok(text.includes(expected), text);
      const port = /listen: "?[\d.]+:(\d+)/.exec(text)?.[1];
      t.match(readFileSync(network.rules, 'utf8'), `tcp dport ${port} ip saddr`);
    }
    const { folder, config, network } = closedBox(t, 'log: {level: loud}\n');
    const content = contentOf(folder);
    t.match(await network.open(...asked, '--config', config, '--yes'), { code: 78, err: /log\.level/ });
    t.same(contentOf(folder), content, 'a broken file is left to its owner');
    t.match(await network.open(...asked, '--config', folder, '--yes'), {
      code: 78,
      err: /cannot be read: it is a folder/,
    });
    const fresh = join(folder, 'fresh.yaml');
    t.match(await network.open(...asked, '--config', fresh, '--yes'), { code: 0 });
    t.match(await dunlin(t, 'check-config', fresh), { code: 0, out: /serves https:/ });
  },
);

t.test('a certificate stays while it covers the box for 30 days more', { skip: needsOpenssl }, async (t) => {
  const { folder, config, network, args } = closedBox(t, '');
  const own = { cert: join(folder, 'c.pem'), key: join(folder, 'k.pem') };
  const text = `http: {listen: "0.0.0.0:8077", tls: {cert_file: ${own.cert}, key_file: ${own.key}}}\n`;
  const make = (days: number, names: string): void => {
    const req = [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-noenc',
      '-subj',
      '/CN=x',
    ];
    const files = ['-keyout', own.key, '-out', own.cert];
    spawnSync('openssl', [...req, '-days', String(days), '-addext', `subjectAltName=${names}`, ...files]);
  };
  for (const [days, names, said] of [
    [40, 'DNS:dunlin.local,IP:192.168.77.10', /c\.pem is kept/],
    [20, 'DNS:dunlin.local,IP:192.168.77.10', /new, because .*c\.pem expires in (19|20) days/],
    [40, 'DNS:dunlin.local', /new, because .*c\.pem does not cover 192\.168\.77\.10/],
    [40, 'DNS:other.local', /new, because .*c\.pem does not cover dunlin\.local, 192/],
  ] as const) {
    writeFileSync(config, text);
    make(days, names);
    t.match(await network.open(...args, '--dry-run'), { code: 0, out: said });
  }
  writeFileSync(own.key, 'junk');
  t.match(await network.open(...args, '--dry-run'), {
    code: 0,
    out: /new, because .*are not a certificate and its private key/,
  });
  network.answers.openssl = null;
  const missing = await network.open(...args, '--yes');
  t.match(missing, { code: 1, err: /openssl is missing: sudo apt install openssl/ });
  t.equal(readFileSync(config, 'utf8'), text);
});

t.test(
  'a firewall that cannot be set leaves the box closed, or its commands to the admin',
  { skip: needsOpenssl },
  async (t) => {
    const { config, network, args } = closedBox(t, '');
    network.answers.nft = { code: 1, out: '', err: 'Operation not permitted\n' };
    t.match(await network.open(...args, '--yes'), { code: 1, err: /nft -f .*: Operation not permitted/ });
    t.equal(readFileSync(config, 'utf8'), '', 'the configuration is written last');
    t.notOk(existsSync(network.rules));
    network.answers.nft = null;
    t.match(await network.open(...args, '--dry-run'), { out: /nft is missing: port 8077 only for 192/ });
    network.answers.ufw = { code: 0, out: 'Status: active\n', err: '' };
    const byUfw = await network.open(...args, '--yes');
    t.match(byUfw, { code: 0, out: /sudo ufw allow from 192\.168\.77\.0\/24 to any port 8077 proto tcp\n/ });
    network.isRoot = false;
    const { code, out } = await network.open(...args, '--yes');
    t.equal(code, 0);
    t.match(out, `\nsudo tee ${network.rules} >/dev/null <<'END'\n${rulesOf(['192.168.77.0/24'], 8077)}END\n`);
    t.match(out, `\nsudo nft -f ${network.rules} && sudo systemctl enable nftables\n`);
    t.notOk(existsSync(network.nftables));
  },
);

t.test('IPv6 networks are let in too, and nft accepts the rules', async (t) => {
  const { folder, network, config } = closedBox(t, '');
  const own = ['--name', 'dunlin.local', '--address', '192.168.77.10', '--address', 'FD00:0::2', '--config', config];
  const nets = ['192.168.77.10/24', '192.168.77.128/25', 'fd00::2/64', '10.9.0.0/16'].flatMap((net) => [
    '--network',
    net,
  ]);
  const { out } = await network.open(...own, ...nets, '--dry-run');
  if (needsOpenssl === false) {
    t.match(out, 'will be reachable from 192.168.77.0/24, fd00::/64, 10.9.0.0/16:');
    t.match(out, /http\.listen: \[::\]:8077/);
    t.match(out, /IPAddressAllow=fd00::\/64|for dunlin\.local, localhost, 192\.168\.77\.10, fd00::2/);
  }
  const path = join(folder, 'rules.conf');
  for (const networks of [
    ['192.168.77.0/24'],
    ['192.168.77.0/24', 'fd00::/64'],
    ['127.0.0.0/8', '::/1', '128.0.0.0/1'],
  ]) {
    writeFileSync(path, rulesOf(networks, 8077));
    const checked = spawnSync('nft', ['-c', '-f', path], { encoding: 'utf8' });
    if (checked.error !== undefined || /not permitted/.test(checked.stderr)) t.comment('nft cannot check rules here');
    else t.same([checked.status, checked.stderr], [0, '']);
  }
});

t.test('the closing lines name what is left alone', { skip: needsOpenssl }, async (t) => {
  const folder = folderOf(t, { 'it is.yaml': '' });
  const network = new NetworkBox(folder);
  const own = ['--name', 'dunlin.local', '--address', 'fd00::2', '--network', 'fd00::/64', '--yes'];
  const data = join(folder, 'data');
  t.match(await dunlinWith(t, { input: PASSWORD }, 'user', 'add', 'anna', '--role', 'owner', '--data', data), {
    code: 0,
  });
  writeFileSync(join(folder, 'dunlin.yaml'), `data: {dir: ${data}}\n`);
  const installed = await network.open(...own, '--config', join(folder, 'dunlin.yaml'));
  t.notMatch(installed.out, 'first owner', 'there is one');
  t.match(installed.out, 'sudo systemctl edit dunlin, and add: [Service] IPAddressAllow=fd00::/64');
  const byHand = await network.open(...own, '--config', join(folder, 'it is.yaml'));
  t.match(byHand.out, `dunlin serve --config '${folder}/it is.yaml' --data data\n`);
});
