import type { Settings } from '../state/setting_values.ts';
import type { Camera, Spot } from './camera.ts';
import type { Colours } from './colours.ts';
import type { Grouped } from './groups.ts';
import { type Box, boxAround, isFar, type Label, type Placed, placeLabels } from './labels.ts';
import { type SensorName, sensorNames } from './sensor_names.ts';
import { labelLines, labelPriority } from './track_label.ts';
import type { Drawn, TracksView } from './tracks.ts';

const LINE_PX = 15;
/** Opacity of the plate behind a label, which keeps the label readable over lines and the base map. */
const PLATE_ALPHA = 0.7;
export const LABEL_FONT = '13px system-ui, "DejaVu Sans", sans-serif';
const NAME_FONT = '12px system-ui, "DejaVu Sans", sans-serif';
/** Half of the side of a sensor's mark with a margin, px, and the distance of its name from its centre. */
const SENSOR_PX = 5;
const SENSOR_GAP_PX = 7;
/**
 * The name of a silent or faulty sensor comes after selected tracks, threats and friends (`labelPriority`), and before
 * other tracks. The name of a working sensor comes last.
 */
const DEAD_PRIORITY = 350;
const NAME_PRIORITY = -1;

/** Slots of the labels in the last drawing, so that labels do not jump. */
const slots = new Map<string, number>();

/** A label with its texts, and how they are drawn. */
type Text = { label: Label; lines: readonly string[]; colour: string; font: string };

/**
 * Draws the labels of tracks and the names of sensors by priority. The name of a working sensor takes a free side or is
 * left out. No label covers `marked`, the boxes of the marks of threat levels.
 */
export function drawLabels(
  context: CanvasRenderingContext2D,
  camera: Camera,
  groups: readonly Grouped<Drawn>[],
  view: TracksView,
  marked: readonly Box[],
  settings: Settings,
  colours: Colours,
): void {
  const names = settings.showCoverage ? sensorNames(view.sensors, camera, view.silentS) : [];
  const texts = [
    ...(settings.showLabels
      ? groups
          .filter(({ spot }) => isOnMap(spot, camera))
          .flatMap((group) => trackText(context, group, view, settings, colours))
      : []),
    ...names.map((name) => sensorText(context, name, colours)),
  ];
  const placed = placeLabels(
    texts.map(({ label }) => label),
    groups.map(({ spot }) => spot),
    slots,
    [...view.names, ...names.map(markOf)],
    [...view.covered, ...marked],
  );
  slots.clear();
  const byId = new Map(texts.map((text) => [text.label.id, text]));
  for (const one of placed) {
    slots.set(one.id, one.slot);
    const text = byId.get(one.id);
    if (text) drawText(context, text, one, colours);
  }
}

/** Whether a spot is on the map. A track beyond the edge has no label, which would be without its symbol. */
const isOnMap = ([x, y]: Spot, { widthPx, heightPx }: Camera): boolean =>
  x >= 0 && y >= 0 && x <= widthPx && y <= heightPx;

const markOf = ({ spot }: SensorName): Box => boxAround(spot, SENSOR_PX);

/** Label of a track that is drawn alone. The tracks of a group have no label. */
function trackText(
  context: CanvasRenderingContext2D,
  { members, spot }: Grouped<Drawn>,
  view: TracksView,
  settings: Settings,
  colours: Colours,
): Text[] {
  const [one] = members;
  if (!one || members.length > 1) return [];
  const { track, threat, isSelected } = one;
  const hasAlert = one.alert !== undefined;
  const zoneName = view.zoneName(threat?.nearest_zone?.id);
  const ageS = view.ageS(track.last_seen_at);
  const lines = labelLines(
    track,
    { threat, hasAlert, isSelected, assetName: view.assetName(track.asset_id), zoneName, ageS },
    settings,
  );
  const colour = one.isMarked && !threat?.dismissed ? colours.text : colours.quiet;
  const label = { id: track.id, spot, priority: labelPriority(track, threat, isSelected), hasLine: one.isMarked };
  return [{ label: { ...label, ...sizeOf(context, lines, LABEL_FONT) }, lines, colour, font: LABEL_FONT }];
}

function sensorText(context: CanvasRenderingContext2D, name: SensorName, colours: Colours): Text {
  const { id, spot, lines, isDead } = name;
  const priority = isDead ? DEAD_PRIORITY : NAME_PRIORITY;
  const label = { id, spot, priority, gapPx: SENSOR_GAP_PX, yields: !isDead, ...sizeOf(context, lines, NAME_FONT) };
  return { label, lines, colour: isDead ? colours.critical : colours.quiet, font: NAME_FONT };
}

function sizeOf(context: CanvasRenderingContext2D, lines: readonly string[], font: string) {
  context.font = font;
  const widthPx = Math.ceil(Math.max(...lines.map((line) => context.measureText(line).width))) + 6;
  return { widthPx, heightPx: lines.length * LINE_PX + 2 };
}

function drawText(
  context: CanvasRenderingContext2D,
  { label, lines, colour, font }: Text,
  { leftPx, topPx, slot }: Placed,
  colours: Colours,
): void {
  if (isFar(slot)) drawLine(context, label, [leftPx, topPx], colour);
  context.globalAlpha = PLATE_ALPHA;
  context.fillStyle = colours.ground;
  context.fillRect(leftPx, topPx, label.widthPx, label.heightPx);
  context.globalAlpha = 1;
  context.font = font;
  context.fillStyle = colour;
  for (const [index, line] of lines.entries()) context.fillText(line, leftPx + 3, topPx + (index + 1) * LINE_PX - 3);
}

/** Draws a line from a symbol to the nearest point of its far label. */
function drawLine(
  context: CanvasRenderingContext2D,
  { spot: [x, y], widthPx, heightPx }: Label,
  [leftPx, topPx]: Spot,
  colour: string,
): void {
  context.strokeStyle = colour;
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(within(x, leftPx, leftPx + widthPx), within(y, topPx, topPx + heightPx));
  context.stroke();
}

const within = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));
