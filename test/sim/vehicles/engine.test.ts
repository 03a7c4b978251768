import t from 'tap';
import { createMavlinkCodec } from '../../../src/edge/wire/mavlink/codec.ts';
import { MavlinkEncoder } from '../../../src/edge/wire/mavlink/encode.ts';
import type { Payload } from '../../../src/edge/wire/mavlink/write.ts';
import { scenarioSpecSchema } from '../../../src/model/scenario.ts';
import { Engine } from '../../../src/sim/runs/engine.ts';
import { onlyInFull } from '../../support/basics/patience.ts';
import { Air, type AirVehicle } from '../../support/fleet/air.ts';
import { place } from '../../support/fleet/air_up.ts';
import { at, GROUND_HAE_M, ORIGIN } from '../../support/sim/simulated_vehicle.ts';

onlyInFull(t);

const scenario = scenarioSpecSchema.parse({
  name: 'two of ours',
  duration_s: 600,
  starts_at: '1970-01-01T00:16:40.000Z',
  origin: { ...ORIGIN, alt_hae_m: GROUND_HAE_M },
  wind: { speed_mps: 5, from_deg: 240, gusts_mps: 4 },
  actors: [
    { id: 'heron', kind: 'asset', start: { east_m: 0, north_m: 0 }, mavlink: {}, remote_id: {} },
    { id: 'kite', kind: 'asset', start: { east_m: 120, north_m: 0 }, mavlink: { autopilot: 'px4' } },
    { id: 'intruder', kind: 'drone', start: { east_m: 900, north_m: 900, height_m: 60 } },
  ],
  sensors: [],
});

/** The engine's vehicles on the links of a test, as the world joins them. */
class Flown implements AirVehicle {
  readonly sysid: number;
  readonly killedByNaN = null;
  readonly crashed = false;
  readonly #tick: (dtS: number) => void;

  constructor(sysid: number, tick: () => void = () => {}) {
    this.sysid = sysid;
    this.#tick = tick;
  }

  async start(): Promise<void> {}
  stop(): void {}

  tick(dtS: number): void {
    this.#tick(dtS);
  }
}

t.test('orders reach our vehicles through the engine, each its own, and the truth is what they fly', async (t) => {
  const air = new Air(t);
  const engine = new Engine(scenario, 7, { performanceOf: () => null });
  t.same(
    engine.links.map(({ name, command }) => [name, command]),
    engine.vehicles.map(({ link }) => [link, 'allow']),
  );
  const codecs = new Map(engine.vehicles.map(({ link }) => [link, createMavlinkCodec({ datagrams: true })]));
  for (const { link } of engine.vehicles) {
    const encoder = new MavlinkEncoder({ sysid: 245, compid: 190 });
    const transmit = async (payload: Payload): Promise<void> =>
      engine.write(link, undefined, encoder.encode(payload), air.nowMs);
    air.linkTo(link, { transmit });
  }
  const advance = (): void => {
    for (const { link, from, bytes, atMs } of engine.advance(air.nowMs)) {
      codecs.get(link)?.decode(bytes, from, atMs, (message) => air.rig.fleet.take(link, message, from, air.nowMs));
    }
  };
  const [heron, kite] = engine.vehicles;
  if (!heron || !kite) throw new Error('there are two');
  t.same([heron.sysid, kite.sysid], [1, 2]);
  const first = await air.adopt(new Flown(heron.sysid, advance), 'Heron');
  const second = await air.adopt(new Flown(kite.sysid), 'Kite');
  const truth = (id: string) => {
    const point = engine.truth().find((one) => one.id === id);
    if (!point) throw new Error(`there is no ${id}`);
    return point;
  };
  t.equal(air.row(first).key, heron.serial, 'it is known by the serial that its scenario was given');
  await air.takeoff(first, 25);
  t.ok(truth('heron').airborne);
  t.notOk(truth('kite').airborne);
  await air.takeoff(second, 25);
  const to = at(150, 200);
  const went = await air.fly(second, 'goto', place(to, 35), 120);
  t.equal(went.state, 'done', went.reason ?? '');
  await air.pass(5);
  let farthest = 0;
  air.watches.push(() => {
    const { latDeg, lonDeg } = truth('kite');
    const [north, east] = [(latDeg - to.lat) * 111_270, (lonDeg - to.lon) * 111_320 * Math.cos((52 * Math.PI) / 180)];
    farthest = Math.max(farthest, Math.hypot(north, east));
  });
  await air.pass(60);
  t.ok(farthest < 2, `${farthest} m off, in gusts`);
  const { altHaeM } = truth('kite');
  t.ok(Math.abs(altHaeM - GROUND_HAE_M - 35) < 2, `${altHaeM}`);
});
