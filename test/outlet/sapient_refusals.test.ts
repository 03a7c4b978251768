import t from 'tap';
import { outletDocument } from '../../src/outlet/document.ts';
import { until } from '../support/basics/patience.ts';
import { outletTrack, type RunnerRig } from '../support/outlet/rig.ts';
import { below, systems } from '../support/sapient/below.ts';
import type { Reaction } from '../support/sapient/parent.ts';

const documentOf = ({ runner, clock }: RunnerRig) =>
  outletDocument(runner, (worldMs) => Date.now() + worldMs - performance.now() - clock.leapMs);

const refused: readonly [string, Reaction][] = [
  ['an acknowledgement that refuses', { refuse: ['this site has no node DUN'] }],
  ['an Error in place of the acknowledgement', { error: ['this site has no node DUN'] }],
];
for (const [what, reaction] of refused)
  t.test(`${what} is the state refused with its reason, and the registration is tried again after 60 s`, async (t) => {
    const { parent, rig } = await below(t, { reaction, faster: 100 });
    rig.put(outletTrack(1));
    const document = await until(async () => {
      const now = documentOf(rig);
      return now.state === 'refused' && now;
    }, 'it is refused');
    t.match(document, {
      last_refusal: /this site has no node DUN/,
      last_error: /refuses the connection: this site has no node DUN/,
    });
    const waitMs = Date.parse(document.next_retry_at ?? '') - Date.now();
    t.ok(waitMs > 50_000 && waitMs <= 61_000, `in ${waitMs} ms`);
    await until(async () => parent.connections.length >= 2, 'another attempt');
    await until(async () => rig.runner.statements.refusals >= 2, 'a second refusal');
    t.equal(rig.notes.filter((note) => note.startsWith('refused warning')).length, 1, 'one line of all refusals');
    parent.reaction = 'accept';
    await parent.next('detection_report');
    t.match(documentOf(rig), { state: 'open', last_error: null });
    t.same(parent.faults, [], 'nothing but the registration before the acceptance');
  });

t.test('a node above that never acknowledges is tried again after a back-off, and gets nothing else', async (t) => {
  const { parent, rig } = await below(t, { reaction: 'silent', faster: 20 });
  rig.put(outletTrack(1));
  await until(async () => parent.connections.length >= 2, 'another attempt');
  t.match(rig.notes.join('\n'), /is down: .* sent no acknowledgement of the registration in 10 s/);
  for (const child of parent.connections) t.ok(child.arrived.every(({ kind }) => kind === 'registration'));
  parent.reaction = 'accept';
  await parent.next('detection_report');
  t.same(parent.faults, []);
});

t.test('a node above that closes before the acknowledgement, or sends garbage, is named as the fault', async (t) => {
  const { parent, rig } = await below(t, { reaction: 'silent', faster: 20 });
  await parent.next('registration');
  parent.child?.close();
  await until(async () => parent.count('registration') === 2, 'another registration');
  t.match(rig.notes.join('\n'), /before the acknowledgement of the registration/);
  parent.child?.write(Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'));
  await until(async () => parent.connections.length === 3, 'a third connection');
  t.match(rig.runner.status().lastError, /1347703880 bytes: a message must have from 1 to 1048576 bytes/);
  await rig.runner.stop();
  t.notOk(
    parent.connections.some((child) => child.of('status_report').length > 0),
    'no goodbye without a hello',
  );
});

t.test('a node above that stops reading is cut off, costs less than 5 MB, and is dialled again', async (t) => {
  const pace = { track_s: 0.1, max_msgs_per_s: 10_000 };
  const { parent, rig } = await below(t, { faster: 20, outlet: { pace } });
  await parent.next('status_report');
  parent.child?.pause();
  const beforeBytes = process.memoryUsage().arrayBuffers;
  let worstBytes = 0;
  let round = 0;
  await until(async () => {
    for (let i = 0; i < 300; i++) rig.put(outletTrack(i, { quality: round % 16 }));
    round++;
    worstBytes = Math.max(worstBytes, process.memoryUsage().arrayBuffers - beforeBytes);
    return rig.notes.some((note) => note.startsWith('down'));
  }, 'it is cut off');
  t.match(rig.notes.join('\n'), /is down: .* accepted no data for/);
  t.ok(worstBytes < 5e6, `${(worstBytes / 1e6).toFixed(1)} MB of buffers`);
  await until(async () => parent.connections.length === 2, 'it is dialled again');
  await until(async () => parent.child?.of('detection_report').length !== 0, 'reports come again');
});

t.test('an error of the node above is a refusal and the last error for a minute', async (t) => {
  const { parent, rig } = await below(t);
  await parent.next('status_report');
  parent.child?.send({ error: { packet: new Uint8Array(0), error_message: ['detection_report: no such mode'] } });
  await until(async () => rig.runner.statements.refusals === 1, 'the refusal');
  t.match(documentOf(rig), { state: 'open', refusals: 1, last_error: /reports an error: detection_report: no such/ });
  rig.clock.leapMs += 61_000;
  t.match(documentOf(rig), { last_error: null, last_refusal: /no such mode/ });
});

t.test('a malformed message of the node above is answered with an Error, at most one a second', async (t) => {
  const { parent, rig } = await below(t);
  await parent.next('status_report');
  const bad = Buffer.from('0500000001020304050500000001020304050500000001020304ff', 'hex');
  parent.child?.write(bad);
  const { body } = await parent.next('error');
  t.match(body.error_message, [/protobuf|missing/]);
  t.match(rig.runner.trouble(), /a message of the peer was refused/);
  t.equal(parent.count('error'), 1);
  t.equal(rig.runner.statements.refusals, 0, 'it is the fault of the peer');
  rig.put(outletTrack(1));
  await parent.next('detection_report');
  t.same(parent.faults, []);
});

t.test('a message of over 1 MiB ends the connection, and another one opens', async (t) => {
  const { parent, rig } = await below(t, { faster: 10 });
  await parent.next('status_report');
  parent.child?.write(Buffer.from('ffffffff00', 'hex'));
  await until(async () => parent.connections.length === 2, 'another connection');
  t.match(rig.notes.join('\n'), /4294967295 bytes: a message must have from 1 to 1048576 bytes/);
  await parent.next('status_report', ({ system }) => system === systems.ok, 1);
});
