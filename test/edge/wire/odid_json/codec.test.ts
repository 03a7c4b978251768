import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import t from 'tap';
import { createOdidJsonCodec } from '../../../../src/edge/wire/odid_json/codec.ts';
import { sized } from '../../../support/basics/size.ts';
import { feed, feedFile, fixturePath, needs, rejected, samplePath } from '../../../support/links/line_feeding.ts';

type Printed = {
  lat?: string;
  lon?: string;
  alt?: string;
  pilotLat?: string;
  pilotLon?: string;
  id?: string;
  extra?: string;
  end?: string;
};

const MAC = '24:0a:c4:00:11:22';

/** A line as the firmwares print it, byte for byte. */
function printed(p: Printed = {}): string {
  return (
    `{"mac":"${MAC}","rssi":-71,${p.extra ?? ''}"drone_lat":${p.lat ?? '51.500001'},"drone_long":${p.lon ?? '-0.120000'},` +
    `"drone_altitude":${p.alt ?? '120'},"pilot_lat":${p.pilotLat ?? '51.499000'},"pilot_long":${p.pilotLon ?? '-0.121000'},` +
    `"basic_id":"${p.id ?? 'TESTSERIAL0001'}"${p.end ?? '}'}\r\n`
  );
}

function one(line: string) {
  const { messages, rejects } = feed(createOdidJsonCodec(), line);
  return { message: messages[0], count: messages.length, rejects };
}

t.test('a printed line becomes a message in SI units', async (t) => {
  t.same(one(printed()).message, {
    kind: 'odid_json',
    mac: MAC,
    rssiDbm: -71,
    latDeg: 51.500001,
    lonDeg: -0.12,
    altGeoM: 120,
    operatorLatDeg: 51.499,
    operatorLonDeg: -0.121,
    basicId: 'TESTSERIAL0001',
    receiver: null,
    channelHz: null,
  });
});

t.test('the sentinels that leak through become null', async (t) => {
  t.equal(one(printed({ alt: '-1000' })).message?.altGeoM, null);
  t.equal(one(printed({ alt: '0' })).message?.altGeoM, 0);
  t.equal(one(printed({ alt: '32000' })).message?.altGeoM, null);
  const unheard = one(
    printed({ lat: '0.000000', lon: '0.000000', alt: '0', pilotLat: '0.000000', pilotLon: '0.000000' }),
  ).message;
  t.match(unheard, { latDeg: null, lonDeg: null, altGeoM: null, operatorLatDeg: null, operatorLonDeg: null });
  t.match(one(printed({ lat: '0.000000' })).message, { latDeg: 0, lonDeg: -0.12 }, 'the equator is a place');
  t.equal(one(printed({ id: '' })).message?.basicId, null);
});

t.test(
  'an aircraft position that cannot be refuses the line, an operator position that cannot be only itself',
  async (t) => {
    t.same(one(printed({ lat: '90.000001' })).rejects, rejected({ implausible: 1 }));
    t.same(one(printed({ lon: '-180.5' })).rejects, rejected({ implausible: 1 }));
    t.match(one(printed({ pilotLat: '91.0' })).message, {
      latDeg: 51.500001,
      operatorLatDeg: null,
      operatorLonDeg: null,
    });
  },
);

t.test('band and channel become the centre frequency', async (t) => {
  const hz = (band: string, channel: number) =>
    one(printed({ extra: `"band":"${band}","channel":${channel},` })).message?.channelHz;
  t.equal(hz('2.4GHz', 1), 2_412e6);
  t.equal(hz('2.4GHz', 6), 2_437e6);
  t.equal(hz('2.4GHz', 13), 2_472e6);
  t.equal(hz('2.4GHz', 14), 2_484e6);
  t.equal(hz('5GHz', 36), 5_180e6);
  t.equal(hz('5GHz', 149), 5_745e6);
  t.equal(hz('5GHz', 165), 5_825e6);
  t.equal(hz('5GHz', 6), null);
  t.equal(hz('2.4GHz', 149), null);
  t.equal(hz('BLE', 0), null);
  t.equal(hz('BLE', 37), 2_402e6);
  t.equal(one(printed({ extra: '"channel":149,' })).message?.channelHz, 5_745e6, 'a channel without its band');
});

t.test('a node names itself, but a node name that an id could have forged is not believed', async (t) => {
  const node = ',"node_id":"A1B2"}';
  t.match(one(printed({ end: node })).message, { basicId: 'TESTSERIAL0001', receiver: 'A1B2' });
  t.match(one(printed({ id: '","node_id":"EVIL' })).message, { basicId: null, receiver: null });
  t.match(one(printed({ id: '","node_id":"EVIL', end: node })).message, { basicId: null, receiver: 'A1B2' });
});

t.test('a hostile id costs the id and never the position, and overwrites nothing', async (t) => {
  const ids = [
    '"',
    '\\',
    'a"b',
    '","mac":"0',
    '","drone_lat":1,"a":"',
    '"}{"mac":"',
    '\x01\x02\x1b[2J',
    '\xff\xfe',
    '"}',
    'x"}\t',
    '\\"',
  ];
  for (const id of ids) {
    const { message, count } = one(printed({ id }));
    t.equal(count, 1, JSON.stringify(id));
    t.match(message, {
      mac: MAC,
      latDeg: 51.500001,
      lonDeg: -0.12,
      operatorLatDeg: 51.499,
      basicId: null,
      receiver: null,
    });
  }
  t.equal(one(printed({ id: 'ID WITH SPACE-1' })).message?.basicId, 'ID WITH SPACE-1');
  t.equal(one(printed({ id: 'TWENTYONECHARACTERS21' })).message?.basicId, null, 'longer than the air carries');
});

t.test('whatever twenty bytes a transmitter names itself with, nothing but the id depends on them', async (t) => {
  const seed = 7_301;
  t.comment(`seed ${seed}`);
  const unit = fc.oneof(
    {
      weight: 2,
      arbitrary: fc.constantFrom('"', '\\', '{', '}', ',', ':', '\r', '\n', ' ', '"mac"', '"node_id"', '"basic_id":"'),
    },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 255 }).map((byte) => String.fromCharCode(byte)) },
  );
  const hostile = fc.array(unit, { maxLength: 20 }).map((parts) => parts.join('').slice(0, 20));
  fc.assert(
    fc.property(hostile, fc.constantFrom('}', ',"node_id":"A1B2"}'), (id, end) => {
      const { messages } = feed(createOdidJsonCodec(), printed({ id, end }));
      const [message] = messages;
      if (messages.length !== 1 || message === undefined) return false;
      const isKept = message.mac === MAC && message.latDeg === 51.500001 && message.rssiDbm === -71;
      const isClean = message.basicId === null || /^[\x20-\x7e]{1,20}$/.test(message.basicId);
      return isKept && isClean && (message.receiver === null || (message.receiver === 'A1B2' && end !== '}'));
    }),
    { seed, numRuns: sized(5000) },
  );
});

t.test('outside the printed order, a key that stands twice refuses the line', async (t) => {
  const proper = `{"basic_id":"X1","mac":"${MAC}","drone_lat":1,"drone_long":2}\n`;
  t.match(one(proper).message, { mac: MAC, latDeg: 1, lonDeg: 2, basicId: 'X1' });
  const twice = ['"mac":"00:00:00:00:00:01"', '"drone_lat":9', '"m\\u0061c":"00:00:00:00:00:01"'];
  for (const member of twice) {
    t.same(one(proper.replace('}', `,${member}}`)).rejects, rejected({ malformed: 1 }), member);
  }
  t.same(one(printed({ extra: '"drone_lat":9,' })).rejects, rejected({ malformed: 1 }), 'in the printed part');
});

t.test('a line holds exactly one object', async (t) => {
  const object = `{"mac":"${MAC}"}`;
  for (const text of [
    `${object}${object}`,
    `${object},`,
    `${object}x`,
    `[${object}`,
    '{"mac":{"a":1}}',
    '{"mac":',
    '{',
  ]) {
    const { rejects, count } = one(`${text}\n`);
    t.equal(count, 0, text);
    t.equal(rejects.malformed + rejects.unknown_type, 1, text);
  }
});

t.test('a line that is cut off before its id is refused, and after it keeps the position', async (t) => {
  const whole = printed().trimEnd();
  const idAt = whole.indexOf('"basic_id"');
  for (let length = 1; length < whole.length; length++) {
    const { message, rejects } = one(`${whole.slice(0, length)}\n`);
    if (length < idAt + '"basic_id"'.length) t.same(rejects, rejected({ malformed: 1 }), `${length} bytes`);
    else t.match(message, { mac: MAC, latDeg: 51.500001, basicId: null }, `${length} bytes`);
  }
});

t.test('boot, status and heartbeat lines are signs of life and no rejects', async (t) => {
  const status = [
    '{"   [+] Device is active and scanning..."}',
    '{"heartbeat":"Device is active and running."}',
    '{"heartbeat":"home_node active","tracked_drones":3}',
    '{"status":"active","mode":"dual-band","bands":["2.4GHz","5GHz","BLE"]}',
    'USB Serial (for JSON) and UART (Serial1) initialized.',
    '[MESH] rst:0x1 (POWERON_RESET),boot:0x13',
    '========================================',
    'ets Jul 29 2019 12:21:46',
    'ESP-ROM:esp32s3-20210327',
    'rst:0x1 (POWERON_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)',
    'load:0x3fff0030,len:1184',
    'entry 0x400805e4',
    'I (312) wifi: wifi firmware version: 3.0',
    '[  1234][I][main.cpp:88] setup(): ready',
  ];
  const codec = createOdidJsonCodec();
  const { messages, rejects } = feed(codec, `${status.join('\r\n')}\r\n${printed()}`);
  t.equal(messages.length, 1);
  t.equal(codec.messages, status.length + 1);
  t.same(rejects, rejected({}));
  t.same(
    one('ng":8.730237,"basic_id":""}\r\n').rejects,
    rejected({ malformed: 1 }),
    'the end of a line that began before we listened',
  );
});

t.test('other text, and what a wrong baud rate makes of lines, is no sign of life', async (t) => {
  const codec = createOdidJsonCodec();
  const noise = Buffer.from(Array.from({ length: 4_000 }, (_, n) => (n * 7919 + (n >> 3) * 104_729) & 0xff));
  codec.decode(noise, '', 0, () => t.fail('a message'));
  codec.decode(Buffer.from('hello\n{"mode":3}\n[+] Device is active and scanning\x80\n'), '', 0, () =>
    t.fail('a message'),
  );
  t.equal(codec.messages, 0);
});

t.test('a mac that is none, and numbers that are no JSON, are malformed', async (t) => {
  t.same(one('{"mac":"24:0a:c4"}\n').rejects, rejected({ malformed: 1 }));
  t.same(one('{"mac":7}\n').rejects, rejected({ malformed: 1 }));
  t.same(one(printed({ lat: 'nan' })).rejects, rejected({ malformed: 1 }));
  t.same(one(printed({ lat: '"51.5"' })).rejects, rejected({ malformed: 1 }));
  t.equal(one(printed().replace('-71', '0')).message?.rssiDbm, null, 'a signal strength nobody filled in');
});

t.test('the fixture gives the same however it is cut', async (t) => {
  const whole = feedFile(createOdidJsonCodec(), fixturePath('mesh_detect.txt'));
  t.equal(whole.messages.length, 5);
  t.same(whole.rejects, rejected({ malformed: 1, implausible: 1 }));
  const seed = 11;
  t.comment(`seed ${seed}`);
  const bytes = readFileSync(fixturePath('mesh_detect.txt'));
  fc.assert(
    fc.property(fc.array(fc.nat(bytes.length), { maxLength: 30 }), (cuts) => {
      const cut = feed(createOdidJsonCodec(), bytes, cuts);
      return JSON.stringify(cut) === JSON.stringify(whole);
    }),
    { seed, numRuns: sized(300) },
  );
});

const flight = samplePath('esp32_json/mesh_detect_derived_from_anafi4.txt');
t.test('the lines of a real flight', needs(flight), async (t) => {
  const { messages, rejects } = feedFile(createOdidJsonCodec(), flight);
  // Counted apart with Python's json module over the same file.
  t.equal(messages.length, 1140);
  t.same(rejects, rejected({}));
  t.equal(messages.filter((m) => m.latDeg !== null).length, 1140);
  t.equal(messages.filter((m) => m.operatorLatDeg !== null).length, 1125);
  t.equal(messages.filter((m) => m.altGeoM !== null).length, 0);
  t.equal(messages.filter((m) => m.basicId === '1588E040445AC004418').length, 1125);
  t.equal(
    messages.reduce((sum, m) => sum + (m.rssiDbm ?? 0), 0),
    -52_510,
  );
  t.ok(Math.abs(messages.reduce((sum, m) => sum + (m.latDeg ?? 0), 0) - 53_806.490508) < 1e-6);
});
