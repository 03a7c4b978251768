import { Regions } from './regions.ts';
import type { RegistryRim } from './rim.ts';
import { Zones } from './zones.ts';

/** What the operators of one workspace own. */
export class Registry {
  readonly rim: RegistryRim;
  readonly zones: Zones;
  readonly regions: Regions;

  constructor(rim: RegistryRim) {
    this.rim = rim;
    this.zones = new Zones(rim);
    this.regions = new Regions(rim);
  }
}
