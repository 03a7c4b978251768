import { areaFault } from '../../../geo/area_fault.ts';
import { shapeFault } from '../../../geo/shape/fault.ts';
import type { Geometry } from '../../../model/geometry.ts';
import type { ScenarioSpec } from '../../../model/scenario.ts';
import { type Finding, findingIf, type Path } from '../fault.ts';

/** Limit for all zones of a scenario: they add to those of the workspace and are evaluated together. */
const MOST_POSITIONS = 10_000;

/** Zones are areas with room between floor and ceiling, by the rules of the registry. */
export function checkZones({ zones }: ScenarioSpec): Finding[] {
  const positions = zones.reduce((sum, { geometry }) => sum + positionsOf(geometry), 0);
  if (positions > MOST_POSITIONS)
    return [{ path: ['zones'], text: `have ${positions} positions together; at most ${MOST_POSITIONS} are taken` }];
  const names = zones.map(({ name }) => name);
  return zones.flatMap(({ geometry, name, floor_m: floor, ceiling_m: ceiling }, index) => {
    const path = ['zones', index];
    const isTwice = names.indexOf(name) < index;
    const isEmpty = floor !== null && ceiling !== null && floor >= ceiling;
    return [
      ...checkGeometry(geometry, [...path, 'geometry']),
      ...findingIf(isTwice, [...path, 'name'], 'is the name of another zone of the scenario'),
      ...findingIf(isEmpty, [...path, 'ceiling_m'], `must be greater than floor_m, which is ${floor}`),
    ];
  });
}

function checkGeometry(geometry: Geometry, path: Path): Finding[] {
  const shape = shapeFault(geometry);
  if (shape) return [{ path: [...path, ...shape.path], text: shape.sentence }];
  const fault = areaFault(geometry);
  return fault ? [{ path: [...path, 'coordinates'], text: fault }] : [];
}

function positionsOf({ type, coordinates }: Geometry): number {
  if (type === 'Polygon') return coordinates.flat().length;
  if (type === 'MultiPolygon') return coordinates.flat(2).length;
  return type === 'LineString' ? coordinates.length : 1;
}
