/** Web Mercator (EPSG:3857) camera, north up. At zoom 0 the world is 512 px wide, as in MapLibre. */
export type Camera = { lat: number; lon: number; zoom: number; widthPx: number; heightPx: number };
export type Place = { lat: number; lon: number };
/** Pixels from the upper left corner of the map. */
export type Spot = readonly [xPx: number, yPx: number];

export const TILE_PX = 512;
export const LEAST_ZOOM = 2;
export const MOST_ZOOM = 20;
/** Latitude at which the projection of EPSG:3857 is cut off. */
const MOST_LAT = 85.051_129;
const EARTH_CIRCUMFERENCE_M = 40_075_016.686;

const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));

/** Position in the unit square of the projection. */
export function unitOf({ lat, lon }: Place): Spot {
  const sine = Math.sin((clamp(lat, -MOST_LAT, MOST_LAT) * Math.PI) / 180);
  return [lon / 360 + 0.5, 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)];
}

function placeOf([x, y]: Spot): Place {
  const lat = (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI;
  return { lat, lon: ((((x * 360) % 360) + 360) % 360) - 180 };
}

const worldPx = ({ zoom }: Camera): number => TILE_PX * 2 ** zoom;

/**
 * Pixel of a place. The world repeats to the left and right; the copy nearest to the centre is used. The antimeridian
 * thus needs no special treatment.
 */
export function project(camera: Camera, place: Place): Spot {
  const [x, y] = unitOf(place);
  const [cx, cy] = unitOf(camera);
  const across = x - cx;
  const nearest = across - Math.round(across);
  return [nearest * worldPx(camera) + camera.widthPx / 2, (y - cy) * worldPx(camera) + camera.heightPx / 2];
}

export function unproject(camera: Camera, [xPx, yPx]: Spot): Place {
  const [cx, cy] = unitOf(camera);
  const px = worldPx(camera);
  return placeOf([cx + (xPx - camera.widthPx / 2) / px, clamp(cy + (yPx - camera.heightPx / 2) / px, 0, 1)]);
}

/** Metres per pixel at a latitude. */
export function metresPerPx(camera: Camera, lat = camera.lat): number {
  return (EARTH_CIRCUMFERENCE_M * Math.cos((lat * Math.PI) / 180)) / worldPx(camera);
}

export function panned(camera: Camera, dxPx: number, dyPx: number): Camera {
  return { ...camera, ...unproject(camera, [camera.widthPx / 2 - dxPx, camera.heightPx / 2 - dyPx]) };
}

/** Camera with another zoom level; the place at the pixel `at` stays there. */
export function zoomed(camera: Camera, zoom: number, at: Spot): Camera {
  const next = { ...camera, zoom: clamp(zoom, LEAST_ZOOM, MOST_ZOOM) };
  const [xPx, yPx] = project(next, unproject(camera, at));
  return panned(next, at[0] - xPx, at[1] - yPx);
}

/** Room along the edges of the map, px. */
export type Padding = { left: number; top: number; right: number; bottom: number };
export const EVEN: Padding = { left: 60, top: 60, right: 60, bottom: 60 };

/** Camera that shows all places inside the padding, at most at zoom 17; unchanged where there are no places. */
export function fitted(camera: Camera, places: readonly Place[], padding = EVEN): Camera {
  const [first] = places;
  if (first === undefined) return camera;
  // Longitudes are relative to the first place, so that a site across the antimeridian is not torn apart.
  const units = places.map((place) => {
    const [x, y] = unitOf(place);
    const [x0] = unitOf(first);
    return [x - Math.round(x - x0), y] as const;
  });
  const [xs, ys] = [units.map(([x]) => x), units.map(([, y]) => y)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const roomPx = [
    Math.max(1, camera.widthPx - padding.left - padding.right),
    Math.max(1, camera.heightPx - padding.top - padding.bottom),
  ] as const;
  const span = Math.max((right - left) / roomPx[0], (bottom - top) / roomPx[1]);
  const zoom = span === 0 ? 15 : Math.min(17, Math.log2(1 / (span * TILE_PX)));
  const middle = placeOf([(left + right) / 2, (top + bottom) / 2]);
  const centred = { ...camera, ...middle, zoom: clamp(zoom, LEAST_ZOOM, MOST_ZOOM) };
  return panned(centred, (padding.left - padding.right) / 2, (padding.top - padding.bottom) / 2);
}

const EARTH_RADIUS_M = 6_371_008.8;

/**
 * Place at a distance and true course on a sphere. This is for drawing only, where an error of 0.3 % is less than a
 * pixel.
 */
export function placeAt({ lat, lon }: Place, distanceM: number, courseDeg: number): Place {
  const [phi, theta, delta] = [(lat * Math.PI) / 180, (courseDeg * Math.PI) / 180, distanceM / EARTH_RADIUS_M];
  const sine = Math.sin(phi) * Math.cos(delta) + Math.cos(phi) * Math.sin(delta) * Math.cos(theta);
  const across = Math.atan2(Math.sin(theta) * Math.sin(delta) * Math.cos(phi), Math.cos(delta) - Math.sin(phi) * sine);
  return { lat: (Math.asin(clamp(sine, -1, 1)) * 180) / Math.PI, lon: lon + (across * 180) / Math.PI };
}

/** Great-circle distance in metres and initial course in degrees, on a sphere. */
export function distanceAndCourse(a: Place, b: Place): { distanceM: number; courseDeg: number } {
  const [phiA, phiB] = [(a.lat * Math.PI) / 180, (b.lat * Math.PI) / 180];
  const across = ((b.lon - a.lon) * Math.PI) / 180;
  const half = Math.sin((phiB - phiA) / 2) ** 2 + Math.cos(phiA) * Math.cos(phiB) * Math.sin(across / 2) ** 2;
  const y = Math.sin(across) * Math.cos(phiB);
  const x = Math.cos(phiA) * Math.sin(phiB) - Math.sin(phiA) * Math.cos(phiB) * Math.cos(across);
  const courseDeg = ((Math.atan2(y, x) * 180) / Math.PI + 360) % 360;
  return { distanceM: 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(half))), courseDeg };
}
