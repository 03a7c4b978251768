import fc from 'fast-check';
import t from 'tap';
import { createSbsCodec } from '../../../../src/edge/wire/sbs/codec.ts';
import { METRES_PER_FOOT, MPS_PER_KNOT } from '../../../../src/model/units.ts';
import { sized } from '../../../support/basics/size.ts';
import { feed, feedFile, fixturePath, needs, rejected, samplePath } from '../../../support/links/line_feeding.ts';

type Fields = Partial<
  Record<
    | 'type'
    | 'hex'
    | 'callsign'
    | 'alt'
    | 'speed'
    | 'track'
    | 'lat'
    | 'lon'
    | 'climb'
    | 'squawk'
    | 'emergency'
    | 'ground',
    string
  >
>;

function msg(f: Fields): string {
  const times = '2031/02/03,04:05:06.789,2031/02/03,04:05:06.789';
  const data = [f.callsign, f.alt, f.speed, f.track, f.lat, f.lon, f.climb, f.squawk, '', f.emergency, '', f.ground];
  return `MSG,${f.type ?? '3'},1,1,${f.hex ?? '4CA7B4'},1,${times},${data.map((x) => x ?? '').join(',')}\r\n`;
}

function one(line: string) {
  const { messages, rejects } = feed(createSbsCodec(), line);
  return { message: messages[0], rejects };
}

t.test('all fields in SI units', async (t) => {
  const line = msg({
    callsign: 'TEST12  ',
    alt: '1000',
    speed: '100',
    track: '359.5',
    lat: '53.5',
    lon: '-6.25',
    climb: '-600',
    squawk: '0421',
    emergency: '0',
    ground: '-1',
  });
  t.match(one(line).message, {
    kind: 'sbs',
    transmission: 3,
    icao24: '4CA7B4',
    nonIcao: false,
    callsign: 'TEST12',
    courseDeg: 359.5,
    latDeg: 53.5,
    lonDeg: -6.25,
    squawk: '0421',
    emergency: false,
    onGround: true,
  });
  const message = one(line).message;
  t.ok(Math.abs((message?.altPressureM ?? 0) - 304.8) < 1e-9, '1000 ft');
  t.ok(Math.abs((message?.speedMps ?? 0) - 51.4444444444) < 1e-9, '100 kt');
  t.ok(Math.abs((message?.climbMps ?? 0) - -3.048) < 1e-9, '600 ft/min down');
});

t.test('each transmission type, with every field empty, is a message of nulls', async (t) => {
  for (let type = 1; type <= 8; type++) {
    const {
      callsign,
      altPressureM,
      speedMps,
      courseDeg,
      latDeg,
      lonDeg,
      climbMps,
      squawk,
      emergency,
      onGround,
      transmission,
    } = one(msg({ type: String(type) })).message ?? {};
    t.equal(transmission, type);
    t.same(
      [callsign, altPressureM, speedMps, courseDeg, latDeg, lonDeg, climbMps, squawk, emergency, onGround],
      Array(10).fill(null),
    );
  }
});

t.test('addresses are six hex digits, upper case; a tilde says they are no allocation', async (t) => {
  t.match(one(msg({ hex: '4ca7b4' })).message, { icao24: '4CA7B4', nonIcao: false });
  t.match(one(msg({ hex: '~2a0f11' })).message, { icao24: '2A0F11', nonIcao: true });
  t.equal(one(msg({ hex: 'FF1234' })).message?.icao24, 'FF1234');
  for (const hex of ['', '4CA7B', '4CA7B44', 'GGGGGG', '0x4CA7'])
    t.same(one(msg({ hex })).rejects, rejected({ malformed: 1 }), hex);
  t.same(one(msg({ hex: '000000' })).rejects, rejected({ implausible: 1 }));
});

t.test('flags are -1, 1, 0 or empty, and nothing else', async (t) => {
  const flag = (ground: string) => one(msg({ ground })).message?.onGround;
  t.same([flag('-1'), flag('1'), flag('0'), flag('')], [true, true, false, null]);
  t.equal(one(msg({ emergency: '1' })).message?.emergency, true);
  t.same(one(msg({ ground: 'yes' })).rejects, rejected({ malformed: 1 }));
});

t.test('values that no aircraft can have are implausible, and words for numbers malformed', async (t) => {
  const implausible: Fields[] = [
    { lat: '90.1', lon: '0.5' },
    { lat: '1', lon: '-180.1' },
    { alt: '130000' },
    { alt: '-3000' },
    { speed: '-1' },
    { speed: '5000' },
    { track: '361' },
    { climb: '99999' },
    { squawk: '7800' },
    { alt: '9'.repeat(400) },
  ];
  for (const fields of implausible)
    t.same(one(msg(fields)).rejects, rejected({ implausible: 1 }), JSON.stringify(fields));
  const malformed: Fields[] = [
    { alt: 'ground' },
    { alt: '0x10' },
    { alt: '1e3' },
    { alt: 'NaN' },
    { lat: '1' },
    { lon: '1' },
    { squawk: '12345' },
    { type: 'x' },
  ];
  for (const fields of malformed) t.same(one(msg(fields)).rejects, rejected({ malformed: 1 }), JSON.stringify(fields));
});

t.test('small ways of writing are understood', async (t) => {
  t.equal(one(msg({ track: '360' })).message?.courseDeg, 0);
  t.equal(one(msg({ squawk: '21' })).message?.squawk, '0021', 'leading zeros dropped');
  t.equal(one(msg({ callsign: '????????' })).message?.callsign, null);
  t.match(one(msg({ lat: '0.0', lon: '0.00000' })).message, { latDeg: null, lonDeg: null });
});

t.test('other records are signs of life, marks of a log of unknown type, other lines malformed', async (t) => {
  const others = [
    'SEL,,496,2286,4CA4E5,27215,2010/02/19,18:06:07.710,,,RYR1427',
    'ID,,1,1,4CA4E5,1,,,,,X',
    'AIR,,1',
    'STA,,5,179',
    'CLK,,496,-1',
  ];
  for (const line of others) {
    const codec = createSbsCodec();
    t.match(feed(codec, `${line}\n`), { messages: { length: 0 }, rejects: rejected({}), counted: 1 }, line);
  }
  for (const line of ['START,Mon Sep 7 14:17:41 +0000 UTC 2015', msg({ type: '9' })]) {
    t.same(one(`${line}\n`).rejects, rejected({ unknown_type: 1 }), line);
  }
  const torn = msg({ alt: '100' }).trimEnd();
  for (const line of ['hello', 'MSG', 'MSG,3', `${torn},`, torn.slice(0, -2), torn.slice(5), ' ,MSG,3', '12x,MSG,3']) {
    t.same(one(`${line}\n`).rejects, rejected({ malformed: 1 }), line);
  }
});

t.test('a leading timestamp, as stratux logs it, is passed over', async (t) => {
  t.match(one(`1970154010,${msg({ alt: '500' })}`).message, { icao24: '4CA7B4', altPressureM: 500 * METRES_PER_FOOT });
});

t.test('what is written comes back, cut anywhere', async (t) => {
  const seed = 30_003;
  t.comment(`seed ${seed}`);
  const int = (min: number, max: number) => fc.option(fc.integer({ min, max }), { nil: null });
  const message = fc.record({
    type: fc.integer({ min: 1, max: 8 }),
    hex: fc.integer({ min: 1, max: 0xffffff }),
    alt: int(-1000, 126_700),
    speed: int(0, 4_100),
    track: int(0, 359),
    position: fc.option(fc.tuple(fc.integer({ min: -9e6, max: 9e6 }), fc.integer({ min: 1, max: 18e6 })), {
      nil: null,
    }),
    climb: int(-32_640, 32_640),
    squawk: int(0, 0o7777),
  });
  const text = (value: number | null): string => (value === null ? '' : String(value));
  fc.assert(
    fc.property(message, fc.array(fc.nat(150)), (m, cuts) => {
      const lat = m.position === null ? null : m.position[0] / 1e5;
      const lon = m.position === null ? null : m.position[1] / 1e5;
      const line = msg({
        type: String(m.type),
        hex: m.hex.toString(16).padStart(6, '0'),
        alt: text(m.alt),
        speed: text(m.speed),
        track: text(m.track),
        lat: lat === null ? '' : lat.toFixed(5),
        lon: lon === null ? '' : lon.toFixed(5),
        climb: text(m.climb),
        squawk: m.squawk === null ? '' : m.squawk.toString(8).padStart(4, '0'),
      });
      const [back] = feed(
        createSbsCodec(),
        line,
        cuts.map((cut) => Math.min(cut, line.length)),
      ).messages;
      return (
        back !== undefined &&
        Number.parseInt(back.icao24, 16) === m.hex &&
        back.latDeg === lat &&
        back.lonDeg === lon &&
        back.courseDeg === m.track &&
        back.altPressureM === (m.alt === null ? null : m.alt * METRES_PER_FOOT) &&
        back.speedMps === (m.speed === null ? null : m.speed * MPS_PER_KNOT) &&
        Math.abs((back.climbMps ?? 0) - ((m.climb ?? 0) * 0.3048) / 60) < 1e-9 &&
        (back.squawk === null ? null : Number.parseInt(back.squawk, 8)) === m.squawk
      );
    }),
    { seed, numRuns: sized(1000) },
  );
});

t.test('the empty line that readsb sends while it receives nothing is a sign of life', async (t) => {
  const codec = createSbsCodec();
  const send = (text: string): number => {
    codec.decode(Buffer.from(text), 'readsb', 0, () => {});
    return codec.messages;
  };
  t.equal(send('\r\n'), 1);
  t.equal(send('\r\n\0'), 2);
  t.equal(send(msg({ alt: '100' }).trimEnd()), 2, 'a line that has begun');
  t.equal(send('\r\n'), 3, 'its end is no second message');
  t.same(codec.rejects, rejected({}));
});

t.test('the fixture decodes whole', async (t) => {
  const { messages, rejects } = feedFile(createSbsCodec(), fixturePath('basestation.txt'));
  t.same(
    messages.map((m) => m.transmission),
    [1, 3, 4, 5, 6, 7, 8, 3],
  );
  t.same(rejects, rejected({ malformed: 1, implausible: 1 }));
});

const readsb = samplePath('adsb/readsb_sbs_basestation.txt');
t.test('the output of readsb', needs(readsb), async (t) => {
  const { messages, rejects } = feedFile(createSbsCodec(), readsb);
  // Counted apart with Python's csv module over the same file.
  t.equal(messages.length, 2000);
  t.same(rejects, rejected({}));
  t.same(
    [1, 3, 4].map((type) => messages.filter((m) => m.transmission === type).length),
    [98, 937, 965],
  );
  t.equal(messages.filter((m) => m.latDeg !== null).length, 929);
  t.equal(messages.filter((m) => m.callsign !== null).length, 98);
  t.equal(messages.filter((m) => m.climbMps !== null).length, 965);
  t.ok(messages.every((m) => m.icao24 === '406B90' && m.onGround === false));
  t.equal(Math.round(messages.reduce((sum, m) => sum + (m.altPressureM ?? 0), 0) / METRES_PER_FOOT), 33_733_200);
  t.ok(Math.abs(messages.reduce((sum, m) => sum + (m.latDeg ?? 0), 0) - 47_751.38909) < 1e-6);
});

const stratux = samplePath('adsb/stratux_es_20150907.log');
t.test('a stratux log', needs(stratux), async (t) => {
  const { messages, rejects } = feedFile(createSbsCodec(), stratux);
  t.equal(messages.length, 1060);
  t.same(rejects, rejected({ unknown_type: 1 }));
  t.same(
    [3, 4, 5, 6, 8].map((type) => messages.filter((m) => m.transmission === type).length),
    [2, 1, 721, 5, 331],
  );
  t.equal(messages.filter((m) => m.altPressureM !== null).length, 723);
  t.equal(Math.round(messages.reduce((sum, m) => sum + (m.altPressureM ?? 0), 0) / METRES_PER_FOOT), 17_906_125);
  t.equal(messages.filter((m) => m.squawk === '1102').length, 5);
  t.equal(new Set(messages.map((m) => m.icao24)).size, 9);
});
