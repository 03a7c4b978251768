import { type Camera, type Place, project } from './camera.ts';

/** Begins a new path that consists of the rings; the caller draws it. */
export function trace(context: CanvasRenderingContext2D, camera: Camera, rings: readonly (readonly Place[])[]): void {
  context.beginPath();
  for (const ring of rings)
    for (const [index, place] of ring.entries()) {
      const [x, y] = project(camera, place);
      if (index === 0) context.moveTo(x, y);
      else context.lineTo(x, y);
    }
}
