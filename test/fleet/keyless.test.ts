import t from 'tap';
import { Air } from '../support/fleet/air.ts';
import { ArduCopter } from '../support/vehicles/arducopter.ts';

t.test('a vehicle that signs while the link has no key says so, and is not ready', async (t) => {
  const air = new Air(t);
  const { address } = await air.link();
  const key = Buffer.alloc(32, 7);
  const copter = new ArduCopter({ groundStation: address, manual: true, ready: true, key });
  const id = await air.adopt(copter, 'Heron');
  const row = air.row(id);
  t.match(row, { connection: 'online', readiness: 'not_ready' });
  t.ok(row.verbs.length > 0);
  for (const { verb, available, reason, text } of row.verbs) {
    t.match({ available, reason }, { available: false, reason: 'signing_missing' }, verb);
    t.match(
      text,
      new RegExp(`^${verb} is not available on Heron: the vehicle signs .* set its signing key on the link`),
    );
  }
  t.ok(row.health.some(({ text }) => /set its signing key/.test(text)));
});

t.test('a vehicle that signs and answers all the same can be commanded', async (t) => {
  const air = new Air(t);
  const { address } = await air.link();
  const copter = new ArduCopter({
    groundStation: address,
    manual: true,
    ready: true,
    key: Buffer.alloc(32, 7),
    obeysUnsigned: true,
  });
  const id = await air.adopt(copter, 'Heron');
  await air.until(() => air.verb(id, 'takeoff')?.available === true, 20);
  t.equal(air.row(id).readiness, 'ready');
});
