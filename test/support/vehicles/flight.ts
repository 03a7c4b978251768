/** Where a vehicle is and how it moves: altitude above its start, velocities in metres a second. */
export type Body = {
  lat: number;
  lon: number;
  altM: number;
  north: number;
  east: number;
  up: number;
  yawDeg: number;
};

export type Point = { lat: number; lon: number };
export type Target = Point & { altM: number };

const METRES_PER_DEGREE = 111_319.490_793;
const E2 = 0.006_694_379_990_14;
const GRAVITY = 9.81;

/** Metres north and east from one point to another, good to a few kilometres. */
export function offset(from: Point, to: Point): { north: number; east: number } {
  const metres = degreeAt((from.lat + to.lat) / 2);
  return { north: (to.lat - from.lat) * metres.lat, east: turned(to.lon - from.lon) * metres.lon };
}

export function moved(from: Point, north: number, east: number): Point {
  const lat = from.lat + north / degreeAt(from.lat).lat;
  return { lat, lon: turned(from.lon + east / degreeAt((from.lat + lat) / 2).lon) };
}

/** The short way round, as autopilots have it: from -180 to 180 degrees. */
function turned(lonDeg: number): number {
  return lonDeg > 180 ? lonDeg - 360 : lonDeg < -180 ? lonDeg + 360 : lonDeg;
}

export function distance(from: Point, to: Point): number {
  const { north, east } = offset(from, to);
  return Math.hypot(north, east);
}

function degreeAt(lat: number): { lat: number; lon: number } {
  const phi = (lat * Math.PI) / 180;
  const w = 1 - E2 * Math.sin(phi) ** 2;
  return {
    lat: (METRES_PER_DEGREE * (1 - E2)) / w ** 1.5,
    lon: (METRES_PER_DEGREE * Math.cos(phi)) / Math.sqrt(w),
  };
}

export function groundSpeed(body: Body): number {
  return Math.hypot(body.north, body.east);
}

/** Lets the body go on for a moment; the ground holds it up. */
export function drift(body: Body, dtS: number): void {
  Object.assign(body, moved(body, body.north * dtS, body.east * dtS));
  body.altM += body.up * dtS;
  if (body.altM > 0) return;
  body.altM = 0;
  body.up = Math.max(0, body.up);
}

/** How hard a copter speeds up, and how hard it slows down: braking differs most between its modes. */
export type Push = { accel: number; decel: number };

/** Turns a copter's velocity towards the wanted one as fast as `push` allows. */
export function steer(body: Body, wanted: { north: number; east: number; up: number }, push: Push, dtS: number): void {
  const dNorth = wanted.north - body.north;
  const dEast = wanted.east - body.east;
  const against = dNorth * body.north + dEast * body.east < 0;
  const most = (against ? push.decel : push.accel) * dtS;
  const scale = Math.min(1, most / Math.max(Math.hypot(dNorth, dEast), 1e-9));
  body.north += dNorth * scale;
  body.east += dEast * scale;
  const dUp = wanted.up - body.up;
  body.up += Math.sign(dUp) * Math.min(Math.abs(dUp), 2.5 * dtS);
}

export type Rates = { climb: number; descent: number };

/** The vertical speed that brings a copter to an altitude and has it stop there. */
export function climbTo(body: Body, altM: number, rates: Rates): number {
  const up = altM - body.altM;
  const most = up > 0 ? rates.climb : rates.descent;
  return Math.sign(up) * Math.min(most, Math.abs(up), Math.sqrt(2 * Math.abs(up)));
}

/** The velocity that brings a copter to a point and has it stop there. */
export function velocityTo(body: Body, to: Point, speedMps: number): { north: number; east: number } {
  const { north, east } = offset(body, to);
  const away = Math.hypot(north, east);
  if (away < 0.01) return { north: 0, east: 0 };
  const speed = Math.min(speedMps, Math.sqrt(2 * 1.6 * away), 0.6 * away);
  return { north: (north / away) * speed, east: (east / away) * speed };
}

/** The velocity on a circle: along it, with a pull to its radius. */
export function velocityRound(
  body: Body,
  centre: Point,
  circle: { radiusM: number; clockwise: boolean; speedMps: number },
): { north: number; east: number } {
  const { north, east } = offset(centre, body);
  const out = Math.atan2(east, north);
  const course = out + (circle.clockwise ? 1 : -1) * turnIn(Math.hypot(north, east) - circle.radiusM, 10);
  return { north: Math.cos(course) * circle.speedMps, east: Math.sin(course) * circle.speedMps };
}

/** A right angle on the circle, more outside of it, less within. */
function turnIn(outsideM: number, softnessM: number): number {
  return Math.PI / 2 + Math.atan(outsideM / softnessM);
}

/** What a plane can do: it never flies slower than `minMps`. */
export type Wings = { minMps: number; maxMps: number; bankDeg: number; climb: number; sink: number };

/** One step of a plane's flight on a circle about a point, which it also flies towards from far away. */
export function circleWithWings(
  body: Body,
  to: Target,
  circle: { radiusM: number; clockwise: boolean; speedMps: number },
  wings: Wings,
  dtS: number,
): void {
  const { north, east } = offset(to, body);
  const softness = circle.radiusM * 0.5;
  const inwards = turnIn(Math.hypot(north, east) - circle.radiusM, softness);
  const course = Math.atan2(east, north) + (circle.clockwise ? 1 : -1) * inwards;
  bank(body, course, circle.speedMps, wings, dtS);
  const up = to.altM - body.altM;
  body.up = Math.max(-wings.sink, Math.min(wings.climb, up));
}

/** Turns a plane towards a course as fast as its bank allows, at a speed it can fly. */
export function bank(body: Body, course: number, speedMps: number, wings: Wings, dtS: number): void {
  const wanted = Math.max(wings.minMps, Math.min(wings.maxMps, speedMps));
  const now = groundSpeed(body);
  const speed = now + Math.sign(wanted - now) * Math.min(Math.abs(wanted - now), (now < wings.minMps ? 6 : 2) * dtS);
  const heading = now > 0.5 ? Math.atan2(body.east, body.north) : (body.yawDeg * Math.PI) / 180;
  const off = Math.atan2(Math.sin(course - heading), Math.cos(course - heading));
  const most = ((GRAVITY * Math.tan((wings.bankDeg * Math.PI) / 180)) / Math.max(speed, wings.minMps)) * dtS;
  const next = heading + Math.max(-most, Math.min(most, off));
  body.north = Math.cos(next) * speed;
  body.east = Math.sin(next) * speed;
  body.yawDeg = ((next * 180) / Math.PI + 360) % 360;
}
