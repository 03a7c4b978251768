import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { onlyInFull, takeTime, until } from '../../support/basics/patience.ts';
import { FlightRig } from '../../support/daemon/flights.ts';
import { mainScript } from '../../support/daemon/program.ts';
import { linkOf } from '../../support/daemon/watch.ts';
import { freeUdpPort, SigningBox } from '../../support/links/signed_link.ts';
import { ArduCopter } from '../../support/vehicles/arducopter.ts';

onlyInFull(t);
takeTime(t, 240);

const passphrase = 'the heron stands in the reeds at dawn';
const key = createHash('sha256').update(passphrase).digest();

async function copterAt(t: Test, port: number): Promise<ArduCopter> {
  const copter = new ArduCopter({ groundStation: { host: '127.0.0.1', port }, key });
  t.teardown(() => copter.stop());
  await copter.start();
  return copter;
}

/** Whether any file below a folder has these bytes. */
function holds(folder: string, bytes: Buffer): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(bytes));
}

t.test('a vehicle is flown with the key of its link, loses its verbs with it, and finds them again', async (t) => {
  const box = await SigningBox.start(t, [
    '--link',
    'name=air,transport=udp,address=127.0.0.1:0,protocol=mavlink,command=allow,signing=required',
  ]);
  const { daemon } = box;
  const rig = new FlightRig(daemon, await daemon.port('air'));
  const { id, since } = await linkOf(daemon, 'air');
  const copter = await copterAt(t, rig.port);
  await until(async () => (await linkOf(daemon, 'air')).rejects.not_allowed > 2, 'it is refused');
  const without = await linkOf(daemon, 'air');
  t.match(without, { signing: 'required', signing_key: false, rx_msgs: 0, tx_msgs: 0, state: 'open' });
  t.match(without.last_error, /no key/);
  t.same(await rig.fleet(), [], 'nothing is believed');

  t.equal((await daemon.post(`/api/links/${id}/signing-key`, { passphrase })).status, 401, 'a secret takes a person');
  t.match(await box.setKey(id, { passphrase }), { signing_key: true, last_error: null });
  const assetId = await rig.adopt(copter, 'Heron');
  await rig.takeoff(assetId, 10);
  t.equal((await rig.fly(assetId, 'hold')).state, 'done');
  t.match(await linkOf(daemon, 'air'), { since, retries: 0 }, 'the link was never closed');

  await box.removeKey(id);
  const bare = await rig.row(
    (row) => row.asset_id === assetId && row.verbs.every((v) => !v.available),
    'no verb is left',
  );
  t.ok(bare.verbs.every(({ reason }) => reason === 'signing_missing'));
  t.match((await rig.post(assetId, 'hold')).body, { ok: false, error: /has no signing key: set a key/ });
  const sent = (await linkOf(daemon, 'air')).tx_msgs;
  await box.setKey(id, { key: Buffer.alloc(32, 9).toString('base64') });
  await rig.row((row) => row.verbs.some(({ reason }) => reason === 'link_down'), 'with another key it is not heard');
  await box.setKey(id, { key: key.toString('hex').toUpperCase() });
  await rig.able(assetId, 'hold');
  t.ok((await linkOf(daemon, 'air')).tx_msgs > sent);
  t.equal((await rig.fly(assetId, 'return_home', undefined, { withinMs: 120_000 })).state, 'done');

  await until(
    async () => JSON.stringify(await daemon.get('/api/events?limit=500')).includes('signing_key_set'),
    'audited',
  );
  const told = JSON.stringify([
    await daemon.get('/api/links'),
    await daemon.get('/api/events?limit=500'),
    daemon.lines,
  ]);
  const backup = join(box.folder, 'backup');
  execFileSync(process.execPath, [mainScript, 'backup', backup, '--data', daemon.dataDir]);
  for (const form of [key.toString('hex'), key.toString('base64'), passphrase]) {
    t.notOk(told.includes(form), 'neither an answer nor a line of the log has it');
    t.same(holds(box.folder, Buffer.from(form)), []);
  }
  t.same(holds(box.folder, key), [], 'nor any file, backups included');
});

t.test('on a link with another key that demands none, a vehicle is heard as unsigned and obeys nothing', async (t) => {
  const box = await SigningBox.start(t);
  const port = await freeUdpPort();
  const link = await box.link({ address: `127.0.0.1:${port}` });
  const rig = new FlightRig(box.daemon, port);
  await copterAt(t, port);
  await box.setKey(link.id, { key: '42'.repeat(32) });
  await rig.row(({ sysid }) => sysid === 1, 'it is heard');
  await until(async () => (await linkOf(box.daemon, 'air')).tx_msgs > 15, 'it is asked again and again');
  t.match(await rig.fleet(), [{ position: null }], 'and does nothing of it');
  t.match(await linkOf(box.daemon, 'air'), { rejects: { not_allowed: 0 } });
  await box.setKey(link.id, { passphrase });
  await rig.row(({ position }) => position !== null, 'with the right key it does what it is asked');
  await box.daemon.post(`/api/links/${link.id}`, { signing: 'required' });
  await until(async () => (await linkOf(box.daemon, 'air')).rx_msgs > 5, 'the key stays where the link is changed');
  t.equal((await linkOf(box.daemon, 'air')).rejects.not_allowed, 0);
});
