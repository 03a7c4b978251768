import type { Affiliator } from '../model/affiliation.ts';
import type { Alert } from '../model/alert.ts';
import type { Engagement } from '../model/engagement.ts';
import type { Picture } from '../model/picture.ts';
import type { Autonomy } from '../model/posture.ts';
import type { DocumentDeps } from './track_document.ts';

export type PictureSettings = {
  epoch: string;
  workspaceId: string;
  /** Maximum rate of updates of one track, Hz. */
  trackHz: number;
  environment: Picture['environment'];
  /** Whether changes are gathered only from the first `watch` on. */
  unwatched?: boolean;
};

/** Dependencies of a picture. */
export type PictureDeps = DocumentDeps & {
  nowMs(): number;
  /** Time of the viewers' clock, which spaces updates, ms. It differs from world time where a world runs faster. */
  publishMs(): number;
  sim(): Picture['sim'];
  /** Health as last published; absent outside of a box. */
  health?(): Picture['health'];
  /** Decides affiliations; without it all are unknown. */
  affiliator?: Affiliator;
  /** Alerts in the picture. */
  alerts(): Alert[];
  /** Engagements in the picture: the open ones. */
  engagements(): Engagement[];
};

/** Decisions of people about the workspace. */
export type PicturePolicy = Pick<Picture, 'posture' | 'autonomy'> & {
  /** Limit that the doctrine sets under the posture. */
  autonomyCap: Autonomy;
};

/** Kinds of events without a row in the picture. */
export type Announced =
  | 'config_change'
  | 'doctrine_change'
  | 'discovery_change'
  | 'live_alert'
  | 'health_update'
  | 'sim_state'
  | 'run_update';
