import t, { type Test } from 'tap';
import type { Payload } from '../../src/edge/wire/mavlink/write.ts';
import type { MavlinkGlobalPosition, MavlinkHeartbeat } from '../../src/edge/wire/message.ts';
import type { FleetLink } from '../../src/fleet/deps.ts';
import type { Fleet } from '../../src/fleet/fleet.ts';
import { onlyInFull } from '../support/basics/patience.ts';
import { type FleetRig, openFleet } from '../support/fleet/registry_fleet.ts';
import { openRegistry } from '../support/registry/registry.ts';

onlyInFull(t);

const AIR = '1b6f1f1a-52e1-5a0e-8d5f-000000000011';
const OPEN = '1b6f1f1a-52e1-5a0e-8d5f-000000000012';
const OURS = '10.0.0.7:14550';
const person = { type: 'user', id: 'u1', name: 'anna', address: null } as const;
const policy = { discover: 'list', command: 'allow', reason: null } as const;
const links: Record<string, FleetLink> = {
  [AIR]: { policy, signing: 'none', provesSender: true },
  [OPEN]: { policy, signing: 'none', provesSender: false },
};

type Who = { sysid?: number; compid?: number; type?: number; autopilot?: number; baseMode?: number };

function heartbeat({ sysid = 7, compid = 1, type = 2, autopilot = 3, baseMode = 217 }: Who = {}): MavlinkHeartbeat {
  return {
    ...{ kind: 'heartbeat', sysid, compid, seq: 0, signed: false, type, autopilot, baseMode, customMode: 4 },
    ...{ systemStatus: 4, mavlinkVersion: 3 },
  };
}

function position(timeBootMs: number, sysid = 7): MavlinkGlobalPosition {
  return {
    ...{ kind: 'global_position', sysid, compid: 1, seq: 0, signed: false, timeBootMs, latDeg: 52.1, lonDeg: 4.2 },
    ...{ altMslM: 49, relativeAltM: 45, vNorthMps: 0, vEastMps: 0, vDownMps: 0, headingDeg: 0 },
  };
}

class Sky {
  nowMs = 1_000_000;
  readonly rig: FleetRig;
  readonly fleet: Fleet;
  readonly sent: { linkId: string; to: string; payload: Payload }[] = [];
  readonly #assets: ReturnType<typeof openRegistry>['registry'];

  constructor(t: Test) {
    const registry = openRegistry(t);
    this.#assets = registry.registry;
    registry.registry.discovery.set(true, person);
    this.rig = openFleet(registry, {
      nowMs: () => this.nowMs,
      link: (id) => links[id] ?? null,
      transmit: async (linkId, payload, to) => void this.sent.push({ linkId, to, payload }),
    });
    this.fleet = this.rig.fleet;
  }

  /** The vehicle of ours speaks for so many seconds, and somebody else with it. */
  pass(seconds: number, besides: () => void = () => {}): void {
    for (let left = seconds * 4; left > 0; left--) {
      this.nowMs += 250;
      this.fleet.take(AIR, heartbeat(), OURS, this.nowMs);
      this.fleet.take(AIR, position(this.nowMs - 900_000), OURS, this.nowMs);
      besides();
      this.fleet.tick();
    }
  }

  /** Ours, bound to an asset. */
  adopt(): string {
    this.pass(4);
    const { id } = this.#assets.assets.create({ name: 'Heron', spec: {} }, person);
    this.#assets.assets.bind(id, { key: this.fleet.rows()[0]?.key ?? '' }, person);
    this.pass(2);
    return id;
  }

  why(id: string): string | null | undefined {
    return this.row(id)?.verbs.find(({ verb }) => verb === 'goto')?.reason;
  }

  row(id: string) {
    return this.fleet.rows().find(({ asset_id }) => asset_id === id);
  }
}

t.test('however many strangers there are on another link, what is ours stays what it is', async (t) => {
  const sky = new Sky(t);
  const id = sky.adopt();
  t.equal(sky.why(id), null);
  let stranger = 0;
  const seen = new Set<string>();
  sky.pass(10, () => {
    for (let many = 0; many < 200; many++, stranger++) {
      const from = `10.0.${(stranger >> 8) & 255}.${stranger & 255}:${20_000 + (stranger % 7)}`;
      sky.fleet.take(OPEN, heartbeat({ sysid: 20 + (stranger % 200) }), from, sky.nowMs);
    }
    const why = sky.why(id);
    if (why) seen.add(why);
  });
  t.strictSame([...seen], []);
  t.notOk(sky.rig.told.notes.includes('fleet.restarted'));
  t.ok(sky.fleet.vehicles().length <= 256);
});

t.test('a system that says that it is system 0 is none: what is told to it all would obey', async (t) => {
  const sky = new Sky(t);
  sky.pass(6, () => {
    sky.fleet.take(AIR, heartbeat({ sysid: 0 }), '10.0.0.9:14550', sky.nowMs);
    sky.fleet.take(AIR, heartbeat({ sysid: 9, compid: 0 }), '10.0.0.10:14550', sky.nowMs);
  });
  t.strictSame(
    sky.fleet.rows().map(({ sysid }) => sysid),
    [7],
  );
  const to = sky.sent.filter(({ payload }) => payload.msgid === 76).map(({ payload }) => payload.payload[30]);
  t.notOk(to.includes(0));
});

t.test('a vehicle with the system id that is ours is not told anything', async (t) => {
  const sky = new Sky(t);
  sky.pass(6, () => sky.fleet.take(AIR, heartbeat({ sysid: 245 }), '10.0.0.9:14550', sky.nowMs));
  const vehicle = sky.fleet.vehicles().find(({ sysid }) => sysid === 245);
  t.match(vehicle && sky.fleet.standing(vehicle).conflict, /245/);
});

t.test('another component of a vehicle that speaks as an autopilot does not put it on the ground', async (t) => {
  const sky = new Sky(t);
  const id = sky.adopt();
  const seen = new Set<boolean | null | undefined>();
  sky.pass(6, () => {
    sky.fleet.take(AIR, heartbeat({ compid: 191, type: 0, autopilot: 0, baseMode: 0 }), OURS, sky.nowMs);
    seen.add(sky.row(id)?.armed);
  });
  t.strictSame([...seen], [true]);
  t.match(sky.row(id), { autopilot: 'ardupilot', vehicle_type: 'multirotor', compid: 1 });
});

t.test(
  'who does not sign is no rival of a vehicle that does, and takes its place only once that is gone',
  async (t) => {
    const sky = new Sky(t);
    const signed = () => sky.fleet.take(OPEN, { ...heartbeat({ sysid: 8 }), signed: true }, '10.0.0.8:1', sky.nowMs);
    const liar = () => sky.fleet.take(OPEN, heartbeat({ sysid: 8 }), '10.0.0.9:1', sky.nowMs);
    sky.pass(4, signed);
    const vehicle = sky.fleet.vehicles().find(({ sysid }) => sysid === 8);
    if (!vehicle) throw new Error('it is not heard');
    sky.pass(6, () => {
      signed();
      liar();
    });
    t.equal(sky.fleet.standing(vehicle).conflict, null);
    sky.pass(5, liar);
    t.match(vehicle.endpoints.on(OPEN), { from: '10.0.0.8:1' });
    sky.pass(8, liar);
    t.match(vehicle.endpoints.on(OPEN), { from: '10.0.0.9:1' });
    t.notOk(sky.fleet.isProven(vehicle));
  },
);

t.test('an autopilot that is heard after another component of it is the vehicle', async (t) => {
  const sky = new Sky(t);
  sky.fleet.take(AIR, heartbeat({ compid: 191, type: 0, autopilot: 0, baseMode: 0 }), OURS, sky.nowMs);
  sky.pass(6);
  t.match(sky.fleet.rows(), [{ compid: 1, armed: true }]);
  t.equal(sky.fleet.rows().length, 1);
});

t.test('who uses our system id on a link that anybody may speak on stops nobody elsewhere', async (t) => {
  const sky = new Sky(t);
  const id = sky.adopt();
  const station = () => sky.fleet.take(OPEN, heartbeat({ sysid: 245, type: 6, autopilot: 8 }), '10.0.0.9:1', sky.nowMs);
  sky.pass(6, station);
  t.equal(sky.why(id), null);
  sky.pass(6, () => sky.fleet.take(AIR, heartbeat({ sysid: 245, type: 6, autopilot: 8 }), '10.0.0.9:1', sky.nowMs));
  t.equal(sky.why(id), 'id_conflict', 'and stops those on its own link');
});

t.test('two that speak with one system id from one address are told from one by when they started', async (t) => {
  const sky = new Sky(t);
  const id = sky.adopt();
  sky.rig.told.notes.length = 0;
  sky.pass(8, () => sky.fleet.take(AIR, position(sky.nowMs - 300_000), OURS, sky.nowMs));
  t.equal(sky.why(id), 'id_conflict');
  const restarts = sky.rig.told.notes.filter((kind) => kind === 'fleet.restarted').length;
  t.ok(restarts <= 2, `${restarts} starts were told`);
  sky.pass(15);
  t.equal(sky.why(id), null, 'and not for longer');
});

t.test('what becomes another kind of vehicle without a start is told nothing for a while', async (t) => {
  const sky = new Sky(t);
  const id = sky.adopt();
  sky.pass(5, () => sky.fleet.take(AIR, heartbeat({ type: 1 }), OURS, sky.nowMs));
  t.equal(sky.why(id), 'id_conflict');
  sky.pass(15);
  t.equal(sky.why(id), null);
});

t.test('one that claims a vehicle does not end it by speaking as another component of it', async (t) => {
  const sky = new Sky(t);
  const [own, claimant] = ['10.0.0.5:1', '10.0.0.6:1'];
  sky.pass(4, () => {
    sky.fleet.take(AIR, heartbeat({ sysid: 9, compid: 5 }), own, sky.nowMs);
    sky.fleet.take(AIR, { ...position(sky.nowMs - 900_000, 9), compid: 5 }, own, sky.nowMs);
    if (sky.nowMs < 1_002_000) return;
    sky.fleet.take(AIR, { ...position(sky.nowMs, 9), compid: 5 }, claimant, sky.nowMs);
    sky.fleet.take(AIR, heartbeat({ sysid: 9, compid: 1 }), claimant, sky.nowMs);
  });
  const vehicle = sky.fleet.vehicles().find(({ sysid, compid }) => sysid === 9 && compid === 5);
  t.equal(vehicle?.firstMs, 1_000_250, 'it is the one that was heard first');
});
