import { once } from 'node:events';
import { connect } from 'node:net';
import t from 'tap';
import type { ServedLogLevel, ServedMaps } from '../../src/http/served.ts';
import { createServer } from '../../src/http/server.ts';
import { httpDefaults } from '../../src/http/settings.ts';
import { ask, createFakeService, createRecorder, type Rig, startRig } from '../support/http/server.ts';
import { accessOf, openRegistry, workspacesOf } from '../support/registry/registry.ts';

type Test = { teardown(stop: () => unknown): unknown };

function serverAt(t: Test, host: string, port: number): ReturnType<typeof createServer> {
  const recorder = createRecorder();
  const settings = { ...httpDefaults, listen: { host, port } };
  const registry = openRegistry(t);
  const workspaces = workspacesOf(createFakeService(), registry);
  const maps = {} as ServedMaps;
  const logLevel = {} as ServedLogLevel;
  return createServer({
    workspaces,
    maps,
    logLevel,
    access: accessOf(registry),
    settings,
    log: recorder,
    metrics: recorder,
  });
}

t.test('a port in use is a conflict that names it', async (t) => {
  const rig = await startRig(t);
  await t.rejects(serverAt(t, '127.0.0.1', rig.port).start(), {
    code: 'conflict',
    message: `cannot listen for HTTP on port ${rig.port} of 127.0.0.1: another program already listens there; choose another port with --listen HOST:PORT`,
  });
});

t.test('an address this box has not, and a name that is none, are told of', async (t) => {
  await t.rejects(serverAt(t, '192.0.2.1', 0).start(), {
    code: 'invalid_input',
    message: /192\.0\.2\.1: this box has no such address/,
  });
});

t.test('the url of an IPv6 address works as it is given', async (t) => {
  const rig: Rig | null = await startRig(t, { listen: { host: '::1' } }).catch(() => null);
  if (rig === null) {
    t.comment('this machine has no IPv6 loopback');
    return;
  }
  t.match(rig.url, /^http:\/\/\[::1\]:\d+$/);
  t.equal((await ask(`${rig.url}/api/tracks`)).status, 200);
});

t.test('an IPv4 sender over an IPv6 socket is judged as what it is', async (t) => {
  const rig: Rig | null = await startRig(t, { listen: { host: '::' } }).catch(() => null);
  if (rig === null) {
    t.comment('this machine has no IPv6');
    return;
  }
  t.equal((await ask(`http://127.0.0.1:${rig.port}/api/tracks`)).status, 200);
});

t.test('stopping closes idle and begun connections within two seconds, and can be repeated', async (t) => {
  const rig = await startRig(t);
  await ask(`${rig.url}/`);
  const idle = connect(rig.port, '127.0.0.1');
  const begun = connect(rig.port, '127.0.0.1');
  for (const socket of [idle, begun]) {
    socket.on('error', () => {}).resume();
    await once(socket, 'connect');
  }
  begun.write(
    'POST /api/sensors HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
  );
  // A whole answer on a third connection shows that the server has seen the bytes of the second.
  await ask(`${rig.url}/api/sim`);
  const closed = Promise.all([once(idle, 'close'), once(begun, 'close')]);
  const started = Date.now();
  await rig.server.stop();
  t.ok(Date.now() - started < 2_000, `${Date.now() - started} ms`);
  await closed;
  await rig.server.stop();
  await t.rejects(ask(`${rig.url}/`));
});

t.test('a server that was stopped can listen again', async (t) => {
  const server = serverAt(t, '127.0.0.1', 0);
  await server.start();
  await server.stop();
  const { url } = await server.start();
  t.teardown(() => server.stop());
  t.equal((await ask(`${url}/`)).status, 200);
  t.equal((await fetch(`${url}/api/stream`, { method: 'HEAD' })).status, 200);
});
