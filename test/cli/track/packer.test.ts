import t from 'tap';
import { readDetection } from '../../../src/cli/track/detection_line.ts';
import { Packer } from '../../../src/cli/track/packer.ts';
import { OBSERVED, OBSERVED_KIND } from '../../../src/model/rows/layouts.ts';
import { site } from './site_fixture.ts';

type Row = Record<string, number>;

/** The rows of lines by column, without what is not known. */
function packed(packer: Packer, ...lines: object[]): Row[] {
  for (const line of lines) packer.add(readDetection(JSON.stringify({ t: 1, tr: 1.5, ...line })));
  const { rows } = packer.take();
  const { width, ...columns } = OBSERVED;
  return Array.from({ length: rows.length / width }, (_, i) => {
    const cells = Object.entries(columns).map(([name, column]) => [name, rows[i * width + column] ?? 0]);
    return Object.fromEntries(cells.filter(([, value]) => !Number.isNaN(value)));
  });
}

const base = { timeS: 1, receivedS: 1.5, claim: -1, scan: -1, emitter: -1, authentic: 0 };

t.test('the head of a scan says how many plots follow', async (t) => {
  t.same(packed(new Packer(site), { i: 7, s: 'tower', k: 'scan', sc: 4, n: 2 }), [
    { ...base, kind: OBSERVED_KIND.scan, sensor: 0, sequence: 7, scan: 4, plots: 2 },
  ]);
});

t.test('a plot holds what its sensor measures, each in its column', async (t) => {
  const rows = packed(
    new Packer(site),
    { i: 1, s: 'tower', k: 'polar3d', sc: 4, az: 10, el: 2, r: 900, sd: [0.5, 0.7, 5] },
    { i: 2, s: 'flat', k: 'polar2d', sc: 5, az: 11, r: 901, sd: [0.6, 8] },
    { i: 3, s: 'eye', k: 'azel', sc: 6, az: 12, el: 3, sd: [0.1, 0.2] },
    { i: 4, s: 'ear', k: 'bearing', az: 13, sd: [3] },
  );
  const plot = { ...base, kind: OBSERVED_KIND.plot };
  t.same(rows, [
    {
      ...plot,
      sensor: 0,
      sequence: 1,
      scan: 4,
      azimuthOrLatDeg: 10,
      elevationOrLonDeg: 2,
      rangeOrAltHaeM: 900,
      sdAzimuthDegOrHM: 0.5,
      sdElevationDegOrVM: 0.7,
      sdRangeM: 5,
    },
    {
      ...plot,
      sensor: 1,
      sequence: 2,
      scan: 5,
      azimuthOrLatDeg: 11,
      rangeOrAltHaeM: 901,
      sdAzimuthDegOrHM: 0.6,
      sdRangeM: 8,
    },
    {
      ...plot,
      sensor: 2,
      sequence: 3,
      scan: 6,
      azimuthOrLatDeg: 12,
      elevationOrLonDeg: 3,
      sdAzimuthDegOrHM: 0.1,
      sdElevationDegOrVM: 0.2,
    },
    { ...plot, sensor: 3, sequence: 4, azimuthOrLatDeg: 13, sdAzimuthDegOrHM: 3 },
  ]);
});

t.test('emitters are numbered as they appear', async (t) => {
  const heard = (em?: string) => ({ s: 'ear', k: 'bearing', az: 1, sd: [3], ...(em && { em }) });
  const rows = packed(new Packer(site), heard('x'), heard('y'), heard(), heard('x'));
  t.same(
    rows.map((row) => row.emitter),
    [0, 1, -1, 0],
  );
});

t.test('a position says who speaks, and how it moves along its own axes', async (t) => {
  const says = { k: 'pos', id: 'A1', lat: 10.1, lon: 20.1, alt: 300, vh: 10, trk: 90, vv: -1, sd: [9, 9, 12] };
  const [row] = packed(new Packer(site), { s: 'rid', ...says, vsd: [0.5, 0.5, 0.8] });
  t.ok(Math.abs(row?.northMps ?? 1) < 1e-9);
  t.match(row, {
    kind: OBSERVED_KIND.position,
    sensor: 4,
    claim: 0,
    azimuthOrLatDeg: 10.1,
    elevationOrLonDeg: 20.1,
    rangeOrAltHaeM: 300,
    sdAzimuthDegOrHM: 9,
    sdElevationDegOrVM: 12,
  });
  t.match(row, { eastMps: 10, upMps: -1, sdSpeedMps: 0.5, sdClimbMps: 0.8, authentic: 0, scan: -1 });
  t.notOk('sdRangeM' in (row ?? {}));
  const [still] = packed(new Packer(site), { s: 'rid', ...says, vh: null, trk: null, vv: null });
  for (const name of ['eastMps', 'northMps', 'upMps', 'sdSpeedMps', 'sdClimbMps']) t.notOk(name in (still ?? {}), name);
});

t.test('what one says of itself goes along once, under the kind of name its link carries', async (t) => {
  const packer = new Packer(site);
  const says = (s: string, id: string) =>
    readDetection(JSON.stringify({ t: 0, tr: 0, s, k: 'pos', id, lat: 1, lon: 1, alt: 1, sd: [1, 1, 1] }));
  for (const line of [says('rid', 'A'), says('telemetry', 'A'), says('squitter', 'A'), says('rid', 'A')])
    packer.add(line);
  const { rows, dossiers } = packer.take();
  const column = (name: keyof typeof OBSERVED) => [0, 1, 2, 3].map((i) => rows[i * OBSERVED.width + OBSERVED[name]]);
  t.same(
    dossiers.map(({ index, identities }) => ({ index, identities })),
    [
      { index: 0, identities: [{ type: 'serial', value: 'A', transport: 'other' }] },
      { index: 1, identities: [{ type: 'mavlink', value: 'A', transport: 'mavlink' }] },
      { index: 2, identities: [{ type: 'icao24', value: 'A', transport: 'adsb' }] },
    ],
  );
  t.same(column('claim'), [0, 1, 2, 0]);
  t.same(column('authentic'), [0, 1, 0, 0]);
  t.same(column('sequence'), [0, 1, 2, 3], 'lines without a number are counted');
  t.same(packer.take(), { rows: new Float64Array(), dossiers: [] });
});

t.test('a line that is not of this site is refused in a sentence', async (t) => {
  const check = (line: object) => () => new Packer(site).check(readDetection(JSON.stringify({ t: 0, tr: 0, ...line })));
  t.throws(check({ s: 'nobody', k: 'scan', sc: 0, n: 0 }), { message: "the site has no sensor 'nobody'" });
  t.throws(check({ s: 'rid', k: 'scan', sc: 0, n: 0 }), {
    message: "the sensor 'rid' is of the kind pos, but the line is of the kind scan",
  });
  t.throws(check({ s: 'ear', k: 'azel', az: 1, el: 1, sd: [1, 1] }), {
    message: "the sensor 'ear' is of the kind bearing, but the line is of the kind azel",
  });
});

t.test('a line that cannot be read says what is wrong with it', async (t) => {
  const reading = (text: string) => () => readDetection(text);
  t.throws(reading('{'), { message: 'is not JSON' });
  t.throws(reading('[]'), { message: 'the line must be an object, not a list' });
  t.throws(reading('{"k":"sonar"}'), { message: /^'k' must be one of scan, polar3d, / });
  t.throws(reading('{"k":"bearing","t":0,"tr":0,"s":"ear","az":"north","sd":[3]}'), {
    message: "'az' must be a number, not a string",
  });
  t.throws(reading('{"k":"bearing","t":0,"tr":0,"s":"ear","az":1,"sd":[0]}'), {
    message: "'sd[0]' must be greater than 0",
  });
});
