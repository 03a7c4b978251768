import t from 'tap';
import type { Alert } from '../../../src/model/alert.ts';
import type { TrackPoint } from '../../../src/model/track.ts';
import { reportOf } from '../../../src/recording/evidence/report.ts';
import type { PlacedPoint, ReportData } from '../../../src/recording/evidence/report_data.ts';
import { reportPoints } from '../../../src/recording/evidence/report_points.ts';
import { trackAt } from '../../support/store/history_rows.ts';

const firstMs = Date.parse('2026-07-04T21:59:50.000Z');
const zoneId = '00000000-0000-4000-8000-000000000001';

function pointAt(s: number): PlacedPoint {
  const rest = { height_takeoff_m: null, speed_mps: 12, course_deg: 3, climb_mps: 0, h_m: 3 };
  const heights = { alt_hae_m: 560, alt_msl_m: 512, alt_agl_m: 80 };
  const at = new Date(firstMs + s * 1_000).toISOString();
  return { at, state: 'confirmed', lat: 48.2 + s * 1e-4, lon: 16.37 + s * 5e-5, ...heights, ...rest };
}

const alert: Alert = {
  ...{ id: zoneId, rule_id: 'zone_entry', rule_version: 1, severity: 'critical', state: 'acknowledged' },
  subject: { type: 'track', id: zoneId, label: 'T-0042' },
  ...{ text: 'T-0042 was in Turbine hall', track_ids: [zoneId], zone_id: zoneId, count: 1, steps: [] },
  ...{ raised_at: '2026-07-04T22:00:05.000Z', updated_at: '2026-07-04T22:00:05.000Z', escalated_at: null },
  acknowledged: { by: 'user:anna', at: '2026-07-04T22:00:30.000Z', note: null },
  ...{ cleared_at: null, cleared_reason: null, settled_at: null },
};

function dataOf(change: Partial<ReportData> = {}): ReportData {
  const track = trackAt(firstMs + 60_000, zoneId, {
    first_seen_at: new Date(firstMs).toISOString(),
    operator: { lat: 48.201, lon: 16.372, alt_hae_m: null, type: 'live_gnss', operator_id: 'FIN87astrdge12k8' },
    contributors: [{ sensor_id: zoneId, last_at: '2026-07-04T22:00:50.000Z', hits: 61, rssi_dbm: -60 }],
  });
  return {
    ...{ track, exportedAt: '2026-07-05T08:00:00.000Z', exportedBy: 'user:anna', workspace: 'Plant North' },
    ...{
      program: { name: 'Dunlin', version: '0.1.0' },
      timeZone: 'Europe/Vienna',
      pointCount: 61,
      extrapolatedCount: 0,
    },
    points: Array.from({ length: 61 }, (_, s) => pointAt(s)),
    highestLevel: 'critical',
    nearest: {
      ...{ kind: 'zone', id: zoneId, name: 'Turbine hall', distance_m: 0, inside: true },
      at: '2026-07-04T22:00:05.000Z',
    },
    entered: [
      {
        ...{ zone_id: zoneId, name: 'Turbine hall', kind: 'protected', entries: 1 },
        ...{ entered_at: '2026-07-04T22:00:05.000Z', left_at: null },
      },
    ],
    zones: [
      {
        ...{ id: zoneId, name: 'Turbine hall', kind: 'protected' },
        geometry: { type: 'Point', coordinates: [16.373, 48.206], radius_m: 150 },
      },
    ],
    ...{ alerts: [alert], deeds: [], nameOf: () => 'roof receiver', hasFrames: false },
    ...change,
  };
}

t.test('the report says in names and in the time of the site what happened, and draws it', (t) => {
  const html = reportOf(dataOf());
  for (const text of [
    ...['T-0042', '1581F4BN12345678', 'FIN87astrdge12k8', '48.201000° N, 16.372000° E', 'Plant North', 'roof receiver'],
    ...['2026-07-05 00:00:05', '2026-07-04 21:59:50 UTC', '22:00:05', 'user:anna', 'T-0042 was in Turbine hall'],
    ...[
      '80 m above ground',
      '<b>critical</b>',
      'Turbine hall (protected)',
      '>Pilot</text>',
      '>N</text>',
      '200 m</text>',
    ],
  ])
    t.ok(html.includes(text), text);
  t.notMatch(html, /NaN|undefined|Infinity/);
  t.notMatch(html, /<script|<img|<link|<iframe|src=|href=|url\(http|\son\w+=/i, 'it runs and loads nothing');
  t.match(html, /default-src 'none'/);
  t.match(html, /size: A4/);
  t.end();
});

const hostile = [
  '</td><script>alert(1)</script>',
  '"><svg onload=alert(1)>',
  'a\u202egnp.exe',
  'nul\u0000\u0007',
  "' & <b>",
  'x'.repeat(5_000),
];

t.test('no text of a stranger is markup, turns the page about or pushes it away', (t) => {
  for (const name of hostile) {
    const track = trackAt(firstMs, zoneId, {
      identities: [
        {
          type: 'callsign',
          value: name,
          transport: 'other',
          first_seen_at: alert.raised_at,
          last_seen_at: alert.raised_at,
        },
      ],
      operator: { lat: 48.2, lon: 16.37, alt_hae_m: null, type: 'fixed', operator_id: name },
      integrity: { verdict: 'suspect', score: 0, reasons: [{ id: 'jump', text: name }] },
      classification: [{ type: 'multirotor', confidence: 1, model: name }],
    });
    const [zone] = dataOf().zones;
    const html = reportOf(
      dataOf({
        ...{ track, workspace: name, exportedBy: name, nameOf: () => name },
        zones: zone ? [{ ...zone, name }] : [],
        alerts: [{ ...alert, text: name, acknowledged: { by: name, at: alert.raised_at, note: name } }],
        deeds: [{ at: alert.raised_at, by: name, text: name, reason: name }],
      }),
    );
    t.notMatch(html, /<script|onload=alert\(1\)>|<b>\W*$/m, name.slice(0, 20));
    t.notMatch(html, /[\p{Cf}\p{Zl}\p{Zp}]|(?!\n)\p{Cc}/u, 'no unseen character');
    t.ok(html.length < 60_000, `${html.length} characters`);
  }
  t.match(reportOf(dataOf({ workspace: 'a\u202egnp.exe' })), /a\[U\+202E\]gnp\.exe/);
  t.end();
});

t.test('a track that was only heard, and one of a simulation, have their reports', (t) => {
  const heard = reportOf(dataOf({ points: [], nearest: null, entered: [], alerts: [], highestLevel: null }));
  t.match(heard, /No position of the aircraft is known/);
  t.notMatch(heard, /NaN|undefined|Infinity/);
  const track = trackAt(firstMs, zoneId, { provenance: 'simulated' });
  t.match(reportOf(dataOf({ track })), /SIMULATED – NOT A REAL EVENT/);
  t.end();
});

t.test('a flight of any length is drawn by at most two thousand points, its first and last among them', async (t) => {
  async function* pages(): AsyncGenerator<TrackPoint[]> {
    for (let from = 0; from < 50_000; from += 1_000) yield Array.from({ length: 1_000 }, (_, i) => pointAt(from + i));
  }
  const { points, pointCount } = await reportPoints(pages());
  t.equal(pointCount, 50_000);
  t.ok(points.length <= 2_001 && points.length > 900, `${points.length} points`);
  t.equal(points[0]?.at, pointAt(0).at);
  t.equal(points.at(-1)?.at, pointAt(49_999).at);
});

t.test('the last place is the last that was observed, and computed points are counted', async (t) => {
  async function* pages(): AsyncGenerator<TrackPoint[]> {
    yield [pointAt(0), pointAt(1), { ...pointAt(20), state: 'coasting' }, { ...pointAt(40), state: 'lost' }];
  }
  const found = await reportPoints(pages());
  t.same(
    found.points.map(({ at }) => at),
    [pointAt(0).at, pointAt(1).at],
  );
  const html = reportOf(dataOf(found));
  t.match(html, /Last seen<\/th><td>.*48\.200100° N/);
  t.match(html, /4 in history\.csv, 2 of them predicted without an observation/);
});

t.test('each step of an alert stands at its time with its own severity and text', (t) => {
  const step = { rule_id: 'zone_entry', zone_id: zoneId } as const;
  const steps = [
    { ...step, at: '2026-07-04T22:00:05.000Z', severity: 'warning', text: 'T-0042 is near Turbine hall' } as const,
    { ...step, at: '2026-07-04T22:00:21.000Z', severity: 'critical', text: 'T-0042 is in Turbine hall' } as const,
  ];
  const html = reportOf(dataOf({ alerts: [{ ...alert, text: 'over: T-0042 was in Turbine hall', steps }] }));
  t.match(html, /22:00:05<\/span><\/td><td>warning<\/td><td><bdi>T-0042 is near/);
  t.match(html, /22:00:21<\/span><\/td><td>critical<\/td><td><bdi>T-0042 is in/);
  t.notMatch(html, /over: T-0042/, 'no text of another time');
  t.end();
});
