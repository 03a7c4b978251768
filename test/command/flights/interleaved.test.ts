import fc from 'fast-check';
import t from 'tap';
import { flyingOf } from '../../../src/app/flying.ts';
import type { CommandParams } from '../../../src/model/verb.ts';
import { onlyInFull, takeTime } from '../../support/basics/patience.ts';
import { seedOf } from '../../support/basics/seed.ts';
import { timesOf } from '../../support/basics/size.ts';
import { asked } from '../../support/fleet/air.ts';
import { place } from '../../support/fleet/air_up.ts';
import {
  copterKind,
  type FlownKind,
  type Flying,
  type OtherMode,
  planeKind,
  px4Kind,
} from '../../support/fleet/flown_kinds.ts';
import { moved } from '../../support/vehicles/flight.ts';
import { OtherStation } from '../../support/vehicles/other_station.ts';
import { fieldsOf, Hands } from './hands.ts';

onlyInFull(t);
takeTime(t, 300);

const ours = fc.constantFrom('goto', 'orbit', 'hold', 'return_home', 'land', 'set_speed', 'stop_all', 'cancel');
const taking = fc.constantFrom('other rtl', 'other land', 'other pilot', 'failsafe 0', 'failsafe 1', 'failsafe 2');
type Link = { loss: number; delayMs: number; downS: number };
type Step = { what: string; north: number; east: number; waitMs: number; link: Link };
const link = fc.record({
  loss: fc.constantFrom(0, 0, 0.2, 0.5),
  delayMs: fc.constantFrom(0, 0, 100, 800),
  downS: fc.constantFrom(0, 0, 0, 2, 7),
});
const stepOf = (what: fc.Arbitrary<string>): fc.Arbitrary<Step> =>
  fc.record({
    what,
    north: fc.integer({ min: -400, max: 400 }),
    east: fc.integer({ min: -400, max: 400 }),
    waitMs: fc.oneof(fc.integer({ min: 0, max: 1_500 }), fc.integer({ min: 0, max: 15_000 })),
    link,
  });

/** The link while our order is sent: as it comes; good, so that the order is on its way; or the order is lost. */
const sending = fc.oneof(
  fc.record({ waitMs: fc.integer({ min: 300, max: 12_000 }), link: fc.constant(null) }),
  fc.record({ waitMs: fc.integer({ min: 300, max: 12_000 }), link: fc.constant({ loss: 0, delayMs: 100, downS: 0 }) }),
  fc.record({ waitMs: fc.integer({ min: 0, max: 600 }), link: fc.constant({ loss: 1, delayMs: 0, downS: 0 }) }),
);
const lasting = (what: fc.Arbitrary<string>) => fc.record({ one: stepOf(what), sending });

/**
 * Orders of ours, of which one goes on when another takes the vehicle or sends it elsewhere. By chance alone that is rare: there
 * is little that we may order once another has the vehicle, and places are reported in the place mode alone.
 */
function stepsFor({ reportsTargets }: FlownKind): fc.Arbitrary<Step[]> {
  const places = fc.constantFrom('goto', 'orbit', 'orbit');
  const goingOn = lasting(fc.oneof(places, fc.constantFrom('hold', 'return_home', 'land')));
  const elsewhere = fc.tuple(lasting(places), stepOf(fc.constant('elsewhere')));
  const taken = fc.tuple(goingOn, stepOf(taking));
  const pair = reportsTargets ? fc.oneof(elsewhere, taken) : taken;
  const theirs = fc.oneof(taking, fc.constant('elsewhere'));
  const any = stepOf(fc.oneof({ weight: 3, arbitrary: ours }, { weight: 1, arbitrary: theirs }));
  return fc
    .tuple(fc.array(stepOf(ours), { maxLength: 1 }), pair, fc.array(any, { maxLength: 3 }))
    .map(([before, [{ one, sending }, other], after]): Step[] => [
      ...before,
      { ...one, ...sending, link: sending.link ?? one.link },
      {
        ...other,
        waitMs: other.waitMs + 4_000,
        link: sending.link ? { ...other.link, loss: 0, downS: 0 } : other.link,
      },
      ...after,
    ]);
}

function paramsOf({ what, north, east }: Step, { vehicle }: Flying, kind: FlownKind): CommandParams | undefined {
  const to = moved(vehicle.body, north, east);
  if (what === 'goto') return place(to, kind.heightM);
  if (what === 'orbit') return { kind: 'point', ...to, height_takeoff_m: kind.heightM, radius_m: kind.radiusM };
  return what === 'set_speed' ? { kind: 'value', speed_mps: kind === planeKind ? 20 : 6 } : undefined;
}

async function command(up: Flying, hands: Hands, kind: FlownKind, one: Step): Promise<void> {
  const { air, id } = up;
  const { service } = air.rig.side;
  const { reportedMode } = hands;
  if (one.what === 'cancel') {
    const task = service.taskOf(id);
    if (task) await air.settled(service.cancel(task.id, null, asked.by).catch(() => {}));
    return;
  }
  if (one.what === 'stop_all') {
    const keepsMode = reportedMode !== null && kind.notHeld.has(reportedMode);
    // A person's order to stop takes back the vehicle of another station, but for the modes that it keeps.
    if (!keepsMode) hands.decided();
    const stopping = flyingOf(air.rig.side).holdAll(asked.by, 'a test');
    const [row] = await air.settled(stopping);
    if (row?.held && keepsMode) throw new Error(`stop_all replaced mode ${reportedMode}`);
    return;
  }
  const params = paramsOf(one, up, kind);
  const body = { verb: one.what, ...(params ? { params } : {}) };
  // What a person commands is a decision: it may take the vehicle back. A verb that is refused sends nothing.
  const isLet = air.verb(id, one.what as 'hold')?.available === true;
  if (isLet) hands.decided();
  await air.settled(service.command(id, body, asked).catch(() => {}));
  if (one.what === 'hold' && isLet && reportedMode !== null && kind.notHeld.has(reportedMode)) {
    throw new Error(`hold replaced mode ${reportedMode}`);
  }
}

async function play(up: Flying, hands: Hands, kind: FlownKind, one: Step): Promise<void> {
  const { vehicle } = up;
  const { what } = one;
  if (what === 'elsewhere') {
    if (!kind.reportsTargets) return;
    const to = { ...moved(vehicle.body, one.north, one.east), altM: kind.heightM };
    new OtherStation(vehicle).reposition(to);
    hands.place(to);
  } else if (what.startsWith('other')) {
    const mode = kind.modes[what.slice('other '.length) as OtherMode];
    if (mode === undefined) return;
    kind.choose(vehicle, mode);
    hands.mode(mode);
  } else if (what.startsWith('failsafe')) {
    const its = kind.failsafes[Number(what.at(-1)) % kind.failsafes.length];
    if (!its) return;
    kind.failsafe(vehicle, its);
    hands.mode(its.mode);
  } else await command(up, hands, kind, one);
}

for (const [kind, numRuns] of [
  [copterKind, timesOf({ usual: 20, full: 30 })],
  [planeKind, timesOf({ usual: 12, full: 20 })],
  [px4Kind, timesOf({ usual: 12, full: 20 })],
] as const)
  t.test(`nothing of ours changes what another ordered, once ${kind.name} has reported it`, async (t) => {
    const seed = seedOf(t);
    let reports = 0;
    const runs = fc.asyncProperty(stepsFor(kind), async (steps) => {
      const up = await kind.up(t);
      const { air, vehicle } = up;
      const hands = new Hands(up, kind);
      const way = air.links.get('air');
      if (!way) throw new Error('there is no link');
      const transmit = way.link.transmit.bind(way.link);
      let thrown: unknown = null;
      way.link.transmit = async (payload, to) => {
        try {
          hands.sent(fieldsOf(payload.msgid, payload.payload));
        } catch (wrong) {
          thrown ??= wrong;
        }
        await transmit(payload, to);
      };
      for (const one of steps) {
        const { downS, ...faults } = one.link;
        Object.assign(vehicle.link.faults, faults);
        await play(up, hands, kind, one);
        await air.pass(one.waitMs / 2_000);
        vehicle.link.down = downS > 0;
        await air.pass(downS);
        vehicle.link.down = false;
        await air.pass(one.waitMs / 2_000);
        if (thrown) throw thrown;
      }
      Object.assign(vehicle.link.faults, { loss: 0, delayMs: 0 });
      await air.pass(15);
      if (thrown) throw thrown;
      reports += hands.reports;
      vehicle.stop();
    });
    await fc.assert(runs, { seed, numRuns, endOnFailure: true });
    t.comment(`another was reported ${reports} times`);
    t.ok(reports > numRuns / 5, `${reports} times`);
  });
