import type { RegistryRim } from './rim.ts';

/** What the operators of one workspace own. */
export class Registry {
  readonly rim: RegistryRim;

  constructor(rim: RegistryRim) {
    this.rim = rim;
  }
}
