import fc from 'fast-check';
import { blankObservation } from '../../src/edge/feed/blank.ts';
import { type Observation, reports } from '../../src/model/observation.ts';
import { mac, serial } from '../support/core/observation.ts';

const nonsense = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.MAX_VALUE, -Number.MAX_VALUE];
const small = [0, -0, Number.MIN_VALUE, -1e-9, 1e-9];

/** Mostly one of these or null; else what is no sound number. */
const number = (...sound: number[]): fc.Arbitrary<number | null> =>
  fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom(...sound) },
    { weight: 2, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constantFrom(...nonsense, ...small) },
  );
const identity = fc.constantFrom(
  serial(''),
  ...['1', '2', '3'].flatMap((name) => [serial(`H-${name}`), mac(`HH:${name}`)]),
);

const lineage = fc.record({
  sensorId: fc.constantFrom('', 'a', 'b'),
  nodeId: fc.constantFrom('', 'n'),
  objectId: fc.constantFrom(null, '', '1', '2'),
  identity: fc.constantFrom(null, 'H-1'),
  derivedFrom: fc.array(fc.record({ nodeId: fc.constant('n'), objectId: fc.constantFrom('1', '2') }), { maxLength: 3 }),
});

/**
 * Observations that no source should make: values that are absurd, times in no order, names told again and again. Every
 * readable position is 10 km and more from 47 N 8 E, so no observation is a plausible report of the real flights there.
 */
export const hostileObservation = (nowMs: number, sensorIds: readonly string[]): fc.Arbitrary<Observation> =>
  fc
    .record({
      sensorId: fc.constantFrom(...sensorIds),
      report: fc.constantFrom(...reports),
      receivedMs: fc.constantFrom(...often(nowMs, 12), nowMs - 60_000, Number.NaN, Number.NEGATIVE_INFINITY),
      timeMs: fc.constantFrom(
        ...often(nowMs, 12),
        nowMs - 2_900,
        nowMs + 1_900,
        nowMs - 60_000,
        -1e15,
        1e18,
        ...nonsense,
      ),
      latDeg: number(46.9, 46.9001, 47.1, 47.2, 90, -90, 90.0001),
      lonDeg: number(7.8, 7.8001, 8.2, 8.3, 180, -180, 360, 541),
      altHaeM: number(-500, 20_000, 1e7),
      heightTakeoffM: fc.constantFrom(null, Number.NaN, 0, 120),
      altAglM: fc.constantFrom(null, Number.NaN, 0, 120),
      rangeM: number(1, 1_000, 1e6, -5),
      azimuthDeg: number(90, 359.9, 720, -45),
      elevationDeg: number(5, 90, -90, 91),
      sigmaHM: number(1, 1e4),
      sigmaVM: number(1, 1e4),
      sigmaRangeM: number(1, 1e4),
      sigmaAzimuthDeg: number(1, 180),
      sigmaElevationDeg: number(1, 90),
      sigmaSpeedMps: number(1, 1_000),
      speedMps: number(10, 2_000),
      courseDeg: number(10, 360),
      climbMps: number(10, -1_000),
      rssiDbm: number(-60),
      authentic: fc.boolean(),
      identities: fc.array(identity, { maxLength: 3 }),
      lineage: fc.option(lineage, { freq: 3 }),
    })
    .map((said) => ({ ...blankObservation(said.sensorId, null, nowMs), ...said }));

function often(value: number, times: number): number[] {
  return Array.from({ length: times }, () => value);
}
