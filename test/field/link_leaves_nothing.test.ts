import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import t from 'tap';
import { socatMissing, startPtyPair } from '../support/links/pty.ts';

const create = new URL('../../src/edge/link/create.js', import.meta.url).href;
const claims = new URL('../../src/edge/link/claims.js', import.meta.url).href;
const model = new URL('../../src/model/link.js', import.meta.url).href;

/**
 * Starts links in a process of its own and stops them in whatever state they are. It reports the handles that still
 * hold the process 100 turns of the event loop later. It never calls exit, and writes without a stream, which would be
 * held too.
 */
const program = `
  import { writeSync } from 'node:fs';
  const { createLink } = await import(${JSON.stringify(create)});
  const { Claims } = await import(${JSON.stringify(claims)});
  const { linkSpecSchema } = await import(${JSON.stringify(model)});
  const given = JSON.parse(process.argv[1]);
  const rim = { nowMs: () => performance.now(), claims: new Claims() };
  const states = [];
  const links = given.specs.map((spec, at) => createLink(
    linkSpecSchema.parse({ name: 'l' + at, protocol: 'mavlink', ...spec }),
    { chunk() {}, gone() {}, status: ({ state }) => { states[at] = state; } }, rim));
  for (const link of links) link.start();
  while (given.settle && states.some((state) => state === 'opening')) await new Promise((resolve) => setTimeout(resolve, 5));
  const reached = [...states];
  await Promise.all(links.map((link) => link.stop()));
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
  writeSync(1, JSON.stringify({ reached, held: process.getActiveResourcesInfo() }));
`;

async function run(given: { specs: object[]; settle: boolean }) {
  const args = ['--input-type=module', '-e', program, JSON.stringify(given)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'], timeout: 20_000 });
  const [output, [code, signal]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return { ...(JSON.parse(output) as { reached: string[]; held: string[] }), code, signal };
}

t.test('a process whose links are stopped has nothing left to wait for and ends by itself', async (t) => {
  const dir = t.testdir({ file: 'x' });
  const skip = socatMissing();
  execFileSync('mkfifo', [`${dir}/fifo`]);
  const serial = skip ? [] : [{ transport: 'serial', address: (await startPtyPair(t, dir)).near }];
  if (skip) t.comment(`without a serial port: ${skip}`);
  const specs = [
    { transport: 'udp', address: '127.0.0.1:0' },
    { transport: 'udp', address: '239.77.1.10:0' },
    { transport: 'tcp_server', address: '127.0.0.1:0' },
    { transport: 'tcp_client', address: '127.0.0.1:1' },
    { transport: 'file', address: `${dir}/file` },
    { transport: 'file', address: `${dir}/absent` },
    { transport: 'file', address: `${dir}/fifo` },
    { transport: 'serial', address: `${dir}/absent` },
    ...serial,
  ];
  // A process without links shows what the test runner itself holds.
  const none = await run({ specs: [], settle: true });
  const settled = await run({ specs, settle: true });
  t.same(settled.reached.slice(0, 4), ['open', 'open', 'open', 'backoff']);
  t.match(settled, { code: 0, signal: null });
  t.same(settled.held, none.held);
  const hurried = await run({ specs, settle: false });
  t.ok(
    hurried.reached.every((state) => state === 'opening'),
    'stopped in the middle of opening',
  );
  t.match(hurried, { code: 0, signal: null });
  t.same(hurried.held, none.held);
});
