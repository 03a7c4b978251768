import { join } from 'node:path';
import Database from 'better-sqlite3';
import t from 'tap';
import { encodeFrame } from '../../src/edge/wire/mavlink/encode.ts';
import { messageIds } from '../../src/edge/wire/mavlink/known.ts';
import { signingTimestamp } from '../../src/edge/wire/mavlink/signing_clock.ts';
import { onlyInFull, takeTime } from '../support/basics/patience.ts';
import { startDaemon, until } from '../support/daemon/daemon.ts';
import { firstOwner } from '../support/daemon/signed_in.ts';
import { linkOf } from '../support/daemon/watch.ts';
import { BareVehicle, freeUdpPort, SigningBox } from '../support/links/signed_link.ts';
import { isSignedWith } from '../support/vehicles/messages.ts';

onlyInFull(t);
takeTime(t, 240);

const key = Buffer.alloc(32, 0x5a);
const S = 100_000;
const now = (): number => signingTimestamp(Date.now());
const timestampOf = (frame: Buffer): number => frame.readUIntLE(frame.length - 12, 6);

type Row = { last: number; floor: number; number: number; streams: string };

/** What is kept of signing, read beside the daemon or while none runs. */
function keptOf(box: SigningBox): Row[] {
  const db = new Database(join(box.folder, 'data', 'state.db'), { readonly: true });
  try {
    return db.prepare<[], Row>('SELECT last, floor, number, streams FROM link_signing').all();
  } finally {
    db.close();
  }
}

t.test('what is unsigned or replayed is refused, also by the run after one that was killed', async (t) => {
  const box = await SigningBox.spawn(t);
  const port = await freeUdpPort();
  const { id } = await box.link({ address: `127.0.0.1:${port}`, signing: 'required' });
  await box.setKey(id, { key: key.toString('hex') });
  const vehicle = new BareVehicle(t, port);
  const began = now();
  const first = vehicle.beat({ key, timestamp: began });
  await vehicle.send(first);
  await box.counted(1, 0);
  await vehicle.send(first);
  await vehicle.send(vehicle.beat());
  await vehicle.send(vehicle.beat({ key: Buffer.alloc(32, 1), timestamp: began + S }));
  await box.counted(1, 3);
  await vehicle.send(
    encodeFrame({ sysid: 51, compid: 68, seq: 1, msgid: messageIds.radioStatus, payload: Buffer.alloc(9) }),
  );
  await box.counted(2, 3);
  await until(async () => keptOf(box).some(({ streams }) => streams.length > 2), 'it is on the disk');
  const late = vehicle.beat({ key, timestamp: began + 3 * S });
  await vehicle.send(late);
  await box.counted(3, 3);

  await box.restart(t, 'SIGKILL');
  t.match(await linkOf(box.daemon, 'air'), { signing: 'required', signing_key: true, last_error: null });
  for (const frame of [first, late]) await vehicle.send(frame);
  await box.counted(0, 2);
  await vehicle.send(vehicle.beat({ key, timestamp: began + 41 * S }));
  await box.counted(1, 2);

  await box.restart(t, 'SIGTERM');
  await vehicle.send(vehicle.beat({ key, timestamp: began + 41 * S }));
  await box.counted(0, 1);
  await vehicle.send(vehicle.beat({ key, timestamp: began + 41 * S + 1 }));
  await box.counted(1, 1);

  await box.restart(t, 'SIGTERM', () => box.loseSealingKey());
  await vehicle.send(vehicle.beat({ key, timestamp: began + 50 * S }));
  const keyless = await box.counted(0, 1);
  t.match(keyless, { signing_key: false, last_error: /cannot be used.*another key/ });
  await box.setKey(id, { key: key.toString('base64url') });
  await vehicle.send(vehicle.beat({ key, timestamp: began + 51 * S }));
  t.match(await box.counted(1, 1), { signing_key: true });
});

t.test('what we sign is later than all that former runs signed, whatever the wall clock says', async (t) => {
  const box = await SigningBox.spawn(t);
  const port = await freeUdpPort();
  const { id } = await box.link({ address: `127.0.0.1:${port}` });
  await box.setKey(id, { key: key.toString('hex') });
  const vehicle = new BareVehicle(t, port);
  const next = async (count: number): Promise<Buffer[]> => {
    vehicle.heard.length = 0;
    await until(async () => {
      await vehicle.send(vehicle.beat({ key, timestamp: now() }));
      return vehicle.heard.length >= count;
    }, 'we say something');
    return [...vehicle.heard];
  };
  let last = 0;
  const later = (frames: Buffer[]): void => {
    for (const frame of frames) {
      t.ok(isSignedWith(frame, key));
      t.equal(frame[frame.length - 13], 1, 'under the number of the link');
      t.ok(timestampOf(frame) > last, `${timestampOf(frame)} is later than ${last}`);
      last = timestampOf(frame);
    }
  };
  later(await next(3));
  await box.restart(t, 'SIGKILL');
  later(await next(3));
  const ahead = now() + 365 * 86_400 * S;
  // As if the wall clock had been a year ahead in the run before, and had been set back since.
  await box.restart(t, 'SIGTERM', () => {
    const db = new Database(join(box.folder, 'data', 'state.db'));
    db.prepare('UPDATE link_signing SET last = ?').run(ahead);
    db.close();
  });
  last = ahead;
  later(await next(3));
  await box.restart(t, 'SIGKILL');
  later(await next(3));
  t.ok(last < ahead + 60 * S, 'a kill costs seconds');
});

t.test('what a link signs with goes with it', async (t) => {
  const box = await SigningBox.spawn(t);
  const first = await box.link({});
  const second = await box.link({ name: 'other' });
  await box.setKey(first.id, { key: key.toString('hex') });
  await box.setKey(second.id, { key: key.toString('hex') });
  t.same(
    keptOf(box)
      .map(({ number }) => number)
      .sort(),
    [1, 2],
    'links of one key are told apart',
  );
  t.equal((await box.daemon.request(`/api/links/${first.id}`, { method: 'DELETE' })).status, 200);
  t.same(
    keptOf(box).map(({ number }) => number),
    [2],
  );
  const { body } = await box.daemon.request('/api/events?limit=200');
  t.notOk(JSON.stringify(body).includes(key.toString('hex')));
  t.match(await box.anna.ask('DELETE', `/v1/links/${first.id}/signing-key`), { status: 404 });
  await box.removeKey(second.id);
  t.match(await box.anna.ask('DELETE', `/v1/links/${second.id}/signing-key`), { status: 404 });
  t.equal((await linkOf(box.daemon, 'other')).signing_key, false);
});

t.test('what is no key, and where none can be kept, is refused without saying it again', async (t) => {
  const box = await SigningBox.spawn(t);
  const link = await box.link({});
  const nmea = await box.link({ name: 'gps', protocol: 'nmea', command: 'deny' });
  const refused = async (id: string, body: object, status: number): Promise<void> => {
    const answer = await box.anna.ask('POST', `/v1/links/${id}/signing-key`, body);
    t.equal(answer.status, status, answer.text);
    for (const value of Object.values(body)) if (`${value}`.length > 8) t.notOk(answer.text.includes(`${value}`));
  };
  await refused(link.id, {}, 400);
  await refused(link.id, { key: 'ab'.repeat(31) }, 400);
  await refused(link.id, { key: '00'.repeat(32) }, 400);
  await refused(link.id, { passphrase: '' }, 400);
  await refused(link.id, { key: key.toString('hex'), passphrase: 'a long sentence' }, 400);
  await refused(nmea.id, { key: key.toString('hex') }, 400);
  await refused('11111111-2222-4333-8444-555555555555', { key: key.toString('hex') }, 404);
  const answer = await box.daemon.post('/api/links', {
    ...{ name: 'x', transport: 'udp', address: '127.0.0.1:0', protocol: 'sbs', signing: 'required' },
  });
  t.match([answer.status, answer.body.error], [400, /sbs cannot be signed/]);
  const bare = await startDaemon(t, { args: ['--link', 'name=a,transport=udp,address=127.0.0.1:0,protocol=mavlink'] });
  const otto = await firstOwner(t, bare, 'otto');
  const path = `/v1/links/${(await linkOf(bare, 'a')).id}/signing-key`;
  t.match(await otto.ask('POST', path, { passphrase: 'a long sentence' }), {
    status: 503,
    body: { code: 'not_configured' },
  });
});
