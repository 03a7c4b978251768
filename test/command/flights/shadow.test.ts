import t from 'tap';
import { onlyInFull } from '../../support/basics/patience.ts';
import { AirTarget, type Turn } from '../../support/fleet/air_target.ts';
import { copterUp } from '../../support/fleet/air_up.ts';
import { moved, offset } from '../../support/vehicles/flight.ts';

onlyInFull(t);

const STANDOFF_M = 100;
const TEN_MINUTES_S = 600;
/** Half as fast again as what it follows, and a bit. */
const FAST = { cruise_speed_mps: 15, max_speed_mps: 24 };

/** What flies at 15 m/s, each in its own way, and within how many standoffs of it ours stays. */
const paths: Record<string, { within: number; turnAt: (tS: number) => Turn }> = {
  'flies round and round': { within: 3, turnAt: () => ({ rateDps: 6, speedMps: 15 }) },
  'turns now left, now right': { within: 3, turnAt: (tS) => ({ rateDps: tS % 40 < 25 ? 8 : -8, speedMps: 15 }) },
  // With a turn of 120° at nearly 1 g it is outrun for a while.
  'turns hard every half minute': { within: 4, turnAt: (tS) => ({ rateDps: tS % 30 < 4 ? 30 : 0, speedMps: 15 }) },
};

for (const [what, { within, turnAt }] of Object.entries(paths)) {
  t.test(`what ${what} is shadowed for ten minutes and never come too near to`, async (t) => {
    const { air, copter, id } = await copterUp(t, 40, { maxSpeedMps: 24 }, FAST);
    const middle = { lat: copter.body.lat, lon: copter.body.lon };
    const target = new AirTarget({ at: moved(middle, 260, 0), altHaeM: 650, turnAt });
    air.targets.push(target);
    await air.pass(2);
    const { command_id, task_id } = await air.command(id, 'shadow', { kind: 'track', track_id: target.id });
    let [nearest, farthest] = [Number.POSITIVE_INFINITY, 0];
    const apart = (): number => {
      const { north, east } = offset(copter.body, target.at);
      return Math.hypot(north, east);
    };
    air.watches.push(() => {
      nearest = Math.min(nearest, apart());
      if (copter.tS > 90) farthest = Math.max(farthest, apart());
    });
    await air.pass(TEN_MINUTES_S);
    t.comment(`between ${nearest.toFixed(0)} and ${farthest.toFixed(0)} m`);
    t.ok(nearest >= STANDOFF_M, `${nearest} m at the nearest`);
    t.ok(farthest <= within * STANDOFF_M, `${farthest} m at the farthest`);
    const task = air.task(task_id);
    t.notOk(['failed', 'done', 'rejected'].includes(task.state), task.reason ?? '');
    t.equal(task.breaches, 0);
    t.equal(task.command_id, command_id);
  });
}

t.test('a link that is late and loses every third datagram breaks no standoff', async (t) => {
  const { air, copter, id } = await copterUp(t, 40, { maxSpeedMps: 24 }, FAST);
  const turnAt = (tS: number): Turn => ({ rateDps: tS % 40 < 25 ? 8 : -8, speedMps: 15 });
  const target = new AirTarget({ at: moved(copter.body, 300, 0), altHaeM: 650, turnAt });
  air.targets.push(target);
  await air.pass(2);
  Object.assign(copter.link.faults, { loss: 0.3, delayMs: 300, seed: 11 });
  const { task_id } = await air.command(id, 'shadow', { kind: 'track', track_id: target.id });
  let nearest = Number.POSITIVE_INFINITY;
  air.watches.push(() => {
    const { north, east } = offset(copter.body, target.at);
    if (air.task(task_id).state === 'executing') nearest = Math.min(nearest, Math.hypot(north, east));
  });
  await air.pass(TEN_MINUTES_S);
  t.comment(`${nearest.toFixed(0)} m at the nearest`);
  t.ok(nearest >= STANDOFF_M, `${nearest} m`);
  const { state, reason } = air.task(task_id);
  t.equal(state, 'executing', reason ?? '');
});
