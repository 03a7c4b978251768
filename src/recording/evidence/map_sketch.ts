import { metresApart } from '../../geo/sphere.ts';
import type { Geometry, Position } from '../../model/geometry.ts';
import { MapLabels } from './map_labels.ts';
import type { PlacedPoint, ReportData } from './report_data.ts';
import type { ReportTimes } from './report_times.ts';

const WIDTH = 720;
const HEIGHT = 520;
const MARGIN = 46;
/** Least width and height of the mapped area, m. A smaller flight, such as hovering, is not enlarged further. */
const LEAST_M = 100;
/**
 * Greatest size of the map, as a multiple of the flight's extent. On a map of a country-wide zone the flight would be a
 * dot.
 */
const MOST_TIMES = 8;
const METRES_A_DEGREE = 111_195;
const RADIAN = Math.PI / 180;

type Xy = readonly [x: number, y: number];
type Place = { lat: number; lon: number };
type Shape = 'circle' | 'cross' | 'triangle' | 'square';
type Bounds = { west: number; east: number; south: number; north: number };

const dashes: Record<string, string> = {
  protected: '',
  warning: '8 4',
  alert: '8 3 2 3',
  keep_out: '3 3',
  keep_in: '12 4',
  ignore: '1 4',
};

/** Flat map around a centre. Converts positions to pixels of the SVG. */
class Sketch {
  readonly #middle: Place;
  readonly #pixelsAMetre: number;
  readonly #centre: Xy;

  constructor(middle: Place, { west, east, south, north }: Bounds) {
    this.#middle = middle;
    this.#pixelsAMetre = Math.min((WIDTH - 2 * MARGIN) / (east - west), (HEIGHT - 2 * MARGIN) / (north - south));
    this.#centre = [(west + east) / 2, (south + north) / 2];
  }

  get pixelsAMetre(): number {
    return this.#pixelsAMetre;
  }

  xy(place: Place): Xy {
    const [east, north] = metresFrom(this.#middle, place);
    return [
      WIDTH / 2 + (east - this.#centre[0]) * this.#pixelsAMetre,
      HEIGHT / 2 - (north - this.#centre[1]) * this.#pixelsAMetre,
    ];
  }
}

/** Returns a sketch of the flight as inline SVG: zones, track, pilot, take-off, scale and north arrow. */
export function mapSketch(data: ReportData, times: ReportTimes): string {
  const { points, track } = data;
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return '<p>No position of the aircraft is known.</p>';
  const { operator, takeoff } = track;
  const pilot =
    operator && operator.lat !== null && operator.lon !== null ? { lat: operator.lat, lon: operator.lon } : null;
  const sketch = sketchOf(first, data, [...points, ...(pilot ? [pilot] : []), ...(takeoff ? [takeoff] : [])]);
  const shown = data.zones.filter(({ geometry }) => isNear(geometry, sketch));
  const labels = new MapLabels(WIDTH, HEIGHT);
  labels.keepOff([WIDTH - 26, 30], 26);
  labels.keepOff([80, HEIGHT - 20], 84);
  const atPilot = pilot && takeoff && metresApart(latLonOf(pilot), latLonOf(takeoff)) < 5;
  const places: [Place | null, Shape, string][] = [
    [first, 'circle', `Start ${times.clock(first.at)}`],
    [last, 'cross', `End ${times.clock(last.at)}`],
    [atPilot ? null : takeoff, 'triangle', 'Take-off'],
    [pilot, 'square', atPilot ? 'Pilot, take-off' : 'Pilot'],
  ];
  for (const [place] of places) if (place) labels.keepOff(sketch.xy(place), 7);
  const signs = places.map(([place, shape, text]) => (place ? mark(sketch.xy(place), shape, text, labels) : ''));
  const areas = shown.map((zone) => zoneOf(zone, sketch, labels));
  const marks = [...areas, trackLine(points, sketch), ...signs];
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Map sketch of the flight" font-family="Arial, sans-serif" font-size="12">
<defs><pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0V7" stroke="#bbb" stroke-width="1"/></pattern></defs>
${marks.join('\n')}
${labels.text()}
${north()}
${scale(sketch)}
</svg>
<p>Solid line: flight. Circle: first position. Cross: last position. Square: pilot as reported. Hatched: protected zone.
North is up. This is a sketch without a base map; exact positions are in history.csv.</p>`;
}

function latLonOf({ lat, lon }: Place): { latDeg: number; lonDeg: number } {
  return { latDeg: lat, lonDeg: lon };
}

function metresFrom(middle: Place, { lat, lon }: Place): Xy {
  const turned = ((lon - middle.lon + 540) % 360) - 180;
  return [turned * METRES_A_DEGREE * Math.cos(middle.lat * RADIAN), (lat - middle.lat) * METRES_A_DEGREE];
}

/**
 * Chooses the section of the map. It contains flight, pilot and take-off, and also the entered zones, unless it would
 * then be more than `MOST_TIMES` times as large.
 */
function sketchOf(middle: Place, { zones, entered }: ReportData, places: readonly Place[]): Sketch {
  const own = around(places.map((place) => metresFrom(middle, place)));
  const size = Math.max(own.east - own.west, own.north - own.south, LEAST_M);
  const ids = new Set(entered.map(({ zone_id }) => zone_id));
  const corners = zones.filter(({ id }) => ids.has(id)).flatMap(({ geometry }) => cornersOf(geometry, middle));
  const whole = around([...places.map((place) => metresFrom(middle, place)), ...corners]);
  const fits = Math.max(whole.east - whole.west, whole.north - whole.south) <= MOST_TIMES * size;
  return new Sketch(middle, widened(fits ? whole : own));
}

function around(places: readonly Xy[]): Bounds {
  const bounds = { west: Infinity, east: -Infinity, south: Infinity, north: -Infinity };
  for (const [east, north] of places) {
    bounds.west = Math.min(bounds.west, east);
    bounds.east = Math.max(bounds.east, east);
    bounds.south = Math.min(bounds.south, north);
    bounds.north = Math.max(bounds.north, north);
  }
  return bounds;
}

function widened({ west, east, south, north }: Bounds): Bounds {
  const [x, y] = [Math.max(0, LEAST_M - (east - west)) / 2, Math.max(0, LEAST_M - (north - south)) / 2];
  return { west: west - x, east: east + x, south: south - y, north: north + y };
}

function cornersOf(geometry: Geometry, middle: Place): Xy[] {
  const of = ([lon, lat]: Position): Xy => metresFrom(middle, { lat, lon });
  if (geometry.type === 'Point') {
    const [x, y] = of(geometry.coordinates);
    const r = geometry.radius_m;
    return [
      [x - r, y - r],
      [x + r, y + r],
    ];
  }
  return ringsOf(geometry).flat().map(of);
}

function ringsOf(geometry: Geometry): Position[][] {
  if (geometry.type === 'Polygon') return geometry.coordinates;
  if (geometry.type === 'MultiPolygon') return geometry.coordinates.flat();
  return geometry.type === 'LineString' ? [geometry.coordinates] : [[geometry.coordinates]];
}

function isNear(geometry: Geometry, sketch: Sketch): boolean {
  const [first] = ringsOf(geometry).flat();
  if (!first) return false;
  const reach = geometry.type === 'Point' ? geometry.radius_m * sketch.pixelsAMetre : 0;
  const xys = ringsOf(geometry)
    .flat()
    .map(([lon, lat]) => sketch.xy({ lat, lon }));
  const { west, east, south, north } = around(xys);
  return west - reach < WIDTH && east + reach > 0 && south - reach < HEIGHT && north + reach > 0;
}

function zoneOf(zone: ReportData['zones'][number], sketch: Sketch, labels: MapLabels): string {
  const { geometry, name, kind } = zone;
  const dash = dashes[kind] ? ` stroke-dasharray="${dashes[kind]}"` : '';
  const fill = kind === 'protected' ? 'url(#hatch)' : 'none';
  const style = `fill="${fill}" stroke="#000" stroke-width="${kind === 'protected' ? 1.6 : 1}"${dash}`;
  const rings = ringsOf(geometry).map((ring) => ring.map(([lon, lat]) => sketch.xy({ lat, lon })));
  const all = rings.flat();
  const top = all.reduce((high, xy) => (xy[1] < high[1] ? xy : high), all[0] ?? [0, 0]);
  const reach = geometry.type === 'Point' ? geometry.radius_m * sketch.pixelsAMetre : 0;
  const [x, edge] = [top[0], top[1] - reach];
  labels.put(`${name} (${kind.replaceAll('_', ' ')})`, () => [16, -4, 30, -18, 44, 60].map((down) => [x, edge + down]));
  if (geometry.type === 'Point') {
    return `<circle cx="${px(x)}" cy="${px(top[1])}" r="${px(reach)}" ${style}/>`;
  }
  if (geometry.type === 'LineString') {
    const width = Math.max(2, geometry.width_m * sketch.pixelsAMetre);
    return `<path d="${pathOf(rings[0] ?? [], '')}" fill="none" stroke="#000" stroke-opacity="0.15" stroke-width="${px(width)}"/>`;
  }
  return `<path d="${rings.map((ring) => pathOf(ring, 'Z')).join('')}" fill-rule="evenodd" ${style}/>`;
}

function trackLine(points: readonly PlacedPoint[], sketch: Sketch): string {
  const path = pathOf(
    points.map((point) => sketch.xy(point)),
    '',
  );
  return `<path d="${path}" fill="none" stroke="#fff" stroke-width="5" stroke-linejoin="round"/><path d="${path}" fill="none" stroke="#000" stroke-width="2.2" stroke-linejoin="round"/>`;
}

function pathOf(xys: readonly Xy[], end: string): string {
  return xys.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${px(x)} ${px(y)}`).join('') + end;
}

function mark([x, y]: Xy, shape: Shape, text: string, labels: MapLabels): string {
  const shapes = {
    circle: `<circle cx="${px(x)}" cy="${px(y)}" r="5" fill="#fff" stroke="#000" stroke-width="2"/>`,
    cross: `<path d="M${px(x - 5)} ${px(y - 5)}L${px(x + 5)} ${px(y + 5)}M${px(x - 5)} ${px(y + 5)}L${px(x + 5)} ${px(y - 5)}" stroke="#000" stroke-width="2.5"/>`,
    triangle: `<path d="M${px(x)} ${px(y - 6)}L${px(x + 6)} ${px(y + 5)}H${px(x - 6)}Z" fill="#fff" stroke="#000" stroke-width="2"/>`,
    square: `<rect x="${px(x - 5)}" y="${px(y - 5)}" width="10" height="10" fill="#000"/>`,
  };
  labels.put(text, (half) => [
    [x + half + 10, y + 7],
    [x - half - 10, y + 7],
    [x, y + 22],
    [x, y - 9],
    [x + half + 10, y + 22],
    [x + half + 10, y - 9],
  ]);
  return shapes[shape];
}

function north(): string {
  return `<g transform="translate(${WIDTH - 26} 34)"><path d="M0 -20L7 6L0 0L-7 6Z" fill="#000"/><text x="0" y="20" text-anchor="middle" font-weight="bold">N</text></g>`;
}

/** Returns a scale bar of a round length, at most a fifth of the map's width. */
function scale({ pixelsAMetre }: Sketch): string {
  const wanted = WIDTH / 5 / pixelsAMetre;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const metres = ([5, 2, 1].find((one) => one * power <= wanted) ?? 1) * power;
  const text = metres >= 1_000 ? `${metres / 1_000} km` : `${metres} m`;
  const [x, y, length] = [16, HEIGHT - 16, metres * pixelsAMetre];
  return `<rect x="${x - 6}" y="${y - 24}" width="${px(length + 12)}" height="34" fill="#fff"/><path d="M${x} ${y - 6}V${y}H${px(x + length)}V${y - 6}" fill="none" stroke="#000" stroke-width="2"/><text x="${px(x + length / 2)}" y="${y - 8}" text-anchor="middle">${text}</text>`;
}

function px(value: number): string {
  return value.toFixed(1);
}
