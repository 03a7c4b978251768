import { Holds } from './holds.ts';
import { RetentionPolicy } from './retention.ts';
import type { RegistryRim } from './rim.ts';

/** What the operators of one workspace own. */
export class Registry {
  readonly rim: RegistryRim;
  readonly holds: Holds;
  readonly retention: RetentionPolicy;

  constructor(rim: RegistryRim) {
    this.rim = rim;
    this.holds = new Holds(rim);
    this.retention = new RetentionPolicy(rim);
  }
}
