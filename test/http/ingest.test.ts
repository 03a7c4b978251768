import { once } from 'node:events';
import { connect } from 'node:net';
import fc from 'fast-check';
import t from 'tap';
import { splitLines } from '../../src/http/ingest/rows.ts';
import { sized } from '../support/basics/size.ts';
import { type Answer, ask, askJson, parseRaw, type Rig, readAll, startRig } from '../support/http/server.ts';

const row = (n: number | string): Record<string, unknown> => ({
  obs_id: `o${n}`,
  sensor_id: 'roof',
  report: 'presence',
});

function post(rig: Rig, body: string | Buffer): Promise<Answer> {
  return ask(`${rig.url}/api/ingest/obs`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body,
  });
}

t.test('good rows count even when others fail, each told of by its index', async (t) => {
  const rig = await startRig(t);
  const obs = [
    row(0),
    { ...row(1), report: 'guess' },
    row(0),
    { ...row(3), sensor_id: 'nobody' },
    'x',
    row(5),
    { ...row(6), extra: 1 },
  ];
  const { status, body } = await askJson(`${rig.url}/api/ingest/obs`, 'POST', { obs });
  t.equal(status, 200);
  t.match(body.data, { accepted: 2, duplicates: 1 });
  t.same((body.data as { rejected: unknown[] }).rejected, [
    { index: 1, error: "'report' must be one of position, range_bearing, bearing, presence, identity" },
    { index: 3, error: "there is no sensor 'nobody'" },
    { index: 4, error: 'the observation must be an object, not a string' },
    { index: 6, error: "'extra' is not a known field" },
  ]);
  t.same(
    rig.service.observations.map((one) => one.obs_id),
    ['o0', 'o5'],
  );
});

t.test('lines are taken the same way, wherever their bytes are cut', async (t) => {
  const rig = await startRig(t);
  const lines = [
    JSON.stringify(row('é')),
    '',
    '{"broken',
    '  \r',
    `${JSON.stringify(row(2))}\r`,
    '[]',
    JSON.stringify(row(4)),
  ];
  const body = Buffer.concat([Buffer.from(lines.join('\n')), Buffer.from([10, 0xff, 10])]);
  const { status, body: answer } = await post(rig, body);
  t.equal(status, 200);
  t.match(answer.data, { accepted: 3, duplicates: 0 });
  const rejected = (answer.data as { rejected: { index: number; error: string }[] }).rejected;
  t.same(
    rejected.map(({ index }) => index),
    [1, 3, 5],
    'blank lines do not count',
  );
  t.match(rejected[0]?.error, /^the line is not JSON/);
  t.match(rejected[2]?.error, /^the line is not UTF-8/);
});

t.test('a line that is too long is one rejected row, and the next is read', async (t) => {
  const rig = await startRig(t);
  const { body } = await post(
    rig,
    `${JSON.stringify({ ...row(0), obs_id: 'x'.repeat(70_000) })}\n${JSON.stringify(row(1))}\n`,
  );
  t.match(body.data, { accepted: 1, rejected: [{ index: 0, error: 'the line is longer than 65536 bytes' }] });
});

t.test('a body that cannot be read as a whole is 400', async (t) => {
  const rig = await startRig(t);
  for (const body of ['', '\n\n \n', 'a,b,c\n1,2,3\n', Buffer.from([0xff, 0xfe])])
    t.equal((await post(rig, body)).status, 400);
  for (const body of [[], {}, { obs: {} }, { obs: null }, { obs: [], more: 1 }, null]) {
    const { status, body: answer } = await askJson(`${rig.url}/api/ingest/obs`, 'POST', body);
    t.equal(status, 400, JSON.stringify(body));
    t.equal(answer.code, 'invalid_input');
  }
  t.match((await askJson(`${rig.url}/api/ingest/obs`, 'POST', { obs: [] })).body.data, {
    accepted: 0,
    duplicates: 0,
    rejected: [],
  });
});

t.test('ten thousand rows are taken; one more is 413 and none of them is', async (t) => {
  const rig = await startRig(t);
  const rows = Array.from({ length: 10_001 }, (_, i) => row(i));
  const tooMany = rows.map((one) => JSON.stringify(one)).join('\n');
  t.equal((await post(rig, tooMany)).status, 413);
  t.equal((await askJson(`${rig.url}/api/ingest/obs`, 'POST', { obs: rows })).status, 413);
  t.equal(rig.service.observations.length, 0);
  t.match((await askJson(`${rig.url}/api/ingest/obs`, 'POST', { obs: rows.slice(0, 10_000) })).body.data, {
    accepted: 10_000,
  });
});

t.test('a body of more than 4 MiB is 413 in either form', async (t) => {
  const rig = await startRig(t);
  const line = `${JSON.stringify({ ...row(0), sensor_id: 'x'.repeat(2_000) })}\n`;
  t.equal((await post(rig, line.repeat(2_200))).status, 413);
  t.equal((await askJson(`${rig.url}/api/ingest/obs`, 'POST', { obs: ['x'.repeat(4_200_000)] })).status, 413);
});

t.test('a body that is cut off leaves nothing behind', async (t) => {
  const rig = await startRig(t);
  const socket = connect(rig.port, '127.0.0.1');
  const head =
    'POST /api/ingest/obs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\nContent-Length: 9999\r\n\r\n';
  socket.write(`${head}${JSON.stringify(row(0))}\n${JSON.stringify(row(1))}\n`);
  await once(socket, 'ready');
  socket.destroy();
  await ask(`${rig.url}/`);
  t.equal(rig.service.observations.length, 0);
});

t.test('lines that trickle in are taken when the body ends', async (t) => {
  const rig = await startRig(t);
  const socket = connect(rig.port, '127.0.0.1');
  const answer = readAll(socket);
  const type = 'Content-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n';
  socket.write(`POST /api/ingest/obs HTTP/1.1\r\nHost: localhost\r\n${type}\r\n`);
  const text = `${JSON.stringify(row(0))}\n${JSON.stringify(row(1))}\n`;
  for (const char of text) socket.write(`1\r\n${char}\r\n`);
  socket.write('0\r\n\r\n');
  t.match(parseRaw(await answer).body.data, { accepted: 2 });
});

t.test('splitting lines does not depend on the chunks', async (t) => {
  const seed = 7;
  t.comment(`seed ${seed}`);
  const line = fc.array(fc.constantFrom('a', 'é', ' ', '\r'), { maxLength: 12 }).map((parts) => parts.join(''));
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 12 }), fc.array(fc.nat(8), { maxLength: 80 }), async (lines, cuts) => {
      const bytes = Buffer.from(lines.join('\n'));
      async function* chunks(): AsyncGenerator<Buffer> {
        let at = 0;
        for (const cut of cuts) {
          yield bytes.subarray(at, at + cut);
          at += cut;
        }
        yield bytes.subarray(at);
      }
      // A line that is too long is told of even where it is blank: it is not kept to be looked at.
      const told = lines.filter((one) => one.trim() !== '' || Buffer.byteLength(one) > 16);
      const expected = told.map((one) => (Buffer.byteLength(one) > 16 ? null : one));
      const got: (string | null)[] = [];
      for await (const { index, bytes: found } of splitLines(chunks(), 16)) {
        if (index !== got.length) return false;
        got.push(found === null ? null : found.toString());
      }
      return JSON.stringify(got) === JSON.stringify(expected);
    }),
    { seed, numRuns: sized(500) },
  );
});
