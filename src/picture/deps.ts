import type { Affiliator } from '../model/affiliation.ts';
import type { Alert } from '../model/alert.ts';
import type { Engagement } from '../model/engagement.ts';
import type { Picture } from '../model/picture.ts';
import type { Autonomy } from '../model/posture.ts';
import type { DocumentDeps } from './track_document.ts';

export type PictureSettings = {
  epoch: string;
  workspaceId: string;
  /** Greatest rate of updates of one track, Hz. */
  trackHz: number;
  environment: Picture['environment'];
  /** Whether changes are collected only after the first call of `watch`. */
  unwatched?: boolean;
};

/** Dependencies of a picture. */
export type PictureDeps = DocumentDeps & {
  nowMs(): number;
  /** Time of the viewers' clock, which spaces updates, ms. Differs from world time if the world runs faster. */
  publishMs(): number;
  sim(): Picture['sim'];
  /** Returns the health as last published; absent for a world without a workspace, as in tests. */
  health?(): Picture['health'];
  /** Decides affiliations. Without it all tracks are unknown. */
  affiliator?: Affiliator;
  /** Returns the alerts in the picture. */
  alerts(): Alert[];
  /** Returns the open engagements. */
  engagements(): Engagement[];
};

/** Decisions of people about the workspace. */
export type PicturePolicy = Pick<Picture, 'posture' | 'autonomy'> & {
  /** Highest autonomy that the doctrine allows at the current posture. */
  autonomyCap: Autonomy;
};

/** Kinds of events that have no row in the picture. */
export type Announced =
  | 'config_change'
  | 'doctrine_change'
  | 'discovery_change'
  | 'live_alert'
  | 'health_update'
  | 'sim_state'
  | 'run_update';
