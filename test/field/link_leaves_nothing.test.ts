import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import t from 'tap';
import { socatMissing, startPtyPair } from '../support/pty.ts';

const create = new URL('../../src/edge/link/create.js', import.meta.url).href;
const claims = new URL('../../src/edge/link/claims.js', import.meta.url).href;
const model = new URL('../../src/model/link.js', import.meta.url).href;

/** Starts links in a process of its own, stops them in whatever state they are, and reports what still holds the process. */
const program = `
  const { createLink } = await import(${JSON.stringify(create)});
  const { Claims } = await import(${JSON.stringify(claims)});
  const { linkSpecSchema } = await import(${JSON.stringify(model)});
  const given = JSON.parse(process.argv[1]);
  const rim = { nowMs: () => performance.now(), claims: new Claims() };
  const states = [];
  const links = given.specs.map((spec, at) => createLink(
    linkSpecSchema.parse({ name: 'l' + at, protocol: 'mavlink', ...spec }),
    { chunk() {}, gone() {}, status: ({ state }) => { states[at] = state; } }, rim));
  const before = process.getActiveResourcesInfo();
  for (const link of links) link.start();
  while (given.settle && states.some((state) => state === 'opening')) await new Promise((resolve) => setTimeout(resolve, 5));
  const reached = [...states];
  await Promise.all(links.map((link) => link.stop()));
  await new Promise((resolve) => setImmediate(resolve));
  console.log(JSON.stringify({ reached, before, after: process.getActiveResourcesInfo() }));
`;

/** What is left is compared with what was there before: the pipe of standard output is not ours. */
async function run(given: { specs: object[]; settle: boolean }) {
  const args = ['--input-type=module', '-e', program, JSON.stringify(given)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 20_000 });
  return JSON.parse(stdout) as { reached: string[]; before: string[]; after: string[] };
}

t.test('a process whose links are stopped has nothing left to wait for and ends by itself', async (t) => {
  const dir = t.testdir({ file: 'x' });
  const skip = socatMissing();
  const serial = skip ? [] : [{ transport: 'serial', address: (await startPtyPair(t, dir)).near }];
  if (skip) t.comment(`without a serial port: ${skip}`);
  const specs = [
    { transport: 'udp', address: '127.0.0.1:0' },
    { transport: 'udp', address: '239.77.1.10:0' },
    { transport: 'tcp_server', address: '127.0.0.1:0' },
    { transport: 'tcp_client', address: '127.0.0.1:1' },
    { transport: 'file', address: `${dir}/file` },
    { transport: 'file', address: `${dir}/absent` },
    { transport: 'serial', address: `${dir}/absent` },
    ...serial,
  ];
  const settled = await run({ specs, settle: true });
  t.same(settled.reached.slice(0, 4), ['open', 'open', 'open', 'backoff']);
  t.same(settled.after, settled.before);
  const hurried = await run({ specs, settle: false });
  t.ok(
    hurried.reached.every((state) => state === 'opening'),
    'stopped in the middle of opening',
  );
  t.same(hurried.after, hurried.before);
});
