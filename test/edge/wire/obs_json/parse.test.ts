import t from 'tap';
import { parseObservation } from '../../../../src/edge/wire/obs_json/parse.ts';

const base = { sensor_id: 's', report: 'presence' };
const sentences: [unknown, string][] = [
  [{ ...base, report: 'position', position: { lat: 91, lon: 0 } }, "'position.lat' must be at most 90"],
  [{ ...base, report: 'position', position: { lat: 1 } }, "'position.lon' is missing: it must be a number"],
  [{ ...base, report: 'position', position: { lat: '1', lon: 0 } }, "'position.lat' must be a number, not a string"],
  [
    { ...base, report: 'position', position: { lat: Number.NaN, lon: 0 } },
    "'position.lat' must be a number, not a number without a finite value",
  ],
  [{ ...base, report: 'position', position: null }, "'position' is missing, and a report of kind position needs it"],
  [
    { ...base, report: 'range_bearing', range_m: 1 },
    "'azimuth_deg' is missing, and a report of kind range_bearing needs it",
  ],
  [{ ...base, report: 'identity', identity: [] }, "'identity' is missing, and a report of kind identity needs it"],
  [{ ...base, report: 'bearing', azimuth_deg: 360 }, "'azimuth_deg' must be less than 360"],
  [{ ...base, sigma: { h_m: 0 } }, "'sigma.h_m' must be greater than 0"],
  [{ ...base, sensor_id: '' }, "'sensor_id' must have at least 1 character"],
  [{ ...base, obs_id: 'x'.repeat(121) }, "'obs_id' must have at most 120 characters"],
  [{ report: 'presence' }, "'sensor_id' is missing: it must be a string"],
  [{ ...base, report: 'x' }, "'report' must be one of position, range_bearing, bearing, presence, identity"],
  [{ sensor_id: 's' }, "'report' is missing: it must be one of position, range_bearing, bearing, presence, identity"],
  [{ ...base, colour: 1 }, "'colour' is not a known field"],
  [{ ...base, 'odd key"': 1 }, `'["odd key\\""]' is not a known field`],
  [
    { ...base, source_at: 'noon' },
    "'source_at' must be a time in the form of RFC 3339, for example 2025-06-01T12:00:00.000Z",
  ],
  [
    { ...base, source_at: '2031-02-03T04:05Z' },
    "'source_at' must be a time in the form of RFC 3339, for example 2025-06-01T12:00:00.000Z",
  ],
  [
    { ...base, identity: Array(17).fill({ type: 'mac', value: 'x', transport: 'bt4' }) },
    "'identity' must have at most 16 entries",
  ],
  [
    { ...base, identity: [{ type: 'serial', value: 'x', transport: 'lora' }] },
    "'identity[0].transport' must be one of bt4, bt5, wifi_beacon, wifi_nan, network, mavlink, adsb, other",
  ],
  [{ ...base, velocity: 5 }, "'velocity' must be an object, not a number"],
  [JSON.parse('{"sensor_id":"s","report":"presence","__proto__":{}}'), "'__proto__' is not a known field"],
  [null, 'the observation must be an object, not null'],
  [[], 'the observation must be an object, not a list'],
  [undefined, 'the observation is missing: it must be an object'],
];

t.test('a refusal is one sentence that names the field and the rule', async (t) => {
  for (const [value, sentence] of sentences) {
    const parsed = parseObservation(value);
    t.equal('error' in parsed ? parsed.error : 'accepted', sentence);
  }
});

t.test('only numbers out of range make a row implausible', async (t) => {
  const reason = (value: unknown) => {
    const parsed = parseObservation(value);
    return 'error' in parsed ? parsed.reason : 'accepted';
  };
  t.equal(reason({ ...base, confidence: 1.5 }), 'implausible');
  t.equal(reason({ ...base, confidence: 1.5, colour: 1 }), 'malformed');
  t.equal(reason({ ...base, sensor_id: '' }), 'malformed', 'a length is not a range');
  t.equal(reason(base), 'accepted');
});
