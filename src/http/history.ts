import type { TrackPoint } from '../model/track.ts';

export const historyTypes = {
  geojson: 'application/geo+json',
  kml: 'application/vnd.google-earth.kml+xml',
  csv: 'text/csv; charset=utf-8',
} as const;
export type HistoryFormat = keyof typeof historyTypes;

/** A track's history as a file. Points without a position are in the CSV only: a map cannot show them. */
export function writeHistory(format: HistoryFormat, trackId: string, points: readonly TrackPoint[]): string {
  return writers[format](trackId, points);
}

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
] as const satisfies readonly (keyof TrackPoint)[];

const writers: Record<HistoryFormat, (trackId: string, points: readonly TrackPoint[]) => string> = {
  geojson: writeGeoJson,
  kml: writeKml,
  csv: (_trackId, points) => {
    const rows = points.map((point) => columns.map((column) => point[column] ?? '').join(','));
    return `${[columns.join(','), ...rows].join('\r\n')}\r\n`;
  },
};

type Placed = TrackPoint & { lat: number; lon: number };

function placed(points: readonly TrackPoint[]): Placed[] {
  return points.filter((point): point is Placed => point.lat !== null && point.lon !== null);
}

/** RFC 7946: longitude first, height above the WGS 84 ellipsoid where it is known. One feature a point. */
function writeGeoJson(trackId: string, points: readonly TrackPoint[]): string {
  const features = placed(points).map(({ lat, lon, ...properties }) => ({
    type: 'Feature',
    geometry: {
      type: 'Point',
      coordinates: properties.alt_hae_m === null ? [lon, lat] : [lon, lat, properties.alt_hae_m],
    },
    properties: { track_id: trackId, ...properties },
  }));
  return JSON.stringify({ type: 'FeatureCollection', features });
}

/**
 * KML 2.2 with the `gx:Track` extension, which carries a time with each point. KML heights are above sea level and
 * ours above the ellipsoid, so the points are clamped to the ground, and the height is given as data.
 */
function writeKml(trackId: string, points: readonly TrackPoint[]): string {
  const shown = placed(points);
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">',
    '<Document>',
    '<Schema id="point"><gx:SimpleArrayField name="alt_hae_m" type="float"/></Schema>',
    `<Placemark><name>${trackId}</name><gx:Track><altitudeMode>clampToGround</altitudeMode>`,
    ...shown.map((point) => `<when>${point.at}</when>`),
    ...shown.map((point) => `<gx:coord>${point.lon} ${point.lat} 0</gx:coord>`),
    '<ExtendedData><SchemaData schemaUrl="#point"><gx:SimpleArrayData name="alt_hae_m">',
    ...shown.map((point) => `<gx:value>${point.alt_hae_m ?? ''}</gx:value>`),
    '</gx:SimpleArrayData></SchemaData></ExtendedData>',
    '</gx:Track></Placemark>',
    '</Document>',
    '</kml>',
  ];
  return `${lines.join('\n')}\n`;
}
