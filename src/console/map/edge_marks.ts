import type { Camera, Spot } from './camera.ts';

/** Distance of a mark from the edge of the map, px. */
const MARGIN_PX = 14;

/** A mark at the edge of the map, and the direction in which its track is, radians clockwise from the right. */
export type EdgeMark = { spot: Spot; angle: number };

/** Mark of a spot outside of the map, on the line from the map's middle to the spot; null for a spot in view. */
export function edgeMark([x, y]: Spot, { widthPx, heightPx }: Pick<Camera, 'widthPx' | 'heightPx'>): EdgeMark | null {
  if (x >= 0 && y >= 0 && x <= widthPx && y <= heightPx) return null;
  const [middleX, middleY] = [widthPx / 2, heightPx / 2];
  const [dx, dy] = [x - middleX, y - middleY];
  const shareX = dx === 0 ? Number.POSITIVE_INFINITY : (middleX - MARGIN_PX) / Math.abs(dx);
  const shareY = dy === 0 ? Number.POSITIVE_INFINITY : (middleY - MARGIN_PX) / Math.abs(dy);
  const share = Math.min(shareX, shareY);
  return { spot: [middleX + share * dx, middleY + share * dy], angle: Math.atan2(dy, dx) };
}
