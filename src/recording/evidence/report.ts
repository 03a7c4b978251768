import type { Alert } from '../../model/alert.ts';
import type { Track } from '../../model/track.ts';
import { mapSketch } from './map_sketch.ts';
import type { ReportData } from './report_data.ts';
import { reportStyle } from './report_style.ts';
import { durationText, ReportTimes } from './report_times.ts';
import { escaped } from './shown_text.ts';

/** Limit of the rows of one table in a report. */
const MOST_ROWS = 60;
const verdicts: Record<Track['integrity']['verdict'], string> = {
  consistent: 'consistent with what the sensors measured',
  unchecked: 'not checked: no other sensor could confirm or contradict it',
  suspect: 'suspect: contradicted by measurements',
};
const bases: Record<Track['affiliation_basis'], string> = {
  telemetry: 'by its own authenticated telemetry',
  remote_id: 'as claimed by Remote ID',
  assignment: 'by decision of a person',
  none: 'no evidence contradicts it',
};

/**
 * Returns the report of a track as one HTML page for print on A4. It contains no script and loads nothing. All texts
 * are escaped.
 */
export function reportOf(data: ReportData): string {
  const { track, exportedAt, exportedBy, program, workspace } = data;
  const times = new ReportTimes(data.timeZone);
  const simulated =
    track.provenance === 'live' ? '' : `<p class="stamp">${track.provenance.toUpperCase()} – NOT A REAL EVENT</p>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Report on track ${escaped(track.number)}</title>
<style>${reportStyle}</style>
</head>
<body>
<header>
<h1>Report on unmanned aircraft, track ${escaped(track.number)}</h1>
<p>Site: ${named(workspace)} · made ${times.both(exportedAt)} by ${named(exportedBy)}
with ${escaped(program.name)} ${escaped(program.version)}</p>
</header>
${simulated}
<p class="summary">${summaryOf(data, times)}</p>
<h2>Aircraft</h2>
${aircraftOf(data)}
<h2>Time and place</h2>
${placeOf(data, times)}
<h2>Pilot</h2>
${pilotOf(track)}
<section class="map"><h2>Map sketch</h2>
${mapSketch(data, times)}
</section>
<h2>Zones</h2>
${zonesOf(data, times)}
<h2>Alerts</h2>
${alertsOf(data.alerts, times)}
<h2>What people did</h2>
${table(
  ['Time', 'UTC', 'Person', 'What', 'Reason'],
  data.deeds.map(({ at, by, text, reason }) => [...both(at, times), named(by), named(text), named(reason ?? '–')]),
  'Nothing is recorded.',
)}
<h2>Sensors</h2>
${table(
  ['Sensor', 'Reports', 'Last report', 'UTC'],
  track.contributors.map(({ sensor_id, hits, last_at }) => [
    named(data.nameOf(sensor_id) ?? 'a sensor that was deleted'),
    String(hits),
    ...both(last_at, times),
  ]),
  'None is known.',
)}
<footer>
<p>Positions are WGS 84 degrees. What an aircraft transmits about itself (identities, pilot, take-off) is a claim and can be
false. Times stand in the zone ${escaped(data.timeZone)}, with UTC beside.</p>
<p>This page is one file of an archive. The others have every point, observation and log entry${data.hasFrames ? ', and the frames as they were received' : ''}.
manifest.json and SHA256SUMS of the archive have the hash of each file, this one included; README.txt says how to check them.</p>
<p class="id">Track id ${track.id}</p>
</footer>
</body>
</html>
`;
}

/**
 * Returns a text of unknown origin as HTML. It is isolated, so that its writing direction does not affect the text
 * around it.
 */
function named(text: string): string {
  return `<bdi>${escaped(text)}</bdi>`;
}

function both(at: string, times: ReportTimes): [string, string] {
  return [`<span class="time">${times.local(at)}</span>`, `<span class="time">${at.slice(11, 19)}</span>`];
}

function summaryOf({ track, entered, nearest, highestLevel, zones }: ReportData, times: ReportTimes): string {
  const serial = track.identities.find(({ type }) => type === 'serial');
  const who = serial
    ? `An aircraft that reports the serial number ${named(serial.value)}`
    : 'An aircraft without a reported serial number';
  const { first_seen_at: from, last_seen_at: to } = track;
  const when = `was observed from ${times.both(from)} to ${times.both(to)} (${durationText(from, to)})`;
  const names = entered.map(({ zone_id, name }) =>
    named(name ?? zones.find(({ id }) => id === zone_id)?.name ?? 'a deleted zone'),
  );
  const where = names.length === 0 ? 'It entered no zone.' : `It entered ${names.join(', ')}.`;
  const near = nearest === null ? '' : ` ${nearestText(nearest, times)}`;
  const level = highestLevel === null ? '' : ` Its highest threat level was <b>${highestLevel}</b>.`;
  return `${who} ${when}. ${where}${near}${level}`;
}

function nearestText({ name, distance_m, inside, at }: NonNullable<ReportData['nearest']>, times: ReportTimes): string {
  const when = `at ${times.both(at)}`;
  return inside
    ? `It was inside the protected ${named(name)} ${when}.`
    : `Its nearest approach to the protected ${named(name)} was ${Math.round(distance_m)} m, ${when}.`;
}

function aircraftOf({ track, nameOf }: ReportData): string {
  const { identities, classification, affiliation, affiliation_basis, asset_id, integrity } = track;
  const names = identities.map(
    ({ type, value, transport }) =>
      `${escaped(type.replaceAll('_', ' '))} ${named(value)} (${escaped(transport.replaceAll('_', ' '))})`,
  );
  const types = classification.map(({ type, confidence, model }) =>
    [
      `${escaped(type.replaceAll('_', ' '))} (${Math.round(confidence * 100)} %)`,
      ...(model ? [named(model)] : []),
    ].join(', '),
  );
  const asset = asset_id === null ? '' : `, ${named(nameOf(asset_id) ?? 'an asset that was deleted')}`;
  const reasons = integrity.reasons.map(({ text }) => `<br>${named(text)}`).join('');
  return facts([
    ['Reported identities', names.join('<br>') || 'none'],
    ['Type', types.join('<br>') || 'not known'],
    ['Affiliation', `${affiliation} (${bases[affiliation_basis]})${asset}`],
    ['Its reports are', `${verdicts[integrity.verdict]}${reasons}`],
  ]);
}

function placeOf({ track, points, pointCount, extrapolatedCount, nearest }: ReportData, times: ReportTimes): string {
  const { first_seen_at: from, last_seen_at: to } = track;
  const [first, last] = [points[0], points.at(-1)];
  const highest = Math.max(...points.map(({ alt_agl_m }) => alt_agl_m ?? Number.NEGATIVE_INFINITY));
  const highestMsl = Math.max(...points.map(({ alt_msl_m }) => alt_msl_m ?? Number.NEGATIVE_INFINITY));
  const fastest = Math.max(...points.map(({ speed_mps }) => speed_mps ?? Number.NEGATIVE_INFINITY));
  const metres = (value: number, of: string): string[] =>
    value === Number.NEGATIVE_INFINITY ? [] : [`${Math.round(value)} m ${of}`];
  return facts([
    ['First seen', `${times.both(from)}${first ? ` at ${placeText(first)}` : ''}`],
    ['Last seen', `${times.both(to)}${last ? ` at ${placeText(last)}` : ''}`],
    ['Duration', durationText(from, to)],
    ['Nearest approach', nearest === null ? 'none to a protected area' : nearestText(nearest, times)],
    [
      'Greatest height',
      [...metres(highest, 'above ground'), ...metres(highestMsl, 'above sea level')].join(', ') || 'not known',
    ],
    [
      'Greatest speed',
      fastest === Number.NEGATIVE_INFINITY
        ? 'not known'
        : `${fastest.toFixed(1)} m/s (${Math.round(fastest * 3.6)} km/h)`,
    ],
    [
      'Points',
      `${pointCount} in history.csv${extrapolatedCount === 0 ? '' : `, ${extrapolatedCount} of them predicted without an observation`}`,
    ],
  ]);
}

function pilotOf({ operator, takeoff }: Track): string {
  if (operator === null && takeoff === null) return '<p>The aircraft reported no pilot and no take-off place.</p>';
  const kinds: Record<string, string> = {
    live_gnss: 'as measured by the remote control',
    takeoff: 'the place of take-off',
    fixed: 'a fixed place',
  };
  const at =
    operator === null || operator.lat === null || operator.lon === null
      ? 'not reported'
      : `${placeText({ lat: operator.lat, lon: operator.lon })} (${kinds[operator.type] ?? escaped(operator.type)})`;
  return facts([
    ['Operator id', operator?.operator_id ? named(operator.operator_id) : 'not reported'],
    ['Place of the pilot, last reported', at],
    ['Place of take-off', takeoff === null ? 'not reported' : placeText(takeoff)],
  ]);
}

function zonesOf({ entered, zones }: ReportData, times: ReportTimes): string {
  return table(
    ['Zone', 'Kind', 'First entry', 'UTC', 'Last exit', 'UTC', 'Entries'],
    entered.map(({ zone_id, name, kind, entered_at, left_at, entries }) => {
      const now = zones.find(({ id }) => id === zone_id);
      const left = left_at === null ? ['not seen to leave', '–'] : both(left_at, times);
      return [
        named(name ?? now?.name ?? 'a deleted zone'),
        (kind ?? now?.kind ?? '–').replaceAll('_', ' '),
        ...both(entered_at, times),
        ...left,
        String(entries),
      ];
    }),
    'It entered no zone.',
  );
}

/**
 * Returns a table of alerts, with a row for each step. Each row shows the severity and text that the alert had at that
 * time.
 */
function alertsOf(alerts: readonly Alert[], times: ReportTimes): string {
  return table(
    ['Time', 'UTC', 'Severity', 'Text', 'Acknowledged', 'Over'],
    alerts.flatMap((alert) => stepsOf(alert).map((step, at) => stepRow(alert, step, at === 0, times))),
    'None was raised.',
  );
}

type ShownStep = Pick<Alert['steps'][number], 'at' | 'severity' | 'text'>;

function stepsOf({ steps, raised_at: at, severity, text }: Alert): readonly ShownStep[] {
  return steps.length > 0 ? steps : [{ at, severity, text }];
}

function stepRow(
  { acknowledged, cleared_at }: Alert,
  { at, severity, text }: ShownStep,
  isFirst: boolean,
  times: ReportTimes,
): string[] {
  const taken = acknowledged === null ? 'no' : `${times.shortBoth(acknowledged.at)} by ${named(acknowledged.by)}`;
  const over = cleared_at === null ? 'no' : times.shortBoth(cleared_at);
  return [...both(at, times), severity, named(text), ...(isFirst ? [taken, over] : ['', ''])];
}

function placeText({ lat, lon }: { lat: number; lon: number }): string {
  return `${Math.abs(lat).toFixed(6)}° ${lat < 0 ? 'S' : 'N'}, ${Math.abs(lon).toFixed(6)}° ${lon < 0 ? 'W' : 'E'}`;
}

/** Returns a table of names and values; both are HTML already. */
function facts(rows: readonly (readonly [string, string])[]): string {
  return `<table class="facts">${rows.map(([name, value]) => `<tr><th scope="row">${name}</th><td>${value}</td></tr>`).join('\n')}</table>`;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[], none: string): string {
  if (rows.length === 0) return `<p>${none}</p>`;
  const body = rows.slice(0, MOST_ROWS).map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`);
  const more =
    rows.length > MOST_ROWS ? `<p>${rows.length - MOST_ROWS} more rows are in the other files of the archive.</p>` : '';
  return `<table class="list"><thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join('')}</tr></thead>
<tbody>${body.join('\n')}</tbody></table>${more}`;
}
