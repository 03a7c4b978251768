import t from 'tap';
import { haeOfMsl } from '../../../src/geo/geoid.ts';
import type { Observation } from '../../../src/model/observation.ts';
import {
  type BrokerCase,
  brokerCases,
  brokerDataMissing,
  type ExpectedMessage,
} from '../../support/links/broker_cases.ts';
import { brokerFeed } from '../../support/links/broker_feed.ts';

const beginMs = Date.parse('2026-03-04T12:00:00.500Z');
/** Publishes are taken twice: an identity without a place is believed when it is received again. */
const AGAIN_MS = 1_100;

function observed({ id, topic, payload }: BrokerCase) {
  const it = brokerFeed(beginMs);
  for (const afterMs of [0, AGAIN_MS]) it.publish(topic, Buffer.from(payload, 'hex'), { afterMs });
  return { ...it, it, id, last: it.observations.at(-1) };
}

const identity = ({ identities }: Observation, type: string) => identities.find((one) => one.type === type);

/** An observation in the words of the data; numbers as the structure's single precision has them. */
function shown(observation: Observation, sensor: string | undefined): ExpectedMessage {
  const { operator } = observation;
  const isPlaced = operator !== null && operator.lat !== null && operator.lon !== null;
  const serial = identity(observation, 'serial')?.value;
  return {
    ...(serial !== undefined && { serial }),
    mac: identity(observation, 'mac')?.value ?? '',
    sensor: sensor ?? '',
    rssi_dbm: observation.rssiDbm ?? Number.NaN,
    transport: identity(observation, 'mac')?.transport ?? '',
    ...{ lat: observation.latDeg, lon: observation.lonDeg, alt_hae_m: observation.altHaeM },
    ...{ speed_mps: observation.speedMps, climb_mps: observation.climbMps, course_deg: observation.courseDeg },
    ...{ sigma_h_m: observation.sigmaHM, sigma_v_m: observation.sigmaVM },
    ...(isPlaced && {
      operator: { ...operator, lat: operator.lat ?? 0, lon: operator.lon ?? 0, alt_hae_m: operator.alt_hae_m ?? 0 },
    }),
    ...(operator?.operator_id != null && { operator_id: operator.operator_id }),
    ...(observation.status !== null && { status: observation.status }),
    source_at: new Date(observation.sourceMs ?? 0).toISOString(),
  };
}

const fields = ['lat', 'lon', 'alt_hae_m', 'speed_mps', 'climb_mps', 'course_deg', 'sigma_h_m', 'sigma_v_m'] as const;

t.test('each publish of the data becomes what it says', { skip: brokerDataMissing }, async (t) => {
  for (const one of brokerCases()) {
    const { it, last, observations } = observed(one);
    const { messages, reject, heartbeat, place, sbs, gone } = one.expect;
    const counts = Object.entries(it.rejects()).filter(([, count]) => count > 0);
    t.same(counts, reject === undefined ? [] : [[reject, 2]], `${one.id}: its counters`);
    for (const expected of messages ?? []) {
      if (last === undefined) throw new Error(`${one.id}: there is no observation`);
      const is = shown(last, it.sensor(expected.sensor) && expected.sensor);
      // Without a position the other numbers of a location are of no use to a track.
      const numbers = is.lat === null ? fields.slice(0, 2) : fields;
      const nulls = Object.fromEntries(numbers.map((field) => [field, expected[field] ?? null]));
      const rest = Object.fromEntries(
        Object.entries(expected).filter(([key]) => !(fields as readonly string[]).includes(key)),
      );
      t.match(is, { ...rest, ...nulls }, one.id);
      t.equal(is.serial, expected.serial, `${one.id}: its serial`);
      t.equal(is.operator === undefined, expected.operator === undefined, `${one.id}: its operator`);
    }
    if (sbs !== undefined)
      t.match(last, { latDeg: sbs.lat, lonDeg: sbs.lon, identities: [{ value: sbs.icao24 }] }, one.id);
    if (heartbeat !== undefined) t.equal(it.sensor(heartbeat)?.state, 'operational', one.id);
    if (place !== undefined) {
      const { lat, lon, alt_msl_m } = place;
      t.match(it.sensor(heartbeat)?.placement, { lat, lon, alt_hae_m: haeOfMsl(alt_msl_m, lat, lon) }, one.id);
    }
    if (gone !== undefined) t.equal(observations.length, 0, `${one.id}: nothing is observed`);
  }
});

t.test('offline ends a receiver, until it is received again', { skip: brokerDataMissing }, async (t) => {
  const cases = new Map(brokerCases().map((one) => [one.id, one]));
  const [full, offline] = [cases.get('dragon.full'), cases.get('dragon.offline')];
  if (full === undefined || offline === undefined) throw new Error('the data has no such cases');
  const it = brokerFeed(beginMs);
  const publish = ({ topic, payload }: BrokerCase, afterMs: number) =>
    it.publish(topic, Buffer.from(payload, 'hex'), { afterMs });
  publish(full, 0);
  const { gone } = offline.expect;
  t.equal(it.sensor(gone)?.state, 'operational');
  publish(offline, 100);
  t.match(it.sensor(gone), { state: 'silent', reasons: [/reports that the sensor is offline/] });
  publish(full, 1_200);
  t.equal(it.sensor(gone)?.state, 'operational');
});
