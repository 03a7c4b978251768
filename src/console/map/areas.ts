import type { Region } from '../../model/region.ts';
import type { Sensor } from '../../model/sensor.ts';
import type { Zone } from '../../model/zone.ts';
import { type Draft, geometryOf } from '../state/draft.ts';
import { isWithinHours } from '../state/hours.ts';
import type { Settings } from '../state/setting_values.ts';
import { words } from '../words/en.ts';
import { type Camera, metresPerPx, type Place, placeAt, project } from './camera.ts';
import type { Colours } from './colours.ts';
import { drawGraticule } from './graticule.ts';
import type { Box } from './labels.ts';
import { isDead } from './sensor_names.ts';
import { circleOf, ringsOf, sectorOf } from './shapes.ts';
import { trace } from './trace.ts';

export type AreasView = {
  zones: readonly Zone[];
  regions: readonly Region[];
  sensors: readonly Sensor[];
  /** Centre of the range rings; null where there is no site. */
  site: Place | null;
  /** The area that is being drawn. */
  draft: Draft | null;
  /** World time, ms. */
  nowMs: number;
};
type Shown = Pick<Settings, 'showRings' | 'showCoverage' | 'showVectors' | 'vectorS'>;

const zoneColour: Record<Zone['kind'], keyof Colours> = {
  protected: 'zone-protected',
  warning: 'zone-warning',
  alert: 'zone-alert',
  keep_out: 'zone-keep-out',
  keep_in: 'zone-keep-in',
  ignore: 'zone-ignore',
};
const dashes: Partial<Record<Zone['kind'], number[]>> = { keep_in: [8, 5], ignore: [2, 4] };

/** Canvas, camera and colours of one drawing; `written` has the boxes of the texts drawn so far. */
type Pen = { context: CanvasRenderingContext2D; camera: Camera; colours: Colours; written: Box[] };

/** Draws what changes seldom: graticule, range rings, coverage, regions and zones. Returns the boxes of the texts. */
export function drawAreas(
  context: CanvasRenderingContext2D,
  camera: Camera,
  view: AreasView,
  shown: Shown,
  colours: Colours,
): Box[] {
  const pen: Pen = { context, camera, colours, written: [] };
  drawGraticule(context, camera, colours);
  if (shown.showRings && view.site) drawRings(pen, view.site);
  for (const region of view.regions) drawRegion(pen, region);
  if (shown.showCoverage) for (const sensor of view.sensors) drawCoverage(pen, sensor);
  for (const zone of view.zones.toSorted((a, b) => a.priority - b.priority)) drawZone(pen, zone, view);
  if (view.draft) drawDraft(pen, view.draft);
  drawScale(pen, shown);
  return pen.written;
}

function outline({ context, camera }: Pen, rings: Place[][], colour: string, dash: number[] = [], widthPx = 1): void {
  trace(context, camera, rings);
  context.strokeStyle = colour;
  context.lineWidth = widthPx;
  context.setLineDash(dash);
  context.stroke();
  context.setLineDash([]);
}

/** The name of a region is below its outline, because the name of a zone is above its outline. */
function drawRegion(pen: Pen, { name, geometry }: Region): void {
  const { camera, colours } = pen;
  const rings = ringsOf(geometry);
  outline(pen, rings, colours.quiet, [12, 6]);
  const spots = rings.flat().map((place) => project(camera, place));
  const bottom = topOf(spots.map(([x, y]) => [x, -y] as const));
  if (bottom && bottom[0] >= 0 && bottom[0] <= camera.widthPx)
    write(pen, name, [bottom[0], 14 - bottom[1]], colours.quiet, 'center');
}

/** A zone that is off, or outside of its hours, is grey and empty: nothing is alarmed there. */
function drawZone(pen: Pen, zone: Zone, view: AreasView): void {
  const { context, camera, colours } = pen;
  const rings = ringsOf(zone.geometry);
  const isActive = zone.enabled && isWithinHours(zone.schedule, view.nowMs);
  const colour = isActive ? colours[zoneColour[zone.kind]] : colours.quiet;
  outline(pen, rings, colour, isActive ? dashes[zone.kind] : [2, 6], zone.kind === 'protected' ? 2 : 1.5);
  if (isActive) fillArea(pen, colour);
  const spots = rings.flat().map((place) => project(camera, place));
  const top = topOf(spots);
  if (!top || top[0] < 0 || top[0] > camera.widthPx) return;
  const hours = isActive ? '' : `  ${words.nowInactive}`;
  const heights = words.heights(zone.floor_m, zone.ceiling_m, zone.datum);
  const whole = `${zone.name}${heights === '' ? '' : `  ${heights}`}${hours}`;
  // A text wider than its zone would cover the symbols beside it: the heights are in the list of zones too.
  const text = widthOf(context, whole) > extentPx(spots) ? zone.name + hours : whole;
  write(pen, text, [top[0], top[1] - 5], colour, 'center');
}

/** Fills the path that was traced last, so lightly that what is on it stays readable. */
function fillArea({ context }: Pen, colour: string): void {
  context.fillStyle = colour;
  context.globalAlpha = 0.06;
  context.fill('evenodd');
  context.globalAlpha = 1;
}

/** Draws the area that is being drawn: its outline if it has one, and its numbered vertices. */
function drawDraft(pen: Pen, draft: Draft): void {
  const { context, camera, colours } = pen;
  const geometry = geometryOf(draft);
  if (geometry) outline(pen, ringsOf(geometry), colours.text, [4, 3], 2);
  for (const [index, [lon, lat]] of draft.points.entries()) {
    const [x, y] = project(camera, { lat, lon });
    const isCrossing = draft.crossing.includes(index);
    const colour = isCrossing ? colours.critical : colours.text;
    context.fillStyle = colour;
    context.fillRect(x - 4, y - 4, 8, 8);
    write(pen, `${index + 1}${isCrossing ? ' ✕' : ''}`, [x + 7, y - 6], colour, 'left');
  }
}

const topOf = (spots: (readonly [number, number])[]): readonly [number, number] | null =>
  spots.reduce<readonly [number, number] | null>((top, spot) => (top === null || spot[1] < top[1] ? spot : top), null);

/** Horizontal extent of an area on the screen, px. */
function extentPx(spots: readonly (readonly [number, number])[]): number {
  const across = spots.map(([x]) => x);
  return Math.max(...across) - Math.min(...across);
}

/** Draws the mark and the coverage of a sensor. Its name is a label, which gives way to those of tracks. */
function drawCoverage(pen: Pen, sensor: Sensor): void {
  const { context, camera, colours } = pen;
  const { placement, coverage } = sensor;
  if (placement === null) return;
  const colour = isDead(sensor) ? colours.critical : colours.coverage;
  if (coverage) {
    const sector = sectorOf(placement, coverage.max_range_m, coverage.azimuth_deg, coverage.hfov_deg);
    context.globalAlpha = 0.6;
    outline(pen, [sector], colour, isDead(sensor) ? [6, 6] : []);
    context.globalAlpha = 1;
  }
  const [x, y] = project(camera, placement);
  context.fillStyle = colour;
  context.fillRect(x - 3, y - 3, 6, 6);
}

const RINGS = 4;
const rounds = [50, 100, 200, 250, 500, 1_000, 2_000, 2_500, 5_000, 10_000, 20_000, 50_000, 100_000];

/** Draws four range rings around the site, at a round distance. */
function drawRings(pen: Pen, site: Place): void {
  const { context, camera, colours } = pen;
  const radiusM = metresPerPx(camera) * Math.min(camera.widthPx, camera.heightPx) * 0.5;
  const stepM = rounds.find((one) => one * RINGS >= radiusM) ?? 100_000;
  for (let ring = 1; ring <= RINGS; ring++) {
    context.globalAlpha = 0.5;
    outline(pen, [circleOf(site, stepM * ring)], colours.line);
    context.globalAlpha = 1;
    const [x, y] = project(camera, placeAt(site, stepM * ring, 0));
    const text = stepM * ring >= 1_000 ? `${(stepM * ring) / 1_000} km` : `${stepM * ring} m`;
    write(pen, text, [x, y - 3], colours.quiet, 'center');
  }
}

/** Draws scale bar, north arrow and the time of the course vectors in the lower left corner. */
function drawScale(pen: Pen, { showVectors, vectorS }: Shown): void {
  const { context, camera, colours } = pen;
  const lengthM = rounds.findLast((one) => one / metresPerPx(camera) <= 160) ?? 50;
  const lengthPx = lengthM / metresPerPx(camera);
  const y = camera.heightPx - 28;
  context.strokeStyle = colours.text;
  context.lineWidth = 2;
  context.beginPath();
  context.moveTo(14, y - 5);
  context.lineTo(14, y);
  context.lineTo(14 + lengthPx, y);
  context.lineTo(14 + lengthPx, y - 5);
  context.stroke();
  const text = lengthM >= 1_000 ? `${lengthM / 1_000} km` : `${lengthM} m`;
  write(pen, `${text}   N ↑`, [18, y - 6], colours.text, 'left');
  if (showVectors) write(pen, words.vectorLegend(vectorS), [18, y - 22], colours.quiet, 'left');
}

const TEXT_PX = 12;

function widthOf(context: CanvasRenderingContext2D, text: string): number {
  context.font = `${TEXT_PX}px system-ui, sans-serif`;
  return context.measureText(text).width;
}

/** Limit of the lines by which a text is moved down to avoid earlier texts: sensors on one mast have the same position. */
const MOST_LINES_DOWN = 4;

/** Draws a text with a halo in the background colour, so that it is readable over lines. */
function write(
  { context, colours, written }: Pen,
  text: string,
  [x, wantedY]: readonly [number, number],
  colour: string,
  align: 'left' | 'center',
): void {
  const widthPx = widthOf(context, text);
  const left = align === 'center' ? x - widthPx / 2 : x;
  const boxAt = (line: number): Box => {
    const bottom = wantedY + 3 + line * (TEXT_PX + 3);
    return { left, top: bottom - TEXT_PX - 3, right: left + widthPx, bottom };
  };
  const lines = Array.from({ length: MOST_LINES_DOWN + 1 }, (_, line) => boxAt(line));
  const box = lines.find((one) => !written.some((other) => areOver(one, other))) ?? boxAt(0);
  written.push(box);
  const y = box.bottom - 3;
  context.textAlign = align;
  context.lineWidth = 3;
  context.strokeStyle = colours.ground;
  context.strokeText(text, x, y);
  context.fillStyle = colour;
  context.fillText(text, x, y);
  context.textAlign = 'left';
}

const areOver = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
