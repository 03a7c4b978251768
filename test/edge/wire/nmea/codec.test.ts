import fc from 'fast-check';
import t from 'tap';
import { createNmeaCodec } from '../../../../src/edge/wire/nmea/codec.ts';
import { MPS_PER_KNOT } from '../../../../src/model/units.ts';
import { sized } from '../../../support/basics/size.ts';
import { feed, feedFile, fixturePath, needs, nmea, rejected, samplePath } from '../../../support/links/line_feeding.ts';

const POSITION = '6010.1940,N,02456.3040,E';

function one(line: string) {
  const { messages, rejects, counted } = feed(createNmeaCodec(), line);
  return { message: messages[0], rejects, counted };
}

const rmc = (
  rest: Partial<Record<'time' | 'status' | 'position' | 'speed' | 'course' | 'date' | 'mode', string>> = {},
): string =>
  nmea(
    `GNRMC,${rest.time ?? '120000.250'},${rest.status ?? 'A'},${rest.position ?? POSITION},${rest.speed ?? '10.0'},` +
      `${rest.course ?? '360.0'},${rest.date ?? '010625'},,,${rest.mode ?? 'A'}`,
  );

t.test('RMC tells position, motion and UTC', async (t) => {
  t.same(one(rmc()).message, {
    kind: 'nmea_fix',
    sentence: 'RMC',
    latDeg: 60.1699,
    lonDeg: 24.9384,
    altMslM: null,
    geoidSeparationM: null,
    speedMps: 10 * MPS_PER_KNOT,
    courseDeg: 0,
    hdop: null,
    satellites: null,
    utcMs: Date.UTC(2025, 5, 1, 12, 0, 0, 250),
    refusedUtcMs: null,
  });
});

t.test('GGA and GNS tell height and quality, and no date', async (t) => {
  const fix = {
    latDeg: 60.1699,
    lonDeg: 24.9384,
    altMslM: 25.4,
    geoidSeparationM: 17.9,
    hdop: 0.8,
    satellites: 12,
    utcMs: null,
  };
  t.match(one(nmea(`GPGGA,120000.00,${POSITION},1,12,0.8,25.4,M,17.9,M,,`)).message, { sentence: 'GGA', ...fix });
  t.match(one(nmea(`GNGNS,120000.00,${POSITION},ANN,12,0.8,25.4,17.9,,,V`)).message, { sentence: 'GNS', ...fix });
  t.equal(one(nmea(`GPGGA,120000.00,${POSITION},1,12,99.99,25.4,M,17.9,M,,`)).message?.hdop, null, 'no dilution known');
});

t.test('south and west are negative, and zero has no sign', async (t) => {
  t.match(one(rmc({ position: '3352.8,S,15112.6,W' })).message, { latDeg: -33.88, lonDeg: -151.21 });
  const zero = one(rmc({ position: '0000.0,S,00000.0,W' })).message;
  t.ok(Object.is(zero?.latDeg, 0) && Object.is(zero?.lonDeg, 0));
});

t.test('without a fix there is no position, no motion and no time', async (t) => {
  const lines = [
    rmc({ status: 'V' }),
    rmc({ mode: 'N' }),
    rmc({ mode: 'S' }),
    rmc({ mode: 'M' }),
    nmea('GPRMC,,V,,,,,,,,,,N'),
    nmea('GPGGA,,,,,,0,00,99.99,,,,,,'),
    nmea(`GPGGA,120000.00,${POSITION},7,12,0.8,25.4,M,17.9,M,,`),
    nmea(`GPGGA,120000.00,${POSITION},8,12,0.8,25.4,M,17.9,M,,`),
    nmea(`GNGNS,120000.00,${POSITION},NN,00,99.99,25.4,17.9,,`),
  ];
  for (const line of lines) {
    const none = { latDeg: null, lonDeg: null, altMslM: null, speedMps: null, courseDeg: null, utcMs: null };
    t.match(one(line).message, none, line.trim());
  }
});

t.test('time is only believed with a date since 2020 that exists', async (t) => {
  const utc = (time: string, date: string) => one(rmc({ time, date })).message?.utcMs;
  t.equal(utc('120000', '010625'), Date.UTC(2025, 5, 1, 12));
  t.equal(utc('235959.999', '311299'), null, '1999, or the far end of the century');
  t.equal(utc('235959.999', '311279'), Date.UTC(2079, 11, 31, 23, 59, 59, 999));
  t.equal(utc('120000', '191019'), null, '2025 less one GPS era');
  t.equal(one(rmc({ time: '120000', date: '191019' })).message?.refusedUtcMs, Date.UTC(2019, 9, 19, 12));
  t.equal(one(rmc({ time: '120000', date: '060180' })).message?.refusedUtcMs, Date.UTC(1980, 0, 6, 12));
  t.equal(utc('120000', '311219'), null);
  t.equal(utc('000000', '010120'), Date.UTC(2020, 0, 1));
  t.equal(utc('120000', '060180'), null, 'the GPS epoch');
  t.equal(utc('120000', '310625'), null, 'no such day');
  t.equal(utc('120000', '011325'), null, 'no such month');
  t.equal(utc('240000', '010625'), null, 'no such hour');
  t.equal(utc('', '010625'), null);
  t.equal(utc('120000', ''), null);
  t.equal(utc('235960', '311226'), Date.UTC(2027, 0, 1), 'a leap second');
});

t.test('ZDA has a date and a time, and no position', async (t) => {
  const zda = (rest: string) => one(nmea(`GNZDA,${rest}`));
  const none = { latDeg: null, utcMs: null, refusedUtcMs: null };
  t.match(zda('120000.50,01,06,2025,00,00').message, {
    ...none,
    sentence: 'ZDA',
    utcMs: Date.UTC(2025, 5, 1, 12, 0, 0, 500),
  });
  t.match(zda('120000.50,15,10,2005,00,00').message, { ...none, refusedUtcMs: Date.UTC(2005, 9, 15, 12, 0, 0, 500) });
  for (const rest of [',,,,,', '120000,31,02,2025,00,00', '120000,1,6,25,00,00'])
    t.match(zda(rest).message, none, rest);
  t.same(zda('120000').rejects, rejected({ malformed: 1 }));
});

t.test('a checksum is needed and has to hold', async (t) => {
  const good = rmc().trimEnd();
  t.same(one(`${good.slice(0, -2)}00\n`).rejects, rejected({ crc: 1 }));
  t.same(one(`${good.replace('12', '13')}\n`).rejects, rejected({ crc: 1 }));
  t.same(one(`${good.slice(0, -3)}\n`).rejects, rejected({ malformed: 1 }), 'without a checksum');
  t.same(one(`${good.slice(0, -1)}\n`).rejects, rejected({ malformed: 1 }), 'half a checksum');
  t.same(one(`${good}5\n`).rejects, rejected({ malformed: 1 }));
  t.equal(
    one(`${good.slice(0, -2)}${good.slice(-2).toLowerCase()}  \n`).message?.sentence,
    'RMC',
    'lower case, blanks after',
  );
});

t.test('other sentences are heard, comments and binary between do no harm', async (t) => {
  const ubx = '\xb5b\x01\x07\x04\x00abc\x99';
  const stream = `# a comment\n${nmea('GPGSV,1,1,00')}${nmea('PGRME,1,M')}${ubx}${rmc()}\\s:x*00\\${rmc()}!AIVDM,1,1,,A,x,0*00\n${ubx}\n`;
  const { messages, rejects, counted } = feed(createNmeaCodec(), stream);
  t.equal(messages.length, 2);
  t.equal(counted, 4);
  // A NUL within a binary message ends a line there, so that the second message, which nothing follows, leaves a rest.
  t.same(rejects, rejected({ unknown_type: 4, malformed: 1 }));
  t.same(one('garbage\n').rejects, rejected({ malformed: 1 }));
  t.same(one(nmea('gprmc,1')).rejects, rejected({ malformed: 1 }));
});

t.test('fields that are torn are malformed, places that are none implausible', async (t) => {
  for (const position of [
    '610.1,N,02456.3,E',
    '6010.1,N,2456.3,E',
    '6010.1,X,02456.3,E',
    '6010.1,N,,',
    ',,,',
    '60 0.1,N,02456.3,E',
  ]) {
    t.same(one(rmc({ position })).rejects, rejected({ malformed: 1 }), position);
  }
  for (const position of ['9000.1,N,02456.3,E', '6060.0,N,02456.3,E', '6010.1,N,18000.1,E']) {
    t.same(one(rmc({ position })).rejects, rejected({ implausible: 1 }), position);
  }
  t.same(one(rmc({ speed: 'fast' })).rejects, rejected({ malformed: 1 }));
  t.same(one(rmc({ course: '400' })).rejects, rejected({ implausible: 1 }));
  t.same(one(nmea('GPRMC,1,A')).rejects, rejected({ malformed: 1 }));
  t.same(one(nmea(`GPGGA,120000.00,${POSITION},1,12,0.8,25.4,F,17.9,M,,`)).rejects, rejected({ malformed: 1 }), 'feet');
});

t.test('an angle is the double nearest to what was written', async (t) => {
  const seed = 183;
  t.comment(`seed ${seed}`);
  fc.assert(
    fc.property(
      fc.nat(89),
      fc.nat(59),
      fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 9 }),
      (deg, min, decimals) => {
        const digits = `${String(deg).padStart(2, '0')}${String(min).padStart(2, '0')}.${decimals}`;
        const exact = BigInt(deg) * 60n * 10n ** 9n + BigInt(`${min}${decimals.padEnd(9, '0')}`);
        const nearest = Number(`${(exact * 10n ** 30n) / (60n * 10n ** 9n)}e-30`);
        return one(rmc({ position: `${digits},N,02456.3040,E` })).message?.latDeg === nearest;
      },
    ),
    { seed, numRuns: sized(2000) },
  );
});

t.test('the fixture gives the same however it is cut', async (t) => {
  const whole = feedFile(createNmeaCodec(), fixturePath('position.nmea'));
  t.same(
    whole.messages.map((m) => m.sentence),
    ['RMC', 'GGA', 'GNS', 'RMC', 'ZDA', 'GGA'],
  );
  t.equal(whole.counted, 7);
  t.same(whole.rejects, rejected({ crc: 1, malformed: 1, unknown_type: 1 }));
});

const logs = ['nmea-fuzzy-cases', 'ublox-zed-f9p-nmea', 'garmin-geko201'].map((name) => samplePath(`nmea/${name}.log`));

t.test('the counts of real receivers', needs(...logs), async (t) => {
  const [fuzzy = '', ublox = '', garmin = ''] = logs;
  // Sentences and lines counted apart with grep over the same files.
  const fed = [fuzzy, ublox, garmin].map((path) => feedFile(createNmeaCodec(), path));
  t.same(
    fed.map((f) => f.messages.length),
    [28, 87, 36],
  );
  t.same(
    fed.map((f) => f.counted),
    [28, 1015, 212],
  );
  t.same(
    fed.map((f) => f.rejects.unknown_type),
    [8, 12, 11],
    'comment lines',
  );
  t.same(
    fed.map((f) => f.rejects.malformed),
    [0, 0, 1],
    'the log of the Garmin ends in the middle of a sentence',
  );
  t.same(
    fed.map((f) => f.rejects.crc),
    [0, 0, 0],
  );
  t.ok(
    fed[2]?.messages.every((m) => m.latDeg === null && m.utcMs === null),
    'the Garmin is in its simulator mode',
  );
  t.ok(
    fed[1]?.messages.every((m) => m.utcMs === null),
    'the u-blox was recorded before 2020',
  );
});
