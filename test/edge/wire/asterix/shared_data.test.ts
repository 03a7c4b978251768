import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { createAsterixCodec } from '../../../../src/edge/wire/asterix/codec.ts';
import type { AsterixMessage } from '../../../../src/edge/wire/asterix/message.ts';
import { feed, needs } from '../../../support/links/line_feeding.ts';

const data = fileURLToPath(new URL('../../../../../../shared/interop/asterix.jsonl', import.meta.url));

type Line = { id: string; hex: string; expect: Record<string, unknown> & { records?: Record<string, unknown>[] } };

/** A decoded message in the words of the data. */
function inWords(message: AsterixMessage): Record<string, unknown> {
  const { timeOfDayS: tod_s } = message;
  switch (message.kind) {
    case 'radar_plot':
      return {
        ...{ track: message.track, tod_s, typ: message.typ },
        ...{ range_m: message.rangeM, azimuth_deg: message.azimuthDeg, height_msl_m: message.altMslM },
        ...{ speed_mps: message.speedMps, course_deg: message.courseDeg, doppler_mps: message.dopplerMps },
        ...{ confirmed: message.isConfirmed, warning: message.codes },
      };
    case 'system_track':
      return {
        ...{ track: message.track, tod_s, lat: message.latDeg, lon: message.lonDeg },
        ...{ vx_mps: message.eastMps, vy_mps: message.northMps, climb_mps: message.climbMps },
        ...{ alt_geo_m: message.altHaeM, sigma_x_m: message.sigmaXM, sigma_y_m: message.sigmaYM },
        confirmed: message.isConfirmed,
      };
    case 'station_report':
      return {
        ...{ icao24: message.icao24, callsign: message.callsign, lat: message.latDeg, lon: message.lonDeg },
        ...{ alt_geo_m: message.altHaeM, speed_mps: message.speedMps, course_deg: message.courseDeg },
        climb_mps: message.climbMps,
      };
    default: {
      const { site, event } = message;
      const place = site && { lat: site.latDeg, lon: site.lonDeg, alt_msl_m: site.altMslM };
      const type = event === 'north' || message.category === 65 ? 1 : 0;
      return { cat: message.category, type, tod_s, rotation_s: message.turnS, site: place };
    }
  }
}

/** Whether a value is that of the data, numbers to half of their last digit there. */
function agrees(found: unknown, wanted: unknown): boolean {
  if (typeof wanted === 'number' && typeof found === 'number') {
    const digits = String(wanted).split('.')[1]?.length ?? 0;
    return Math.abs(found - wanted) <= 0.51 * 10 ** -digits;
  }
  if (typeof wanted === 'object' && wanted !== null && typeof found === 'object' && found !== null)
    return Object.entries(wanted).every(([key, value]) => agrees((found as Record<string, unknown>)[key], value));
  return found === wanted;
}

t.test('every line of the interoperability data is read as it says', needs(data), async (t) => {
  const lines = readFileSync(data, 'utf8').trim().split('\n');
  t.ok(lines.length > 30);
  for (const line of lines.map((text) => JSON.parse(text) as Line)) {
    const { messages, rejects } = feed(createAsterixCodec({ datagrams: true }), Buffer.from(line.hex, 'hex'));
    const { reject, records, emitter: _emitter, ...rest } = line.expect;
    const counted = Object.entries(rejects).filter(([, count]) => count > 0);
    t.same(counted, reject === undefined ? [] : [[reject, 1]], `${line.id}: refused`);
    if (records) {
      t.equal(messages.length, records.length, `${line.id}: records`);
      records.forEach((record, i) => {
        const found = inWords(messages[i] as AsterixMessage);
        for (const [key, value] of Object.entries(record))
          if (key !== 'emitter') t.ok(agrees(found[key], value), `${line.id} ${i}: ${key} ${found[key]} is ${value}`);
      });
    } else if (reject === undefined && 'type' in rest) {
      const found = inWords(messages[0] as AsterixMessage);
      for (const [key, value] of Object.entries(rest)) t.ok(agrees(found[key], value), `${line.id}: ${key}`);
    }
  }
});
