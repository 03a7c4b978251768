import { type Camera, type Place, project, unproject } from './camera.ts';
import type { Colours } from './colours.ts';
import { trace } from './trace.ts';

const LINE_EVERY_PX = 180;
const steps = [30, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001];

/** Draws lines of latitude and longitude at round degrees, usually 180 px or more apart, with values at the edge. */
export function drawGraticule(context: CanvasRenderingContext2D, camera: Camera, colours: Colours): void {
  const corner = unproject(camera, [0, camera.heightPx]);
  const opposite = unproject(camera, [camera.widthPx, 0]);
  const spanDeg = (opposite.lon - corner.lon + 360) % 360 || 360;
  const wantedDeg = (spanDeg * LINE_EVERY_PX) / camera.widthPx;
  const step = steps.findLast((one) => one >= wantedDeg) ?? 30;
  const decimals = Math.max(0, Math.ceil(-Math.log10(step)));
  context.strokeStyle = colours.line;
  context.fillStyle = colours.quiet;
  context.globalAlpha = 0.35;
  context.lineWidth = 1;
  const figures: [text: string, x: number, y: number][] = [];
  const line = (from: Place, to: Place): void => {
    trace(context, camera, [[from, to]]);
    context.stroke();
  };
  for (let lon = Math.ceil(corner.lon / step) * step; lon <= corner.lon + spanDeg; lon += step) {
    line({ lat: corner.lat, lon }, { lat: opposite.lat, lon });
    figures.push([lon.toFixed(decimals), project(camera, { lat: corner.lat, lon })[0] + 3, camera.heightPx - 6]);
  }
  for (let lat = Math.ceil(corner.lat / step) * step; lat <= opposite.lat; lat += step) {
    const [, y] = project(camera, { lat, lon: camera.lon });
    context.beginPath();
    context.moveTo(0, y);
    context.lineTo(camera.widthPx, y);
    context.stroke();
    figures.push([lat.toFixed(decimals), camera.widthPx - 64, y - 3]);
  }
  context.globalAlpha = 0.8;
  context.font = '11px system-ui, sans-serif';
  for (const [text, x, y] of figures) context.fillText(text, x, y);
  context.globalAlpha = 1;
}
