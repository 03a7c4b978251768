import { type Signal, signal } from '@preact/signals';
import type { Geometry, Position } from '../../model/geometry.ts';
import type { Zone } from '../../model/zone.ts';

export type Shape = 'polygon' | 'circle' | 'corridor';

/** A zone while it is drawn or edited. Nothing of it is sent before it is saved. */
export type Draft = {
  /** The zone that is edited, as it was read; null for a new one. */
  before: Zone | null;
  name: string;
  kind: Zone['kind'];
  shape: Shape;
  /** Vertices of a ring that is not closed, of a line, or the one centre of a circle. */
  points: Position[];
  /** Radius of a circle, or width of a corridor, m. */
  sizeM: number;
  floorM: number | null;
  ceilingM: number | null;
  datum: Zone['datum'];
  level: Zone['alarm']['level'];
  enabled: boolean;
  /** Indices of the points whose edges cross, as the box found when it was saved; empty until then. */
  crossing: readonly number[];
};

export const draft: Signal<Draft | null> = signal(null);
const undone: Draft[] = [];
const MOST_UNDONE = 100;

/** Fewest points of each shape. */
export const leastPoints: Record<Shape, number> = { polygon: 3, circle: 1, corridor: 2 };

export function newDraft(): void {
  undone.length = 0;
  draft.value = {
    ...{ before: null, name: '', kind: 'protected', shape: 'circle', points: [], sizeM: 300 },
    ...{ floorM: null, ceilingM: null, datum: 'agl', level: 'warning', enabled: true, crossing: [] },
  };
}

/** Edits a zone. A zone with holes or several parts keeps its geometry: its vertices cannot be edited here. */
export function editZone(zone: Zone): void {
  undone.length = 0;
  const { name, kind, floor_m: floorM, ceiling_m: ceilingM, datum, alarm, enabled } = zone;
  draft.value = {
    ...{ before: zone, name, kind, floorM, ceilingM, datum, level: alarm.level, enabled, crossing: [] },
    ...shapeOf(zone.geometry),
  };
}

/** True where the vertices of a geometry can be edited: one ring, one line, one circle. */
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
      return { shape: 'polygon', points: geometry.coordinates[0]?.slice(0, -1) ?? [], sizeM: 300 };
    case 'MultiPolygon':
      return { shape: 'polygon', points: [], sizeM: 300 };
  }
}

/** The geometry of a draft; null while it has too few points or no size. */
export function geometryOf({ shape, points, sizeM, before }: Draft): Geometry | null {
  if (before && !isEditable(before.geometry)) return before.geometry;
  const [first] = points;
  if (points.length < leastPoints[shape] || first === undefined || !(shape === 'polygon' || sizeM > 0)) return null;
  if (shape === 'circle') return { type: 'Point', coordinates: first, radius_m: sizeM };
  if (shape === 'corridor') return { type: 'LineString', coordinates: points, width_m: sizeM };
  return { type: 'Polygon', coordinates: [[...points, first]] };
}

/** Changes a draft; the state before can be brought back. */
export function changeDraft(part: Partial<Draft>): void {
  const now = draft.peek();
  if (!now) return;
  undone.push(now);
  if (undone.length > MOST_UNDONE) undone.shift();
  draft.value = { ...now, crossing: [], ...part };
}

/** Marks the points of the two edges that the box's sentence names. A ring's points are counted from 0 there. */
export function markCrossing(sentence: string): void {
  const now = draft.peek();
  const [, from, at] = /edge from position (\d+) meets that from position (\d+)/.exec(sentence) ?? [];
  if (!now || from === undefined || at === undefined) return;
  const ends = [Number(from), Number(at)].flatMap((start) => [start, (start + 1) % now.points.length]);
  draft.value = { ...now, crossing: [...new Set(ends)] };
}

export function undo(): void {
  const before = undone.pop();
  if (before) draft.value = before;
}

/** Adds a vertex behind the last one; of a circle it is the centre. */
export function addPoint(point: Position): void {
  const now = draft.peek();
  if (now) changeDraft({ points: now.shape === 'circle' ? [point] : [...now.points, point] });
}

export function movePoint(index: number, point: Position): void {
  const now = draft.peek();
  if (now) changeDraft({ points: now.points.map((one, at) => (at === index ? point : one)) });
}

export function removePoint(index: number): void {
  const now = draft.peek();
  if (now) changeDraft({ points: now.points.filter((_, at) => at !== index) });
}
