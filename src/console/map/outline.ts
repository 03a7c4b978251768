import { signal } from '@preact/signals';
import { type Camera, TILE_PX, unitOf } from './camera.ts';
import { type Ring, type Shape, shapeOf } from './coast.ts';
import type { Colours } from './colours.ts';

declare const OUTLINE: string;

/** The coasts of the world (Natural Earth, 1 : 50 million); empty until they are loaded. */
const shapes = signal<readonly Shape[]>([]);
let isAsked = false;

/** Whether the outline can be drawn. The first call loads its file. */
export function hasOutline(): boolean {
  if (!isAsked) {
    isAsked = true;
    void load();
  }
  return shapes.value.length > 0;
}

async function load(): Promise<void> {
  try {
    const rings = (await (await fetch(OUTLINE)).json()) as Ring[];
    shapes.value = rings.map(shapeOf);
  } catch {
    // Without the file, graticule and rings are drawn; the next change of the camera tries again.
    isAsked = false;
  }
}

/**
 * Draws the land where there is no base map. Rings are cut at the antimeridian, so each is drawn completely in each
 * repeated world.
 */
export function drawOutline(context: CanvasRenderingContext2D, camera: Camera, colours: Colours): void {
  const worldPx = TILE_PX * 2 ** camera.zoom;
  const [cx, cy] = unitOf(camera);
  const [halfX, halfY] = [camera.widthPx / 2 / worldPx, camera.heightPx / 2 / worldPx];
  context.beginPath();
  for (const copy of [-1, 0, 1])
    for (const shape of shapes.peek()) {
      const isApart = shape.right + copy < cx - halfX || shape.left + copy > cx + halfX;
      if (isApart || shape.bottom < cy - halfY || shape.top > cy + halfY) continue;
      const { points } = shape;
      for (let at = 0; at < points.length; at += 2) {
        const x = ((points[at] ?? 0) + copy - cx) * worldPx + camera.widthPx / 2;
        const y = ((points[at + 1] ?? 0) - cy) * worldPx + camera.heightPx / 2;
        if (at === 0) context.moveTo(x, y);
        else context.lineTo(x, y);
      }
      context.closePath();
    }
  context.fillStyle = colours.panel;
  context.fill('evenodd');
  context.strokeStyle = colours.line;
  context.lineWidth = 1;
  context.stroke();
}
