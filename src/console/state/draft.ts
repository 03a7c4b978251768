import { type Signal, signal } from '@preact/signals';
import type { Area, Geometry, Position } from '../../model/geometry.ts';
import type { Region } from '../../model/region.ts';
import type { Zone } from '../../model/zone.ts';

export type Shape = 'polygon' | 'circle' | 'corridor';

/** An area that is being drawn. It is not sent to the daemon before it is saved. */
type Drawing = {
  name: string;
  shape: Shape;
  /** Vertices of a polygon (the first is not repeated) or of a corridor's line; the one centre of a circle. */
  points: Position[];
  /** Radius of a circle, or width of a corridor, m. */
  sizeM: number;
  /** Indices of the points of two edges that cross: the daemon refused the last save. Empty after a change. */
  crossing: readonly number[];
};

/** A zone while it is drawn or edited. */
export type ZoneDraft = Drawing & {
  of: 'zone';
  /** The edited zone as it was read; null for a new one. */
  before: Zone | null;
  /** Null until a person has chosen it: no kind is harmless where another was meant. */
  kind: Zone['kind'] | null;
  floorM: number | null;
  ceilingM: number | null;
  datum: Zone['datum'];
  alarm: Zone['alarm'];
  appliesTo: Zone['applies_to'];
  /** Hours in which the zone is active; null for all. */
  schedule: Zone['schedule'];
  enabled: boolean;
};

/** A region while it is drawn or edited. */
export type RegionDraft = Drawing & {
  of: 'region';
  /** The edited region as it was read; null for a new one. */
  before: Region | null;
  /** Height of the ground above the ellipsoid, m; null where it is not known. */
  groundM: number | null;
  tz: string;
  posture: Region['posture'];
  view: Region['default_view'];
};

export type Draft = ZoneDraft | RegionDraft;

export const draft: Signal<Draft | null> = signal(null);
const undone: Draft[] = [];
const MOST_UNDONE = 100;
/** Initial radius or width of a new area, m. */
const FIRST_SIZE_M = 300;

/** Alarm of a new zone. The values equal the defaults of the zone schema in `src/model/zone.ts`. */
const firstAlarm: Zone['alarm'] = { on: ['enter'], level: 'warning', dwell_s: 30, eta_s: 60, hysteresis_m: 20 };

export const leastPoints: Record<Shape, number> = { polygon: 3, circle: 1, corridor: 2 };

function open(next: Draft): void {
  undone.length = 0;
  draft.value = next;
}

export function closeDraft(): void {
  draft.value = null;
}

export function newZone(): void {
  open({
    ...{ of: 'zone', before: null, name: '', kind: null, shape: 'circle', points: [], sizeM: FIRST_SIZE_M },
    ...{ floorM: null, ceilingM: null, datum: 'agl', alarm: firstAlarm, enabled: true, crossing: [] },
    ...{ appliesTo: { affiliations: [], cooperative: [] }, schedule: null },
  });
}

/**
 * Opens a zone for editing. The geometry of a zone with holes or several parts cannot be edited here, and stays
 * unchanged.
 */
export function editZone(zone: Zone): void {
  const { name, kind, floor_m: floorM, ceiling_m: ceilingM, datum, alarm, schedule, enabled } = zone;
  open({
    ...{ of: 'zone', before: zone, name, kind, floorM, ceilingM, datum, enabled, crossing: [] },
    ...{ alarm, appliesTo: zone.applies_to, schedule },
    ...shapeOf(zone.geometry),
  });
}

/** Opens a new region; `tz` is the browser's time zone, which a person may change. */
export function newRegion(tz: string): void {
  open({
    ...{ of: 'region', before: null, name: '', shape: 'polygon', points: [], sizeM: FIRST_SIZE_M },
    ...{ groundM: null, tz, posture: null, view: null, crossing: [] },
  });
}

/** Opens a region for editing. As for zones, a geometry with holes or several parts stays unchanged. */
export function editRegion(region: Region): void {
  const { name, ground_alt_hae_m: groundM, tz, posture, default_view: view } = region;
  open({
    ...{ of: 'region', before: region, name, groundM, tz, posture, view, crossing: [] },
    ...shapeOf(region.geometry),
  });
}

/** Whether the vertices of a geometry can be edited: it must be one ring, one line or one circle. */
export function isEditable(geometry: Geometry): boolean {
  return geometry.type !== 'MultiPolygon' && (geometry.type !== 'Polygon' || geometry.coordinates.length === 1);
}

function shapeOf(geometry: Geometry): Pick<Draft, 'shape' | 'points' | 'sizeM'> {
  switch (geometry.type) {
    case 'Point':
      return { shape: 'circle', points: [geometry.coordinates], sizeM: geometry.radius_m };
    case 'LineString':
      return { shape: 'corridor', points: geometry.coordinates, sizeM: geometry.width_m };
    case 'Polygon':
      return { shape: 'polygon', points: geometry.coordinates[0]?.slice(0, -1) ?? [], sizeM: FIRST_SIZE_M };
    case 'MultiPolygon':
      return { shape: 'polygon', points: [], sizeM: FIRST_SIZE_M };
  }
}

/** The geometry of a draft; null while it has too few points or no size. A region cannot be a corridor. */
export function geometryOf(draft: RegionDraft): Area | null;
export function geometryOf(draft: Draft): Geometry | null;
export function geometryOf({ shape, points, sizeM, before }: Draft): Geometry | null {
  if (before && !isEditable(before.geometry)) return before.geometry;
  const [first] = points;
  if (points.length < leastPoints[shape] || first === undefined || !(shape === 'polygon' || sizeM > 0)) return null;
  if (shape === 'circle') return { type: 'Point', coordinates: first, radius_m: sizeM };
  if (shape === 'corridor') return { type: 'LineString', coordinates: points, width_m: sizeM };
  return { type: 'Polygon', coordinates: [[...points, first]] };
}

/** Changes a draft; the change can be undone. */
export function changeDraft<T extends Draft = Draft>(part: Partial<Omit<T, 'of' | 'before'>>): void {
  const now = draft.peek();
  if (!now) return;
  undone.push(now);
  if (undone.length > MOST_UNDONE) undone.shift();
  draft.value = { ...now, crossing: [], ...part } as Draft;
}

/**
 * Marks the points of two edges that cross. `sentence`, the daemon's refusal, has the index of each edge's first point.
 */
export function markCrossing(sentence: string): void {
  const now = draft.peek();
  const [, from, at] = /edges from positions (\d+) and (\d+) meet/.exec(sentence) ?? [];
  if (!now || from === undefined || at === undefined) return;
  const ends = [Number(from), Number(at)].flatMap((start) => [start, (start + 1) % now.points.length]);
  draft.value = { ...now, crossing: [...new Set(ends)] };
}

export function undo(): void {
  const before = undone.pop();
  if (before) draft.value = before;
}

/** Adds a vertex after the last one; for a circle it replaces the centre. */
export function addPoint(point: Position): void {
  const now = draft.peek();
  if (now) changeDraft({ points: now.shape === 'circle' ? [point] : [...now.points, point] });
}

export function movePoint(index: number, point: Position): void {
  const now = draft.peek();
  if (now) changeDraft({ points: now.points.map((one, at) => (at === index ? point : one)) });
}

/**
 * Begins to drag a point. Returns a function that takes each new place of the point; `undo` brings back the state
 * before the whole drag.
 */
export function dragPoint(index: number): (point: Position) => void {
  let isFirst = true;
  return (point) => {
    if (isFirst) movePoint(index, point);
    else {
      const now = draft.peek();
      if (now) draft.value = { ...now, points: now.points.map((one, at) => (at === index ? point : one)) };
    }
    isFirst = false;
  };
}

export function removePoint(index: number): void {
  const now = draft.peek();
  if (now) changeDraft({ points: now.points.filter((_, at) => at !== index) });
}
