import t from 'tap';
import { loadConfig } from '../../../src/host/config/load.ts';
import { protocols } from '../../../src/model/link.ts';

function problemsOf(text: string): string[] {
  return loadConfig({ file: 'x.yaml', text }).problems;
}

const everyFault = `http:
  listen: 12
  tls: {cert_file: x}
data:
  retention: {bytes: 20XB, day: 3}
acces: {}
links:
  - name: a
    transport: udpp
    baud: 3
  - name: b
    transport: udp
    address: 0.0.0.0:14550
    protocol: mavlink
  - {name: b, transport: udp, address: '127.0.0.1:14550', protocol: mavlink}
  - {name: c, transport: serial, address: ttyS0, protocol: mavlink, sources_allow: [10.0.0.0/33]}
  - {name: d, transport: tcp_server, address: '0.0.0.0:8077', protocol: sbs}
sensors: 3
tracking: {lost_s: 500, confirm_hits: 1.5}
log: {level: warning}
limits: {body_bytes: 3}
`;

t.test('every problem of a file is reported at once, each at its line and column', async (t) => {
  t.same(problemsOf(everyFault), [
    'x.yaml:2:11: http.listen: expected text, received 12',
    'x.yaml:3:8: http.tls: needs both cert_file and key_file, or neither',
    'x.yaml:5:22: data.retention.bytes: must be a size, for example 20GB, 512MiB or a number of bytes',
    'x.yaml:5:28: data.retention.day: unknown key, did you mean days?',
    'x.yaml:6:1: acces: unknown key, did you mean access?',
    'x.yaml:8:5: links.0.address: is required',
    `x.yaml:8:5: links.0.protocol: is required: one of ${protocols.join(', ')}`,
    'x.yaml:9:16: links.0.transport: must be one of serial, udp, tcp_client, tls_client, tcp_server, unix, file; received "udpp", did you mean udp?',
    'x.yaml:10:11: links.0.baud: must be at least 300; received 3',
    'x.yaml:15:12: links.2.name: b is already the name of links.1',
    'x.yaml:15:40: links.2.address: 127.0.0.1:14550 is already taken by link b',
    'x.yaml:16:43: links.3.address: must be a device path (/dev/serial/by-id/…) or usb:VID:PID[:SERIAL]',
    'x.yaml:16:85: links.3.sources_allow.0: must be an address or a CIDR range',
    'x.yaml:17:47: links.4.address: 0.0.0.0:8077 is already taken by http.listen',
    'x.yaml:18:10: sensors: expected a list, received 3',
    'x.yaml:19:39: tracking.confirm_hits: expected a whole number, received 1.5',
    'x.yaml:20:14: log.level: must be one of trace, debug, info, warn, error, fatal; received "warning", did you mean warn?',
    'x.yaml:21:22: limits.body_bytes: must be from 1024 to 1000000000 bytes',
  ]);
});

t.test('what is not YAML, or not the YAML we read, is a problem at its place', async (t) => {
  t.match(problemsOf('http:\n  listen: [1,\nlog: 3')[0], /^x\.yaml:3:1: flow sequence/);
  t.same(problemsOf('log:\n\tlevel: info'), ['x.yaml:2:1: tabs are not allowed as indentation']);
  t.same(problemsOf('log: {level: info}\nlog: {}'), ['x.yaml:2:1: map keys must be unique']);
  t.same(problemsOf('a: 1\n---\nb: 2'), ['x.yaml:2:1: the file contains a second document; only one is allowed']);
  t.same(problemsOf('&a [*a]'), ['x.yaml:1:5: the alias *a is not allowed: write the value here instead']);
  t.same(problemsOf('? {a: 1}\n: 2'), ['x.yaml:1:3: a key must be a single word, not a list or a mapping']);
  t.same(problemsOf('- 3'), ['x.yaml:1:1: expected a mapping of keys to values, received a list']);
  t.same(problemsOf('__proto__: {x: 1}'), ['x.yaml:1:1: __proto__: unknown key']);
  t.match(problemsOf(`a: "${'x'.repeat(1_048_576)}"`), ['x.yaml:1:1: is longer than the limit of 1 MiB']);
});

t.test('the number of problems shown is bounded', async (t) => {
  const many = Array.from({ length: 5_000 }, (_, i) => `unknown_${i}: 1`).join('\n');
  const problems = problemsOf(many);
  t.equal(problems.length, 101);
  t.equal(problems.at(-1), 'x.yaml: and 4900 more such lines');
  t.ok(problemsOf('['.repeat(100_000)).length <= 101);
});

t.test('an empty file, and keys without a value, are the defaults', async (t) => {
  const empty = loadConfig({ file: 'x', text: '' });
  t.ok(empty.ok);
  t.same(loadConfig({ file: 'x', text: '# nothing\n' }).config, empty.config);
  t.same(loadConfig({ file: 'x', text: 'http:\n  tls:\nlinks:\nlog:\n' }).config, empty.config);
});

t.test('the ages of a track must rise', async (t) => {
  t.same(problemsOf('tracking: {coast_s: 30}'), [
    'x.yaml:1:11: tracking: coast_s must be less than lost_s, and lost_s less than close_s',
  ]);
});

t.test('two links may share a port where they cannot collide', async (t) => {
  const links = [
    '{name: a, transport: udp, address: "127.0.0.1:8077", protocol: mavlink}',
    '{name: b, transport: udp, address: "127.0.0.2:8077", protocol: mavlink}',
    '{name: c, transport: udp, address: "0.0.0.0:0", protocol: mavlink}',
    '{name: d, transport: udp, address: "[::]:0", protocol: mavlink}',
    '{name: e, transport: tcp_client, address: "127.0.0.1:8077", protocol: sbs}',
    '{name: f, transport: tcp_client, address: "127.0.0.1:8077", protocol: sbs}',
    '{name: g, transport: udp, address: "0.0.0.0:8077", protocol: mavlink, enabled: false}',
    '{name: h, transport: file, address: a.tlog, protocol: mavlink}',
    '{name: i, transport: file, address: a.tlog, protocol: mavlink}',
  ];
  t.same(problemsOf(`links:\n${links.map((link) => `  - ${link}\n`).join('')}`), []);
});

t.test('one serial device is not given to two links', async (t) => {
  const link = (name: string): string =>
    `  - {name: ${name}, transport: serial, address: /dev/dunlin/rid, protocol: odid_json}\n`;
  t.same(problemsOf(`links:\n${link('a')}${link('b')}`), [
    'x.yaml:3:43: links.1.address: /dev/dunlin/rid is already taken by link a',
  ]);
});

t.test('two sensors of one name are told apart by nobody', async (t) => {
  t.same(problemsOf('sensors:\n  - {name: mast, modality: radar}\n  - {name: mast, modality: camera}'), [
    'x.yaml:3:12: sensors.1.name: mast is already the name of sensors.0',
  ]);
});

t.test('what works but will surprise is a warning, and the file is good', async (t) => {
  const text = `links:
  - {name: a, transport: serial, address: /dev/ttyUSB0, protocol: mavlink}
  - {name: b, transport: udp, address: '0.0.0.0:14550', protocol: mavlink, command: allow}
  - {name: c, transport: udp, address: '127.0.0.1:14551', protocol: mavlink, command: allow}
  - {name: d, transport: udp, address: '0.0.0.0:14552', protocol: mavlink, command: allow, sources_allow: [10.0.0.7]}
access: {trusted_networks: [0.0.0.0/0]}
`;
  const loaded = loadConfig({ file: 'x', text });
  t.ok(loaded.ok);
  t.same(loaded.warnings, [
    'x:2:43: links.0.address: /dev/ttyUSB0 is not a stable name; use /dev/serial/by-id/… or usb:VID:PID[:SERIAL]',
    'x:3:85: links.1.command: commands are sent to every sender that reaches this address: list the allowed senders in sources_allow',
    'x:6:29: access.trusted_networks.0: 0.0.0.0/0 gives callers from every address the role owner without a sign-in',
  ]);
});

t.test('sizes, TLS files and host names come out in one form', async (t) => {
  const text = `http: {tls: {cert_file: a.pem, key_file: b.pem}}
data: {retention: {bytes: 1.5 GiB}}
access: {allowed_hosts: [Dunlin.Local]}
`;
  const { config } = loadConfig({ file: 'x', text });
  t.same(config?.http.tls, { cert_file: 'a.pem', key_file: 'b.pem' });
  t.equal(config?.data.retention.bytes, 1.5 * 2 ** 30);
  t.same(config?.access.allowed_hosts, ['dunlin.local']);
});
