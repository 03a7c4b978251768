import { type Thing, thingFinder } from '../store/things.ts';
import { Decisions } from './decision.ts';
import { Discovery } from './discovery.ts';
import { Doctrines } from './doctrine/doctrine.ts';
import { Holds } from './holds.ts';
import { Links } from './links.ts';
import { Regions } from './regions.ts';
import { RetentionPolicy } from './retention.ts';
import type { RegistryRim } from './rim.ts';
import { Zones } from './zones.ts';

/** What the operators of one workspace own. */
export class Registry {
  readonly rim: RegistryRim;
  /** What of this workspace has an id, whatever it is. */
  readonly find: (id: string) => Thing | null;
  readonly decision: Decisions;
  readonly discovery: Discovery;
  readonly doctrine: Doctrines;
  readonly links: Links;
  readonly zones: Zones;
  readonly regions: Regions;
  readonly holds: Holds;
  readonly retention: RetentionPolicy;

  constructor(rim: RegistryRim) {
    this.rim = rim;
    const find = thingFinder(rim.state);
    this.find = (id) => find(rim.workspaceId, id);
    this.decision = new Decisions(rim);
    this.discovery = new Discovery(rim);
    this.doctrine = new Doctrines(rim, this.decision);
    this.links = new Links(rim);
    this.zones = new Zones(rim);
    this.regions = new Regions(rim);
    this.holds = new Holds(rim);
    this.retention = new RetentionPolicy(rim);
  }
}
