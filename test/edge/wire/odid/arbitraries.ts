import fc from 'fast-check';
import type { OdidLocation, OdidMessage, OdidTag } from '../../../../src/edge/wire/odid/message.ts';

/** Which values to draw: those that F3411's 25 bytes can say, or all that MAVLink's fields can. */
export type Resolution = 'broadcast' | 'mavlink';

const orNull = (values: fc.Arbitrary<number>) => fc.option(values, { nil: null, freq: 5 });
const steps = (min: number, max: number, step: number) =>
  fc.integer({ min: Math.round(min / step), max: Math.round(max / step) }).map((n) => n * step);
const hundredths = (min: number, max: number) => fc.integer({ min, max }).map((n) => n / 100);
const floats = (min: number, max: number) => fc.float({ min: Math.fround(min), max: Math.fround(max), noNaN: true });
const nibble = fc.nat(15);

/** Both known and not both zero, or both unknown. */
const position = fc.option(
  fc
    .tuple(fc.integer({ min: -900_000_000, max: 900_000_000 }), fc.integer({ min: -1_800_000_000, max: 1_800_000_000 }))
    .filter(([lat, lon]) => lat !== 0 || lon !== 0)
    .map(([lat, lon]): [number, number] => [lat / 1e7, lon / 1e7]),
  { nil: [null, null] as [null, null], freq: 5 },
);

const altitude = (resolution: Resolution) =>
  orNull(resolution === 'broadcast' ? steps(-999.5, 31_767.5, 0.5) : floats(-999.9, 31_767.5).map((m) => m + 0));

const speedH = (resolution: Resolution) =>
  orNull(
    resolution === 'mavlink'
      ? hundredths(0, 25_425)
      : fc.oneof(
          steps(0, 63.75, 0.25),
          fc.integer({ min: 1, max: 254 }).map((n) => 63.75 + n * 0.75),
        ),
  );

const seconds = (resolution: Resolution) =>
  orNull(resolution === 'broadcast' ? fc.nat(36_000).map((n) => n / 10) : floats(0, 3600).map((s) => s + 0));

export function locations(resolution: Resolution): fc.Arbitrary<OdidLocation> {
  const broadcast = resolution === 'broadcast';
  return fc
    .record({
      type: fc.constant('location' as const),
      status: nibble,
      position,
      directionDeg: orNull(broadcast ? fc.nat(359) : hundredths(0, 35_999)),
      speedHMps: speedH(resolution),
      speedVMps: orNull(broadcast ? steps(-62, 62, 0.5).map((v) => v + 0) : hundredths(-6200, 6200).map((v) => v + 0)),
      altBaroM: altitude(resolution),
      altGeoM: altitude(resolution),
      heightM: altitude(resolution),
      heightRef: fc.nat(1),
      hAcc: nibble,
      vAcc: nibble,
      baroAcc: nibble,
      speedAcc: nibble,
      tsAcc: nibble,
      secondsAfterHour: seconds(resolution),
      implausible: fc.constant(false),
    })
    .map(({ position: [latDeg, lonDeg], ...rest }) => ({ ...rest, latDeg, lonDeg }));
}

/** Latin-1 without NUL. */
const text = (maxLength: number) =>
  fc.array(fc.integer({ min: 1, max: 255 }), { maxLength }).map((codes) => String.fromCharCode(...codes));

const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((raw) => Buffer.from(raw).toString('hex'));

const basicIds = fc.oneof(
  fc.record({
    type: fc.constant('basic_id' as const),
    idType: fc.nat(2),
    uaType: nibble,
    uasId: text(20).map((id) => id || null),
  }),
  fc.record({
    type: fc.constant('basic_id' as const),
    idType: fc.integer({ min: 3, max: 4 }),
    uaType: nibble,
    uasId: hex(20).map((id) => (/^0*$/.test(id) ? null : id)),
  }),
);

const unixTime = fc.integer({ min: 1_546_300_801, max: 1_546_300_800 + 0xffff_ffff });

const auths = fc.oneof(
  fc.record({
    type: fc.constant('auth' as const),
    authType: nibble,
    page: fc.integer({ min: 1, max: 15 }),
    data: fc.uint8Array({ minLength: 23, maxLength: 23 }),
    lastPage: fc.constant(null),
    length: fc.constant(null),
    timestampUnixS: fc.constant(null),
  }),
  fc.record({
    type: fc.constant('auth' as const),
    authType: nibble,
    page: fc.constant(0),
    data: fc.uint8Array({ minLength: 17, maxLength: 17 }),
    lastPage: nibble,
    length: fc.nat(255),
    timestampUnixS: unixTime,
  }),
);

const systems = (resolution: Resolution) =>
  fc
    .record({
      type: fc.constant('system' as const),
      operatorLocationType: fc.nat(2),
      classificationType: fc.nat(7),
      position,
      areaCount: fc.nat(65_535),
      areaRadiusM: resolution === 'broadcast' ? fc.nat(255).map((n) => n * 10) : fc.nat(65_535),
      areaCeilingM: altitude(resolution),
      areaFloorM: altitude(resolution),
      categoryEu: nibble,
      classEu: nibble,
      operatorAltGeoM: altitude(resolution),
      timestampUnixS: orNull(unixTime),
      implausible: fc.constant(false),
    })
    .map(({ position: [operatorLatDeg, operatorLonDeg], ...rest }) => ({ ...rest, operatorLatDeg, operatorLonDeg }));

const updates = fc
  .record({
    type: fc.constant('system_update' as const),
    position,
    operatorAltGeoM: altitude('mavlink'),
    timestampUnixS: orNull(unixTime),
    implausible: fc.constant(false),
  })
  .map(({ position: [operatorLatDeg, operatorLonDeg], ...rest }) => ({ ...rest, operatorLatDeg, operatorLonDeg }));

const selfIds = fc.record({ type: fc.constant('self_id' as const), descType: fc.nat(255), desc: text(23) });
const operatorIds = fc.record({
  type: fc.constant('operator_id' as const),
  operatorIdType: fc.nat(255),
  operatorId: text(20),
});
const armStates = fc.record({ type: fc.constant('arm_status' as const), status: fc.nat(255), error: text(50) });

/** Messages that F3411 has. */
export const broadcastMessages = fc.oneof(
  basicIds,
  locations('broadcast'),
  auths,
  selfIds,
  systems('broadcast'),
  operatorIds,
);

export function messages(resolution: 'mavlink'): fc.Arbitrary<OdidMessage> {
  return fc.oneof(
    basicIds,
    locations(resolution),
    auths,
    selfIds,
    systems(resolution),
    operatorIds,
    updates,
    armStates,
  );
}

export const tags: fc.Arbitrary<OdidTag> = fc.oneof(
  fc.constant(null),
  hex(6).map((mac) => ({ mac: (mac.toUpperCase().match(/../g) ?? []).join(':') })),
  fc.constantFrom('1581F5FKD22940012345', 'FIN87astrdge12k8', 'AA:BB:CC:01:02:05').map((id) => ({ id })),
  hex(6).map((tail) => ({ idHex: `01${tail}ff` })),
);
