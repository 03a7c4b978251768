import type { Alert } from '../../model/alert.ts';
import type { Sensor } from '../../model/sensor.ts';
import type { Threat } from '../../model/threat.ts';
import type { Track } from '../../model/track.ts';
import type { MarkedAlert } from '../state/marked_alerts.ts';
import type { PlanShape } from '../state/plan_shapes.ts';
import type { Settings } from '../state/setting_values.ts';
import type { TrailPoint } from '../state/trails.ts';
import { words } from '../words/en.ts';
import { levelMark, severityMark } from '../words/marks.ts';
import { type Camera, metresPerPx, type Place, project, type Spot } from './camera.ts';
import type { Colours } from './colours.ts';
import { courseAhead } from './course.ts';
import { edgeMark, mergeMarks, type NamedMark, textBox } from './edge_marks.ts';
import { type Grouped, groupsOf } from './groups.ts';
import type { Box } from './labels.ts';
import { drawLabels, LABEL_FONT } from './map_labels.ts';
import { drawPlans } from './plans.ts';
import { sidcOf } from './sidc.ts';
import { symbolOf, type TrackSymbol } from './symbols.ts';

export type TracksView = {
  tracks: readonly Track[];
  threatOf: (id: string) => Threat | undefined;
  /** The alerts about a track that its symbol shows; undefined where there is none. */
  alertOf: (id: string) => MarkedAlert | undefined;
  assetName: (id: string | null) => string | undefined;
  zoneName: (id: string | undefined) => string | undefined;
  trailOf: (id: string) => readonly TrailPoint[];
  ageS: (at: string) => number | null;
  selectedId: string | null;
  /**
   * Sensors whose names are drawn. The name of a working sensor comes after all labels of tracks; the name of a silent
   * or faulty one comes before the labels of ordinary tracks.
   */
  sensors: readonly Sensor[];
  silentS: (sensor: Sensor) => number | null;
  /** Boxes of the names of zones and regions, which labels avoid. */
  names: readonly Box[];
  /** Boxes where no label may be: below buttons, and outside the map. */
  covered: readonly Box[];
  /** Paths of plans that wait for approval, and of those in execution. */
  plans: readonly PlanShape[];
};

/** A drawn track: its pixel, and its properties for drawing. */
export type Drawn = {
  track: Track;
  threat: Threat | undefined;
  alert: Alert['severity'] | undefined;
  spot: Spot;
  isSelected: boolean;
  isMarked: boolean;
  /** Whether its pilot and its take-off point are drawn. */
  hasPeople: boolean;
};

const EDGE_PX = 60;
/** Opacity of symbols at night. It keeps each symbol below 20 % luminance. */
const NIGHT_FILL = 0.45;
/** Further factor of the opacity for symbols of lost or dismissed tracks. */
const LOST_FILL = 0.45;
/** With fewer tracks in view than this, the pilots and take-off points of all of them are drawn. */
const FEW_TRACKS = 60;
/** Up to this number of take-off points in view, each has its name. */
const FEW_TAKEOFFS = 3;

/** Draws moving objects. Returns the tracks in view and the selected track with their pixels, for picking. */
export function drawTracks(
  context: CanvasRenderingContext2D,
  camera: Camera,
  view: TracksView,
  settings: Settings,
  colours: Colours,
): Drawn[] {
  const drawn = view.tracks.flatMap((track) => drawnOf(track, camera, view));
  if (settings.showTrails) for (const one of drawn) drawTrail(context, camera, one, view, settings, colours);
  const takeoffs = drawn.flatMap(({ track }) => takeoffPlace(track) ?? []);
  const hasFewTakeoffs =
    new Set(takeoffs.map(({ lat, lon }) => `${lat.toFixed(4)} ${lon.toFixed(4)}`)).size <= FEW_TAKEOFFS;
  for (const one of drawn) {
    one.hasPeople = one.isMarked || drawn.length < FEW_TRACKS;
    if (one.hasPeople) drawPeople(context, camera, one.track, one.isSelected || hasFewTakeoffs, colours);
    if (settings.showVectors) drawVector(context, camera, one, settings, colours);
    // A lost track is not predicted: circles ahead of it would look like a live threat.
    if (one.isMarked && one.track.state !== 'lost') drawUncertainty(context, camera, one, colours);
  }
  const written = drawPlans(context, camera, view.plans, colours, view.selectedId);
  const groups = groupsOf(drawn);
  const fill = settings.theme === 'night' ? NIGHT_FILL : 1;
  for (const group of groups) drawGroup(context, group, fill, colours);
  const outside = outsideMarks(camera, view);
  drawLabels(
    context,
    camera,
    groups,
    { ...view, names: [...view.names, ...written] },
    [...markBoxes(groups), ...outside.map(textBox)],
    settings,
    colours,
  );
  for (const mark of outside) drawEdgeMark(context, mark, colours);
  return drawn;
}

/**
 * Marks at the edge of the map for what people look for out of view: threats of at least `medium`, and the selected
 * track. Tracks with an unacknowledged alert of at least `warning`, such as a crewed aircraft, have a mark too. A
 * dismissed threat and a lost track have a mark only if they are selected.
 */
function outsideMarks(camera: Camera, { tracks, threatOf, alertOf, covered, selectedId }: TracksView): OutsideMark[] {
  const found = tracks.flatMap((track) => {
    const isSelected = track.id === selectedId;
    if (track.state === 'lost' && !isSelected) return [];
    const urgent = urgencyOutside(threatOf(track.id), alertOf(track.id), isSelected);
    const mark = track.position && urgent ? edgeMark(project(camera, track.position), camera, covered) : null;
    return mark && urgent ? [{ ...mark, of: { number: track.number.slice(2), ...urgent } }] : [];
  });
  return mergeMarks(found.sort((a, b) => b.of.rank - a.of.rank));
}

type OutsideMark = NamedMark<{ number: string; level: Exclude<Threat['level'], 'none'>; rank: number }>;

/** Level and rank of a track out of view that needs a mark; null for one that needs none. */
function urgencyOutside(threat: Threat | undefined, alert: MarkedAlert | undefined, isSelected: boolean) {
  if (isSelected) {
    const level = alert === undefined ? 'low' : levelOfAlert[alert.severity];
    return { level: levelOr(threat?.level, level), rank: Number.POSITIVE_INFINITY };
  }
  if (threat !== undefined && threat.dismissed !== null) return null;
  if (threat && threat.level !== 'none' && threat.level !== 'low') return { level: threat.level, rank: threat.score };
  const open = alert?.open;
  return open === 'critical' || open === 'warning' ? { level: levelOfAlert[open], rank: 0 } : null;
}

function levelOr(level: Threat['level'] | undefined, other: OutsideMark['of']['level']) {
  return level === undefined || level === 'none' ? other : level;
}

/** Draws a mark as an arrow head with the track's number beside it, towards the middle of the map. */
function drawEdgeMark(context: CanvasRenderingContext2D, mark: OutsideMark, colours: Colours): void {
  const { spot, angle, of, more } = mark;
  const [x, y] = spot;
  const at = (turn: number, px: number): Spot => [x + px * Math.cos(angle + turn), y + px * Math.sin(angle + turn)];
  const colour = colours[of.level];
  context.fillStyle = colour;
  context.beginPath();
  context.moveTo(...at(0, 10));
  context.lineTo(...at(2.5, 10));
  context.lineTo(...at(-2.5, 10));
  context.fill();
  const { left, right, bottom } = textBox(mark);
  context.textAlign = 'center';
  text(context, more === 0 ? of.number : `${of.number} +${more}`, [(left + right) / 2, bottom - 5], colour, colours);
  context.textAlign = 'left';
}

function drawnOf(track: Track, camera: Camera, { threatOf, alertOf, selectedId }: TracksView): Drawn[] {
  if (!track.position) return [];
  const spot = project(camera, track.position);
  const isSelected = track.id === selectedId;
  const isInView =
    spot[0] > -EDGE_PX &&
    spot[1] > -EDGE_PX &&
    spot[0] < camera.widthPx + EDGE_PX &&
    spot[1] < camera.heightPx + EDGE_PX;
  if (!isInView && !isSelected) return [];
  const threat = threatOf(track.id);
  const alert = alertOf(track.id)?.severity;
  const isThreat = threat !== undefined && threat.level !== 'none';
  const isMarked = isSelected || track.affiliation === 'friend' || isThreat || alert !== undefined;
  return [{ track, threat, alert, spot, isSelected, isMarked, hasPeople: false }];
}

function colourOf({ track, threat }: Drawn, colours: Colours): string {
  if (threat?.level === 'critical') return colours.critical;
  return colours[track.affiliation];
}

function drawTrail(
  context: CanvasRenderingContext2D,
  camera: Camera,
  one: Drawn,
  { trailOf }: TracksView,
  { trailStyle }: Settings,
  colours: Colours,
): void {
  const points = trailOf(one.track.id);
  if (points.length < 2) return;
  context.globalAlpha = one.isMarked ? 0.8 : 0.45;
  context.strokeStyle = context.fillStyle = colourOf(one, colours);
  context.lineWidth = 1.5;
  context.beginPath();
  for (const [index, point] of points.entries()) {
    const [x, y] = project(camera, point);
    if (trailStyle === 'dots') context.rect(x - 1, y - 1, 2, 2);
    else if (index === 0) context.moveTo(x, y);
    else context.lineTo(x, y);
  }
  if (trailStyle === 'dots') context.fill();
  else context.stroke();
  context.globalAlpha = 1;
}

/** Place of the pilot; null where it is unknown, or where the transmitter sends the take-off point in its stead. */
export function pilotPlace({ operator }: Pick<Track, 'operator'>): Place | null {
  if (operator === null || operator.type === 'takeoff' || operator.lat === null || operator.lon === null) return null;
  return { lat: operator.lat, lon: operator.lon };
}

/** Take-off point. Some transmitters send it only as the place of the operator. */
export function takeoffPlace({ takeoff, operator }: Pick<Track, 'operator' | 'takeoff'>): Place | null {
  if (takeoff !== null) return takeoff;
  if (operator?.type !== 'takeoff' || operator.lat === null || operator.lon === null) return null;
  return { lat: operator.lat, lon: operator.lon };
}

/** Draws the pilot, with a dotted line to the aircraft, and the take-off point as a cross. */
function drawPeople(
  context: CanvasRenderingContext2D,
  camera: Camera,
  track: Track,
  isNamed: boolean,
  colours: Colours,
): void {
  const { position } = track;
  context.strokeStyle = context.fillStyle = colours.text;
  context.lineWidth = 1;
  const [pilot, takeoff] = [pilotPlace(track), takeoffPlace(track)];
  if (pilot && position) {
    const [x, y] = project(camera, pilot);
    context.setLineDash([2, 4]);
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(...project(camera, position));
    context.stroke();
    context.setLineDash([]);
    context.beginPath();
    context.arc(x, y - 6, 3, 0, 2 * Math.PI);
    context.fill();
    context.beginPath();
    context.moveTo(x - 5, y + 6);
    context.quadraticCurveTo(x, y - 6, x + 5, y + 6);
    context.fill();
  }
  if (takeoff) {
    const [x, y] = project(camera, takeoff);
    context.beginPath();
    context.moveTo(x - 4, y - 4);
    context.lineTo(x + 4, y + 4);
    context.moveTo(x + 4, y - 4);
    context.lineTo(x - 4, y + 4);
    context.stroke();
    if (isNamed) text(context, words.takeoffMark, [x + 8, y + 4], colours.quiet, colours);
  }
}

/** Draws the course vector. It ends at the predicted position in `vectorS` seconds. */
function drawVector(
  context: CanvasRenderingContext2D,
  camera: Camera,
  one: Drawn,
  { vectorS }: Settings,
  colours: Colours,
): void {
  const { position, predicted, state } = one.track;
  const ahead = position && state !== 'lost' ? courseAhead(position, predicted, vectorS) : [];
  if (ahead.length === 0) return;
  context.strokeStyle = colourOf(one, colours);
  context.lineWidth = 1.5;
  context.beginPath();
  for (const [index, place] of ahead.entries()) {
    if (index === 0) context.moveTo(...one.spot);
    else context.lineTo(...project(camera, place));
  }
  context.stroke();
}

const LEAST_ELLIPSE_PX = 4;

/** Draws the circles of predictions, and the 1-sigma ellipse. */
function drawUncertainty(context: CanvasRenderingContext2D, camera: Camera, one: Drawn, colours: Colours): void {
  const perPx = metresPerPx(camera);
  context.strokeStyle = colourOf(one, colours);
  context.lineWidth = 1;
  context.globalAlpha = 0.6;
  context.setLineDash([4, 4]);
  for (const { radius_m, ...place } of one.track.predicted) {
    context.beginPath();
    context.arc(...project(camera, place), radius_m / perPx, 0, 2 * Math.PI);
    context.stroke();
  }
  context.setLineDash([]);
  const ellipse = one.track.uncertainty?.ellipse;
  if (ellipse && ellipse.major_m / perPx > LEAST_ELLIPSE_PX) {
    context.beginPath();
    const angle = ((ellipse.orientation_deg - 90) * Math.PI) / 180;
    context.ellipse(...one.spot, ellipse.major_m / perPx, ellipse.minor_m / perPx, angle, 0, 2 * Math.PI);
    context.stroke();
  }
  context.globalAlpha = 1;
}

function drawGroup(
  context: CanvasRenderingContext2D,
  { members, spot }: Grouped<Drawn>,
  fill: number,
  colours: Colours,
): void {
  const worst = worstOf(members);
  if (!worst) return;
  const { track, isSelected } = worst;
  const isFaint = track.state === 'lost' || (worst.threat?.dismissed ?? null) !== null;
  context.globalAlpha = fill * (isFaint ? LOST_FILL : 1);
  const symbol = symbolOf(sidcOf(track));
  if (symbol) drawSymbol(context, symbol, spot);
  else {
    context.fillStyle = colourOf(worst, colours);
    context.fillRect(spot[0] - 5, spot[1] - 5, 10, 10);
  }
  context.globalAlpha = 1;
  if (isSelected || (worst.threat?.level === 'critical' && track.state !== 'lost'))
    ring(context, spot, isSelected ? colours.text : colours.critical);
  drawMark(context, worst, colours);
  if (members.length > 1) text(context, `×${members.length}`, [spot[0] + 12, spot[1] - 10], colours.text, colours);
  else if (track.flags.length > 0) text(context, '!', [spot[0] + 11, spot[1] - 9], colours.high, colours);
}

/** Draws the mark of the threat level at the upper left. The colour of the symbol itself shows the affiliation. */
function drawMark(context: CanvasRenderingContext2D, one: Drawn, colours: Colours): void {
  const [mark, [x, y]] = [markOf(one), one.spot];
  if (mark !== null) text(context, mark.text, [x - 22, y - 9], colours[mark.level], colours);
}

const levelOfAlert = { critical: 'critical', warning: 'high', notice: 'medium', info: 'low' } as const;

/**
 * Mark of the threat's level. A track without a level, such as a crewed aircraft, has the mark of its worst alert. Null
 * without level and alert, and for a dismissed threat.
 */
function markOf({ threat, alert }: Drawn): { text: string; level: Exclude<Threat['level'], 'none'> } | null {
  if (threat !== undefined && threat.dismissed !== null) return null;
  if (threat !== undefined && threat.level !== 'none') return { text: levelMark[threat.level], level: threat.level };
  return alert === undefined ? null : { text: severityMark[alert], level: levelOfAlert[alert] };
}

/** The track of a group whose symbol and level are drawn. */
const worstOf = (members: readonly Drawn[]): Drawn | undefined =>
  members.toSorted((a, b) => urgency(b) - urgency(a))[0];

/**
 * Rank of a track in its group: the score of its threat; without a threat 1 for a track with an alert, else 0. A lost
 * track comes after all others.
 */
const urgency = ({ track, threat, alert }: Drawn): number =>
  (threat?.score ?? (alert === undefined ? 0 : 1)) - (track.state === 'lost' ? 1_000 : 0);

/** Boxes of the marks of levels, which no label may cover. */
const markBoxes = (groups: readonly Grouped<Drawn>[]): Box[] =>
  groups.flatMap(({ members, spot: [x, y] }) => {
    const worst = worstOf(members);
    if (worst === undefined || markOf(worst) === null) return [];
    return [{ left: x - 24, top: y - 22, right: x - 9, bottom: y - 6 }];
  });

/**
 * Draws a symbol at whole pixels: at fractions of a pixel it would be interpolated, which blurs it and takes longer.
 */
function drawSymbol(context: CanvasRenderingContext2D, symbol: TrackSymbol, [x, y]: Spot): void {
  const [left, top] = [Math.round(x - symbol.anchorX), Math.round(y - symbol.anchorY)];
  context.drawImage(symbol.image, left, top, symbol.width, symbol.height);
}

function ring(context: CanvasRenderingContext2D, [x, y]: Spot, colour: string): void {
  context.strokeStyle = colour;
  context.lineWidth = 2;
  context.beginPath();
  context.arc(x, y, 17, 0, 2 * Math.PI);
  context.stroke();
}

function text(context: CanvasRenderingContext2D, line: string, [x, y]: Spot, colour: string, colours: Colours): void {
  context.font = LABEL_FONT;
  context.lineWidth = 3;
  context.strokeStyle = colours.ground;
  context.strokeText(line, x, y);
  context.fillStyle = colour;
  context.fillText(line, x, y);
}
