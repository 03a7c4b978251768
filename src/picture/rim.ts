import type { Picture } from '../model/picture.ts';
import type { Autonomy } from '../model/posture.ts';
import type { DocumentRim } from './track_document.ts';

export type PictureSettings = {
  epoch: string;
  workspaceId: string;
  /** Updates of one track a second at most. */
  trackHz: number;
  environment: Picture['environment'];
  /** Nobody follows it: changes are gathered from the first `watch` on. */
  unwatched?: boolean;
};

/** What a picture asks of the world around it. */
export type PictureRim = DocumentRim & {
  nowMs(): number;
  /** By which updates are spaced: the clock of those who watch, which is another where time is played faster. */
  tellMs(): number;
  sim(): Picture['sim'];
};

/** What people decided of the workspace. */
export type PicturePolicy = Pick<Picture, 'posture' | 'autonomy'> & {
  /** What the doctrine allows at most under the posture. */
  autonomyCap: Autonomy;
};

/** What clients are told of that has no row of its own in the picture. */
export type Announced =
  | 'config_change'
  | 'doctrine_change'
  | 'discovery_change'
  | 'live_alert'
  | 'sim_state'
  | 'run_update';
