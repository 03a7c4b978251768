import fc from 'fast-check';
import t from 'tap';
import { alertReport } from '../../../../src/edge/wire/sapient/alert_report.ts';
import { ulidOf } from '../../../../src/edge/wire/sapient/answers.ts';
import { boxRegistration } from '../../../../src/edge/wire/sapient/box_registration.ts';
import { boxStatus, statusReport, unchangedReport } from '../../../../src/edge/wire/sapient/box_status.ts';
import { newUlid, nodeFrame, type SapientContent } from '../../../../src/edge/wire/sapient/node_frame.ts';
import { trackReport } from '../../../../src/edge/wire/sapient/track_report.ts';
import { alertStates } from '../../../../src/model/alert.ts';
import { classificationTypes, identityTypes, operatorTypes } from '../../../../src/model/observation.ts';
import type { TrackView } from '../../../../src/model/outlet_view.ts';
import { threatLevels } from '../../../../src/model/posture.ts';
import { affiliationBases, affiliations, type Track, trackStates } from '../../../../src/model/track.ts';
import { alertSeverities } from '../../../../src/model/zone.ts';
import { redactedTrack } from '../../../../src/outlet/redact.ts';
import { seedOf } from '../../../support/basics/seed.ts';
import { sized } from '../../../support/basics/size.ts';
import { outletTrack } from '../../../support/outlet/rig.ts';
import { readStrictly } from '../../../support/sapient/strict_reader.ts';

const box = { nodeId: '5f0c2b1e-7a44-4d39-9b1c-0a1b2c3d4e5f', version: '0.1.0' };
const nowMs = Date.parse('2026-03-04T12:00:00.500Z');

/** A content as a reader at the other end has it. */
function sent<K extends keyof SapientContent>(kind: K, content: SapientContent[K]): Record<string, unknown> {
  const frame = Buffer.from(nodeFrame(box.nodeId, nowMs, { [kind]: content } as SapientContent, null));
  if (frame.readUInt32LE(0) !== frame.length - 4) throw new Error('the length of the frame is wrong');
  const message = readStrictly(frame.subarray(4));
  return message[kind] as Record<string, unknown>;
}

const reportOf = (track: Track, isOver = false, more: Partial<TrackView> = {}) =>
  sent(
    'detection_report',
    trackReport({ track, threat: null, asset: null, sensors: [], ...more }, isOver, nowMs) ?? undefined,
  );

const number = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const orNull = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: null });
const text = fc.oneof(
  fc.string({ maxLength: 120, unit: 'binary' }),
  fc.constant('0a1b2c3d/01HZXW0000000000000000000A'),
);
const timeText = fc
  .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((at) => at.toISOString());
const lat = number(-90, 90);
const lon = number(-180, 180);
const height = number(-500, 100_000);
const identity = fc.record({
  type: fc.constantFrom(...identityTypes),
  value: text,
  transport: fc.constant('network' as const),
  first_seen_at: timeText,
  last_seen_at: timeText,
});
const tracks = fc
  .record({
    id: fc.uuid(),
    state: fc.constantFrom(...trackStates),
    affiliation: fc.constantFrom(...affiliations),
    affiliation_basis: fc.constantFrom(...affiliationBases),
    position: fc.record({ lat, lon, alt_hae_m: orNull(height) }),
    velocity: orNull(
      fc.record({
        ...{ speed_mps: orNull(number(0, 2_000)), course_deg: orNull(number(0, 360)) },
        climb_mps: orNull(number(-1_000, 1_000)),
      }),
    ),
    uncertainty: orNull(fc.record({ h_m: number(0, 1e6), v_m: orNull(number(0, 1e6)) })),
    identities: fc.array(identity, { maxLength: 8 }),
    classification: fc.array(fc.record({ type: fc.constantFrom(...classificationTypes), confidence: number(0, 1) }), {
      maxLength: 16,
    }),
    operator: orNull(fc.record({ lat: orNull(lat), lon: orNull(lon), type: fc.constantFrom(...operatorTypes) })),
    quality: fc.integer({ min: 0, max: 15 }),
    predicted: fc.array(
      fc.record({
        ...{ in_s: fc.constantFrom(5, 10, 20, 30), lat, lon, alt_hae_m: orNull(height), radius_m: number(0, 1e6) },
      }),
      { maxLength: 4 },
    ),
    ...{ last_seen_at: timeText, updated_at: timeText },
  })
  .map((some) => outletTrack(1, some as unknown as Partial<Track>));
const threats = orNull(
  fc.record({ level: fc.constantFrom(...threatLevels), score: fc.integer({ min: 0, max: 100 }), reason: orNull(text) }),
);
const sensors = fc.constant([
  { id: 'r', name: 'mast', modality: 'radar', nodeId: '0a1b2c3d-7a44-4d39-9b1c-0a1b2c3d4e5f' } as const,
]);

t.test('any track becomes a report with all that is mandatory, and with ids that are valid', async (t) => {
  fc.assert(
    fc.property(tracks, threats, sensors, fc.boolean(), (track, threat, given, isOver) => {
      const report = reportOf(track, isOver, { threat, sensors: given });
      return report.object_id === ulidOf(track.id) && report.state === (isOver ? 'lost' : track.state);
    }),
    { seed: seedOf(t), numRuns: sized(300) },
  );
});

t.test('any alert becomes a message with all that is mandatory', async (t) => {
  const alert = fc.record({
    ...{ id: fc.uuid(), severity: fc.constantFrom(...alertSeverities), state: fc.constantFrom(...alertStates) },
    ...{ raised_at: timeText, track_ids: fc.constant<string[]>([]), text, isWorse: fc.boolean() },
    tracks: fc.array(fc.tuple(tracks, threats), { maxLength: 3 }),
  });
  fc.assert(
    fc.property(alert, ({ tracks: of, ...rest }) => {
      const views = of.map(([track, threat]): TrackView => ({ track, threat, asset: null, sensors: [] }));
      return sent('alert', alertReport(box, { ...rest, tracks: views })).alert_id === ulidOf(rest.id);
    }),
    { seed: seedOf(t), numRuns: sized(200) },
  );
});

t.test('registration and status have all that is mandatory', async (t) => {
  const names = { name: 'Dunlin', shortName: 'DUN' };
  t.match(sent('registration', boxRegistration(box.version, names, [box.nodeId])), { dependent_nodes: [box.nodeId] });
  const part = { name: 'sensors', state: 'down', needed: true, text: 'none' } as const;
  const outlets = { name: 'outlets', state: 'degraded', needed: false, text: '0 of 1 open' } as const;
  const status = boxStatus({ healthy: false, parts: [part, outlets] }, { lat: 0, lon: 0, altHaeM: null });
  t.match(sent('status_report', statusReport(status)), {
    ...{ system: 3, info: 1, node_location: { x: 0, y: 0 } },
    status: [{ status_level: 4, status_type: 11, status_value: 'sensors: none' }],
  });
  t.equal(status.unwell.length, 1, 'its own outlets are no matter of the node above');
  t.match(sent('status_report', unchangedReport('WARNING')), { system: 2, info: 2 });
  t.equal(boxStatus({ healthy: true, parts: [outlets] }, null).system, 'OK');
});

t.test('the fields of a report are those of its track', async (t) => {
  const report = reportOf(
    outletTrack(1, {
      ...{ velocity: { speed_mps: 10, course_deg: 90, climb_mps: -2 }, quality: 12, state: 'coasting' },
      ...{ last_seen_at: '2026-03-04T11:59:58.000Z', updated_at: '2026-03-04T12:00:00.000Z' },
      predicted: [
        { in_s: 10, lat: 1, lon: 1, alt_hae_m: 1, radius_m: 1 },
        { in_s: 5, lat: 47.3, lon: 8.8, alt_hae_m: null, radius_m: 25 },
      ],
    }),
  );
  const { east_rate, north_rate, up_rate } = report.enu_velocity as Record<string, number>;
  t.match([east_rate, up_rate, report.state], [10, -2, 'coasting']);
  t.ok(Math.abs(north_rate ?? 1) < 1e-9);
  t.match(report.prediction_location, {
    ...{ location: { x: 8.8, y: 47.3, x_error: 25 }, predicted_timestamp: { seconds: nowMs / 1_000 + 4.5 } },
  });
  t.match(JSON.stringify(report.object_info), /"age s","value":"0.50"},{"type":"seen s","value":"2.50"/);
  t.ok(Math.abs(Number(report.detection_confidence) - 0.8) < 1e-6);
});

t.test(
  'a track says over which nodes it came, also where its identity is redacted, so that none takes its own',
  async (t) => {
    const [below, further] = [crypto.randomUUID(), crypto.randomUUID()];
    const [object, source] = [newUlid(), newUlid()];
    const lineage: Track['lineage'] = [
      {
        ...{ sensor_id: crypto.randomUUID(), node_id: below, object_id: object, identity: '1596F3510000000000AB' },
        ...{ derived_from: [{ node_id: further, object_id: source }], at: '2026-03-04T11:59:58.000Z' },
      },
    ];
    const track = redactedTrack(outletTrack(1, { lineage }), ['identity']);
    t.same(reportOf(track).derived_detection, [
      { node_id: below, object_id: object },
      { node_id: further, object_id: source },
    ]);
    t.notOk(JSON.stringify(track).includes('1596F351'), 'its serial stays here');
  },
);

t.test('unknown facts of a track are left out', async (t) => {
  const { lat: y, lon: x } = { lat: 0, lon: 0 };
  const position = { lat: y, lon: x, alt_hae_m: null, alt_msl_m: 100, alt_agl_m: null, height_takeoff_m: null };
  const velocity = { speed_mps: 5, course_deg: null, climb_mps: 1 };
  const bare = { velocity, uncertainty: null, classification: [], identities: [], predicted: [], operator: null };
  const report = reportOf(outletTrack(1, { position, ...bare }));
  const location = report.location as Record<string, unknown>;
  t.same([location.x, location.y, location.z, location.z_error, location.x_error], [0, 0, ...Array(3).fill(undefined)]);
  for (const key of ['enu_velocity', 'prediction_location', 'derived_detection', 'id']) t.equal(report[key], undefined);
  t.match(report.classification, [{ type: 'Unknown' }]);
  const view = { track: outletTrack(1, { position: null }), threat: null, asset: null, sensors: [] };
  t.equal(trackReport(view, false, nowMs), null, 'SAPIENT has no object without a place');
});

t.test('the classes of a track are a tree whose confidences add up', async (t) => {
  const classification: Track['classification'] = [
    { type: 'multirotor', confidence: 0.5 },
    { type: 'helicopter', confidence: 0.25 },
    { type: 'fixed_wing', confidence: 0.125 },
    { type: 'bird', confidence: 0.125 },
  ];
  t.match(reportOf(outletTrack(1, { classification })).classification, [
    {
      ...{ type: 'Air Vehicle', confidence: 0.875 },
      sub_class: [
        { type: 'UAV Rotary Wing', confidence: 0.75, level: 1 },
        { type: 'UAV Fixed Wing', confidence: 0.125, level: 1 },
      ],
    },
    { type: 'Animal', confidence: 0.125, sub_class: [{ type: 'Bird', level: 1 }] },
  ]);
});

t.test('a report without change is these bytes', async (t) => {
  const frame = Buffer.from(nodeFrame(box.nodeId, 1_500, { status_report: unchangedReport('OK') }, null));
  const id = frame.indexOf('default') - 2 - 4 - 26;
  frame.fill('0', id, id + 26);
  const expected = [
    ['5b000000', '0a08', '0801', '1080cab5ee01'],
    ['1224', Buffer.from(box.nodeId).toString('hex')],
    ['3229', '0a1a', '30'.repeat(26), '1001', '1802', '2a07', Buffer.from('default').toString('hex')],
  ];
  t.equal(frame.toString('hex'), expected.flat().join(''));
});
