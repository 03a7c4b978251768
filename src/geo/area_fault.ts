import { AREAS_CODE } from '../model/rows/layouts.ts';
import { addon } from './addon.ts';
import { type AreaValue, areaColumns } from './area_columns.ts';

const sentences: Record<number, string> = {
  [AREAS_CODE.tooWide]: 'reaches more than 60 degrees from its middle',
  [AREAS_CODE.emptyRing]: 'has a ring smaller than 1 mm, or encloses no area',
  [AREAS_CODE.tangled]: 'has polygons that overlap or cross each other too often: draw one polygon, or several zones',
};

/**
 * Returns the reason why the native side would refuse a shape; null if it accepts the shape. The sentence continues
 * after the shape's name. The native side itself is asked, because its geometry differs from that of `shapeFault`: it
 * may refuse a gap that `shapeFault` accepts.
 */
export function areaFault(shape: AreaValue['shape']): string | null {
  const open = { floorM: Number.NEGATIVE_INFINITY, ceilingM: Number.POSITIVE_INFINITY, measured: true, nearM: 0 };
  const { protectedAreas: things, rings, positions } = areaColumns([{ shape, ...open }]);
  const code = addon.setAreas(addon.makeAreas(), things, rings, positions, new Float64Array(1));
  return code < 0 ? (sentences[code] ?? 'has a form that tracks cannot be measured against') : null;
}
