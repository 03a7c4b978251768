import type { PlanShape } from '../state/plan_shapes.ts';
import { words } from '../words/en.ts';
import { type Camera, metresPerPx, project } from './camera.ts';
import type { Colours } from './colours.ts';
import type { Box } from './labels.ts';
import { trace } from './trace.ts';

/** Minimum radius of a circle whose text is drawn, px. */
const LEAST_TEXT_PX = 24;

/**
 * Draws the paths of plans as lines, dashed while they wait for approval, and the circle that the vehicle does not
 * enter. The standoff text is drawn only for plans that are flown and for the selected track: the texts of all plans
 * would cover the labels. Returns the boxes of these texts.
 */
export function drawPlans(
  context: CanvasRenderingContext2D,
  camera: Camera,
  shapes: readonly PlanShape[],
  colours: Colours,
  selectedId: string | null,
): Box[] {
  const written: Box[] = [];
  for (const { from, to, standoffM, trackId, isFlown } of shapes) {
    context.strokeStyle = colours.friend;
    context.lineWidth = 2;
    context.setLineDash(isFlown ? [] : [10, 6]);
    trace(context, camera, [[from, to]]);
    context.stroke();
    context.setLineDash([]);
    if (standoffM === null) continue;
    const [x, y] = project(camera, to);
    const radiusPx = standoffM / metresPerPx(camera, to.lat);
    context.lineWidth = 1.5;
    context.beginPath();
    context.arc(x, y, radiusPx, 0, 2 * Math.PI);
    context.stroke();
    if (radiusPx < LEAST_TEXT_PX || !(isFlown || trackId === selectedId)) continue;
    context.font = '12px system-ui, sans-serif';
    context.fillStyle = colours.friend;
    context.textAlign = 'center';
    context.lineWidth = 3;
    context.strokeStyle = colours.ground;
    const [text, bottomPx] = [words.standoff(standoffM), y + radiusPx + 14];
    context.strokeText(text, x, bottomPx);
    context.fillText(text, x, bottomPx);
    context.textAlign = 'left';
    const halfPx = context.measureText(text).width / 2;
    written.push({ left: x - halfPx, top: bottomPx - 12, right: x + halfPx, bottom: bottomPx + 3 });
  }
  return written;
}
