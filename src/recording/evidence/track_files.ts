import { csvCell } from '../../model/csv_cell.ts';
import type { Track, TrackPoint } from '../../model/track.ts';
import { escaped } from './shown_text.ts';

/** Pages of points, the oldest first. */
export type PointPages = Iterable<readonly TrackPoint[]> | AsyncIterable<readonly TrackPoint[]>;

export const trackFormats = ['geojson', 'kml', 'csv'] as const;
export type TrackFormat = (typeof trackFormats)[number];

/**
 * Yields a track's history as a file, in pieces. Points without a position are in the CSV only, since a map cannot show
 * them.
 */
export function trackFile(format: TrackFormat, of: FileSubject, pages: PointPages): AsyncGenerator<string> {
  return writers[format](of, pages);
}

/** The track of a file. Pilot and take-off are the last reported ones; null if the reader may not see them. */
export type FileSubject = Pick<Track, 'id' | 'number' | 'operator' | 'takeoff'>;

const writers: Record<TrackFormat, (of: FileSubject, pages: PointPages) => AsyncGenerator<string>> = {
  geojson: geoJson,
  kml,
  csv,
};

const columns = [
  'at',
  'state',
  'lat',
  'lon',
  'alt_hae_m',
  'height_takeoff_m',
  'speed_mps',
  'course_deg',
  'climb_mps',
  'h_m',
  'alt_msl_m',
  'alt_agl_m',
] as const satisfies readonly (keyof TrackPoint)[];

/** Columns with the last reported pilot and take-off. Their values are the same in each row. */
const pilotColumns = ['operator_id', 'operator_lat', 'operator_lon', 'takeoff_lat', 'takeoff_lon'];

async function* csv({ operator, takeoff }: FileSubject, pages: PointPages): AsyncGenerator<string> {
  const places = [operator?.lat, operator?.lon, takeoff?.lat, takeoff?.lon].map((value) => value ?? '');
  const pilot = [csvCell(operator?.operator_id ?? null), ...places].join(',');
  yield `${[...columns, ...pilotColumns].join(',')}\r\n`;
  for await (const points of pages) {
    yield points.map((point) => `${columns.map((column) => point[column] ?? '').join(',')},${pilot}\r\n`).join('');
  }
}

type PilotPlace = { role: 'pilot' | 'takeoff'; lat: number; lon: number; operator_id?: string | null };

/** Returns the positions of pilot and take-off, if they were reported. */
function pilotPlaces({ operator, takeoff }: FileSubject): PilotPlace[] {
  const places: PilotPlace[] = [];
  if (operator && operator.lat !== null && operator.lon !== null)
    places.push({ role: 'pilot', lat: operator.lat, lon: operator.lon, operator_id: operator.operator_id ?? null });
  if (takeoff) places.push({ role: 'takeoff', lat: takeoff.lat, lon: takeoff.lon });
  return places;
}

type Placed = TrackPoint & { lat: number; lon: number };

function placed(points: readonly TrackPoint[]): Placed[] {
  return points.filter((point): point is Placed => point.lat !== null && point.lon !== null);
}

/**
 * Yields a GeoJSON file (RFC 7946) with a feature for each point that has a position, and for the last reported pilot
 * and take-off. Longitude comes first, then latitude, and the height above the WGS 84 ellipsoid if it is known.
 */
async function* geoJson(of: FileSubject, pages: PointPages): AsyncGenerator<string> {
  yield '{"type":"FeatureCollection","features":[';
  let comma = '';
  for await (const points of pages) {
    const features = placed(points).map(({ lat, lon, ...properties }) => ({
      type: 'Feature',
      geometry: {
        type: 'Point',
        coordinates: properties.alt_hae_m === null ? [lon, lat] : [lon, lat, properties.alt_hae_m],
      },
      properties: { track_id: of.id, ...properties },
    }));
    if (features.length === 0) continue;
    yield comma + features.map((feature) => JSON.stringify(feature)).join(',');
    comma = ',';
  }
  for (const { lat, lon, ...rest } of pilotPlaces(of)) {
    const geometry = { type: 'Point', coordinates: [lon, lat] };
    yield comma + JSON.stringify({ type: 'Feature', geometry, properties: { track_id: of.id, ...rest } });
    comma = ',';
  }
  yield ']}';
}

/**
 * Yields a KML 2.2 file with the `gx:Track` extension, which gives each point a time. A long path consists of several
 * joined tracks. KML heights are above sea level, ours above the ellipsoid. The points are therefore clamped to the
 * ground, and the height is given as data.
 */
async function* kml(of: FileSubject, pages: PointPages): AsyncGenerator<string> {
  yield `${[
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">',
    '<Document>',
    '<Schema id="point"><gx:SimpleArrayField name="alt_hae_m" type="float"/></Schema>',
    `<Placemark><name>${of.number}</name><description>${of.id}</description><gx:MultiTrack>`,
    '<altitudeMode>clampToGround</altitudeMode><gx:interpolate>1</gx:interpolate>',
  ].join('\n')}\n`;
  for await (const points of pages) {
    const shown = placed(points);
    if (shown.length === 0) continue;
    yield `${[
      '<gx:Track>',
      ...shown.map((point) => `<when>${point.at}</when>`),
      ...shown.map((point) => `<gx:coord>${point.lon} ${point.lat} 0</gx:coord>`),
      '<ExtendedData><SchemaData schemaUrl="#point"><gx:SimpleArrayData name="alt_hae_m">',
      ...shown.map((point) => `<gx:value>${point.alt_hae_m ?? ''}</gx:value>`),
      '</gx:SimpleArrayData></SchemaData></ExtendedData>',
      '</gx:Track>',
    ].join('\n')}\n`;
  }
  yield `</gx:MultiTrack></Placemark>\n${pilotPlaces(of).map(placemark).join('')}</Document>\n</kml>\n`;
}

function placemark({ role, lat, lon, operator_id }: PilotPlace): string {
  const name = role === 'pilot' ? 'Pilot' : 'Take-off';
  const description = operator_id ? `<description>${escaped(operator_id)}</description>` : '';
  return `<Placemark><name>${name}</name>${description}<Point><coordinates>${lon},${lat}</coordinates></Point></Placemark>\n`;
}
