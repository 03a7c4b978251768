import type { CatalogModel } from '../../model/catalog.ts';
import { autopilots } from './builtins/autopilots.ts';
import { dji } from './builtins/dji.ts';
import { makers } from './builtins/makers.ts';
import { sensors } from './builtins/sensors.ts';
import { fold } from './names.ts';

/**
 * The platforms and sensors that every workspace has, by name. Figures are from the makers' public data sheets and
 * manuals: best case, in the units used here. Unpublished figures are left out.
 */
export const builtins: readonly CatalogModel[] = [...dji, ...makers, ...autopilots, ...sensors].sort((a, b) =>
  fold(a.name) < fold(b.name) ? -1 : 1,
);
