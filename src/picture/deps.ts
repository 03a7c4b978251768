import type { Affiliator } from '../model/affiliation.ts';
import type { Alert } from '../model/alert.ts';
import type { Engagement } from '../model/engagement.ts';
import type { Picture } from '../model/picture.ts';
import type { Autonomy } from '../model/posture.ts';
import type { DocumentDeps } from './track_document.ts';

export type PictureSettings = {
  epoch: string;
  workspaceId: string;
  /** Updates of one track a second at most. */
  trackHz: number;
  environment: Picture['environment'];
  /** Changes are gathered from the first `watch` on only. */
  unwatched?: boolean;
};

/** Dependencies of a picture on its world. */
export type PictureDeps = DocumentDeps & {
  nowMs(): number;
  /** Clock of the people who watch, which spaces updates; another than world time where a world runs faster. */
  publishMs(): number;
  sim(): Picture['sim'];
  /** Health as it was published last; absent outside a box. */
  health?(): Picture['health'];
  /** Decides affiliations; without it all are unknown. */
  affiliator?: Affiliator;
  /** Alerts that are shown. */
  alerts(): Alert[];
  /** Engagements that are shown: those that are open. */
  engagements(): Engagement[];
};

/** Decisions of people on the workspace. */
export type PicturePolicy = Pick<Picture, 'posture' | 'autonomy'> & {
  /** Limit of the doctrine under the posture. */
  autonomyCap: Autonomy;
};

/** Events without a row of their own in the picture. */
export type Announced =
  | 'config_change'
  | 'doctrine_change'
  | 'discovery_change'
  | 'live_alert'
  | 'health_update'
  | 'sim_state'
  | 'run_update';
