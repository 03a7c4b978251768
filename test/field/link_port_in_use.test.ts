import { spawn } from 'node:child_process';
import { once } from 'node:events';
import t from 'tap';
import { portOf, rigLink, until } from '../edge/link/rig.ts';

/** Another program that holds a port until it is told to go; answers which. */
async function occupy(t: { teardown(act: () => unknown): void }, kind: 'udp' | 'tcp') {
  const script =
    kind === 'udp'
      ? "const s=require('dgram').createSocket('udp4');s.bind(0,'127.0.0.1',()=>console.log(s.address().port))"
      : "const s=require('net').createServer().listen(0,'127.0.0.1',()=>console.log(s.address().port))";
  const program = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [line] = await once(program.stdout, 'data');
  const leave = async () => {
    if (program.exitCode !== null || program.signalCode !== null) return;
    const gone = once(program, 'exit');
    program.kill('SIGKILL');
    await gone;
  };
  t.teardown(leave);
  return { port: Number(line), leave };
}

for (const [kind, transport] of [
  ['udp', 'udp'],
  ['tcp', 'tcp_server'],
] as const) {
  t.test(`a ${kind} port that another program has is retried until it is free`, async (t) => {
    const other = await occupy(t, kind);
    const { link, states } = rigLink(t, { transport, address: `127.0.0.1:${other.port}` });
    t.doesNotThrow(() => link.start(), 'it is no reason not to start');
    await until('two attempts', () => link.status().retries >= 2 && link.status().state === 'backoff');
    t.equal(link.status().lastError, `port ${other.port}/${kind} is in use by another program`);
    await other.leave();
    await until('it opens', () => link.status().state === 'open');
    t.equal(portOf(link), other.port);
    t.same(states().slice(0, 2), ['opening', 'backoff']);
    t.equal(states().at(-1), 'open');
  });
}
