import type { CatalogModel } from '../../model/catalog.ts';
import { autopilots } from './builtins/autopilots.ts';
import { dji } from './builtins/dji.ts';
import { makers } from './builtins/makers.ts';
import { sensors } from './builtins/sensors.ts';
import { fold } from './names.ts';

/**
 * Built-in platforms and sensors, which every workspace has, sorted by name. Figures are from the makers' public data
 * sheets and manuals: best-case values, converted to SI units. Figures that are not published are left out.
 */
export const builtins: readonly CatalogModel[] = [...dji, ...makers, ...autopilots, ...sensors].sort((a, b) =>
  fold(a.name) < fold(b.name) ? -1 : 1,
);
