import { readFileSync } from 'node:fs';
import t from 'tap';
import type { NmeaFix } from '../../../../src/edge/wire/message.ts';
import { createNmeaCodec } from '../../../../src/edge/wire/nmea/codec.ts';
import { feed, needs, samplePath } from '../../../support/links/line_feeding.ts';

type Tpv = {
  class: string;
  lat?: number;
  lon?: number;
  altMSL?: number;
  speed?: number;
  time?: string;
  geoidSep?: number;
};

/** The reports of gpsd in one of its own regression files, each with what we made of the last sentence before it. */
function besides(path: string): { tpv: Tpv; fix: NmeaFix }[] {
  const codec = createNmeaCodec();
  const pairs: { tpv: Tpv; fix: NmeaFix }[] = [];
  let fix: NmeaFix | undefined;
  for (const line of readFileSync(path, 'latin1').split('\n')) {
    if (line.startsWith('{"class":"TPV"')) {
      const tpv = JSON.parse(line) as Tpv;
      if (tpv.lat !== undefined && fix !== undefined) pairs.push({ tpv, fix });
      fix = undefined;
    } else if (!line.startsWith('{')) fix = feed(codec, `${line}\n`).messages[0] ?? fix;
  }
  return pairs;
}

function isNear(ours: number | null, theirs: number | undefined, within: number): boolean {
  return ours === null || theirs === undefined || Math.abs(ours - theirs) <= within;
}

for (const [name, expected] of [
  ['nmea-fuzzy-cases', 15],
  ['ublox-zed-f9p-nmea', 30],
] as const) {
  const path = samplePath(`nmea/${name}.log.chk`);
  t.test(
    `${name}: positions, heights, speeds and times are gpsd's to its last printed digit`,
    needs(path),
    async (t) => {
      const pairs = besides(path);
      const placed = pairs.filter(({ fix }) => fix.latDeg !== null);
      t.ok(placed.length > 0);
      t.comment(`${placed.length} of ${expected} reports follow a sentence of ours`);
      for (const { tpv, fix } of placed) {
        t.ok(isNear(fix.latDeg, tpv.lat, 6e-10) && isNear(fix.lonDeg, tpv.lon, 6e-10), 'position');
        t.ok(isNear(fix.altMslM, tpv.altMSL, 6e-5) && isNear(fix.geoidSeparationM, tpv.geoidSep, 6e-4), 'height');
        t.ok(isNear(fix.speedMps, tpv.speed, 6e-4), 'speed');
        if (fix.utcMs !== null && tpv.time !== undefined) t.equal(new Date(fix.utcMs).toISOString(), tpv.time);
      }
    },
  );
}
