import { shapeFault } from '../../../../geo/shape/fault.ts';
import { thingFault } from '../../../../geo/thing_fault.ts';
import type { Geometry } from '../../../../model/geometry.ts';
import type { ScenarioSpec } from '../../../../model/scenario.ts';
import type { Finding, Path } from '../fault.ts';

/** Of all zones of a scenario: they stand beside those of the workspace, and are judged at once. */
const MOST_POSITIONS = 10_000;

/** That zones are areas with room between floor and ceiling, as the registry asks of its own. */
export function checkZones({ zones }: ScenarioSpec): Finding[] {
  const positions = zones.reduce((sum, { geometry }) => sum + positionsOf(geometry), 0);
  if (positions > MOST_POSITIONS)
    return [{ path: ['zones'], text: `have ${positions} positions together; at most ${MOST_POSITIONS} are taken` }];
  const names = new Set<string>();
  return zones.flatMap((zone, index) => {
    const path = ['zones', index];
    const found = checkGeometry(zone.geometry, [...path, 'geometry']);
    const { name, floor_m: floor, ceiling_m: ceiling } = zone;
    if (names.has(name)) found.push({ path: [...path, 'name'], text: 'is the name of another zone of the scenario' });
    names.add(name);
    if (floor !== null && ceiling !== null && floor >= ceiling)
      found.push({ path: [...path, 'ceiling_m'], text: `must be greater than floor_m, which is ${floor}` });
    return found;
  });
}

function checkGeometry(geometry: Geometry, path: Path): Finding[] {
  const shape = shapeFault(geometry);
  if (shape) return [{ path: [...path, ...shape.path], text: shape.sentence }];
  const fault = thingFault(geometry);
  return fault ? [{ path: [...path, 'coordinates'], text: fault }] : [];
}

function positionsOf({ type, coordinates }: Geometry): number {
  if (type === 'Polygon') return coordinates.flat().length;
  if (type === 'MultiPolygon') return coordinates.flat(2).length;
  return type === 'LineString' ? coordinates.length : 1;
}
