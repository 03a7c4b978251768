import type { Region } from '../../model/region.ts';
import type { Sensor } from '../../model/sensor.ts';
import type { Zone } from '../../model/zone.ts';
import { type Draft, geometryOf } from '../state/draft.ts';
import { isWithinHours } from '../state/hours.ts';
import type { Settings } from '../state/setting_values.ts';
import { words } from '../words/en.ts';
import { AreaNames, BASE_LINE_PX, type Candidate, candidatesAround, TEXT_PX } from './area_names.ts';
import { type Camera, metresPerPx, type Place, placeAt, project, type Spot } from './camera.ts';
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

/** Canvas, camera and colours of one drawing, with the places of its texts. */
type Pen = { context: CanvasRenderingContext2D; camera: Camera; colours: Colours; names: AreaNames };
/** Obstacles of the names of areas: symbols of tracks, and boxes over the map. */
export type Obstacles = { symbols: readonly Spot[]; over: readonly Box[] };

/** Candidate of each name in the last drawing, so that names do not jump. */
const lastCandidates = new Map<string, number>();

/** Draws what changes seldom: graticule, range rings, coverage, regions and zones. Returns the boxes of the texts. */
export function drawAreas(
  context: CanvasRenderingContext2D,
  camera: Camera,
  view: AreasView,
  shown: Shown,
  colours: Colours,
  { symbols, over }: Obstacles,
): Box[] {
  const names = new AreaNames(camera, symbols, over, lastCandidates);
  const pen: Pen = { context, camera, colours, names };
  names.keepOut({ left: 0, top: camera.heightPx - SCALE_HEIGHT_PX, right: SCALE_WIDTH_PX, bottom: camera.heightPx });
  drawGraticule(context, camera, colours);
  if (shown.showRings && view.site) drawRings(pen, view.site);
  for (const region of view.regions) drawRegion(pen, region);
  if (shown.showCoverage) for (const sensor of view.sensors) drawCoverage(pen, sensor);
  for (const zone of view.zones.toSorted((a, b) => a.priority - b.priority)) drawZone(pen, zone, view);
  if (view.draft) drawDraft(pen, view.draft);
  drawScale(pen, shown);
  names.end();
  return names.placed;
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
function drawRegion(pen: Pen, { id, name: text, geometry }: Region): void {
  const { camera, colours } = pen;
  const rings = ringsOf(geometry);
  outline(pen, rings, colours.quiet, [12, 6]);
  const spots = rings.flat().map((place) => project(camera, place));
  name(pen, id, { text, colour: colours.quiet }, candidatesAround(spots, widthOf(pen.context, text), true));
}

/** A zone that is disabled or outside of its hours is grey and not filled, because it raises no alarm. */
function drawZone(pen: Pen, zone: Zone, view: AreasView): void {
  const { context, camera, colours } = pen;
  const rings = ringsOf(zone.geometry);
  const isActive = zone.enabled && isWithinHours(zone.schedule, view.nowMs);
  const colour = isActive ? colours[zoneColour[zone.kind]] : colours.quiet;
  outline(pen, rings, colour, isActive ? dashes[zone.kind] : [2, 6], zone.kind === 'protected' ? 2 : 1.5);
  if (isActive) fillArea(pen, colour);
  const spots = rings.flat().map((place) => project(camera, place));
  const hours = isActive ? '' : `  ${words.nowInactive}`;
  const heights = words.heights(zone.floor_m, zone.ceiling_m, zone.datum);
  const whole = `${zone.name}${heights === '' ? '' : `  ${heights}`}${hours}`;
  // A text wider than its zone would cover symbols beside it, so the heights are left out. The list of zones has them.
  const text = widthOf(context, whole) > extentPx(spots) ? zone.name + hours : whole;
  name(pen, zone.id, { text, colour }, candidatesAround(spots, widthOf(context, text)));
}

/** Fills the path that was traced last, so lightly that symbols and texts on it stay readable. */
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
    fix(pen, { text: `${index + 1}${isCrossing ? ' ✕' : ''}`, colour }, [x + 7, y - 6]);
  }
}

/** Horizontal extent of an area on the screen, px. */
function extentPx(spots: readonly (readonly [number, number])[]): number {
  const across = spots.map(([x]) => x);
  return Math.max(...across) - Math.min(...across);
}

/** Draws the mark and the coverage of a sensor. `drawLabels` draws its name. */
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

/** Directions from the site in which the distance of a ring may stand, degrees clockwise from north. */
const RING_TEXTS_DEG = [0, 180, 45, 315, 135, 225];

/** Draws four range rings around the site, a round distance apart. */
function drawRings(pen: Pen, site: Place): void {
  const { context, camera, colours } = pen;
  const radiusM = metresPerPx(camera) * Math.min(camera.widthPx, camera.heightPx) * 0.5;
  const stepM = rounds.find((one) => one * RINGS >= radiusM) ?? 100_000;
  for (let ring = 1; ring <= RINGS; ring++) {
    context.globalAlpha = 0.5;
    outline(pen, [circleOf(site, stepM * ring)], colours.line);
    context.globalAlpha = 1;
    const candidates = RING_TEXTS_DEG.map((bearingDeg): Candidate => {
      const [x, y] = project(camera, placeAt(site, stepM * ring, bearingDeg));
      return { spot: [x, y - 3], align: 'center' };
    });
    const text = stepM * ring >= 1_000 ? `${(stepM * ring) / 1_000} km` : `${stepM * ring} m`;
    name(pen, `ring ${ring}`, { text, colour: colours.quiet }, candidates, true);
  }
}

const LONGEST_SCALE_PX = 160;
/** Size of the corner with the scale bar, px. No name is placed there: next to the bar it would read as a length. */
const SCALE_WIDTH_PX = LONGEST_SCALE_PX + 28;
const SCALE_HEIGHT_PX = 68;

/** Draws scale bar, north arrow and the time of the course vectors in the lower left corner. */
function drawScale(pen: Pen, { showVectors, vectorS }: Shown): void {
  const { context, camera, colours } = pen;
  const lengthM = rounds.findLast((one) => one / metresPerPx(camera) <= LONGEST_SCALE_PX) ?? 50;
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
  fix(pen, { text: `${text}   N ↑`, colour: colours.text }, [18, y - 6]);
  if (showVectors) fix(pen, { text: words.vectorLegend(vectorS), colour: colours.quiet }, [18, y - 22]);
}

type Text = { text: string; colour: string };

/** Writes a name at one of its candidates; `id` identifies the name in the next drawing. */
function name(
  pen: Pen,
  id: string,
  { text, colour }: Text,
  candidates: readonly Candidate[],
  isOptional = false,
): void {
  const box = pen.names.place({ id, widthPx: widthOf(pen.context, text), candidates, isOptional });
  if (box) write(pen, { text, colour }, box);
}

/** Writes a text at a spot, or some lines below it. */
function fix(pen: Pen, { text, colour }: Text, spot: Spot): void {
  write(pen, { text, colour }, pen.names.fix(widthOf(pen.context, text), spot));
}

/** Writes a text with a halo in the background colour, so that it is readable over lines. */
function write({ context, colours }: Pen, { text, colour }: Text, { left, bottom }: Box): void {
  const y = bottom - BASE_LINE_PX;
  context.lineWidth = 3;
  context.strokeStyle = colours.ground;
  context.strokeText(text, left, y);
  context.fillStyle = colour;
  context.fillText(text, left, y);
}

function widthOf(context: CanvasRenderingContext2D, text: string): number {
  context.font = `${TEXT_PX}px system-ui, sans-serif`;
  return context.measureText(text).width;
}
