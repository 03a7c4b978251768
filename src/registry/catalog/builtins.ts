import type { CatalogModel } from '../../model/catalog.ts';
import { autopilots } from './builtins/autopilots.ts';
import { dji } from './builtins/dji.ts';
import { makers } from './builtins/makers.ts';
import { sensors } from './builtins/sensors.ts';
import { fold } from './names.ts';

/**
 * The platforms and sensors that every workspace knows, by name. Figures are the makers' own, of their public data sheets
 * and user manuals, best case and in the units used here; what a maker does not publish is left out.
 */
export const builtins: readonly CatalogModel[] = [...dji, ...makers, ...autopilots, ...sensors].sort((a, b) =>
  fold(a.name) < fold(b.name) ? -1 : 1,
);
