import type { Me, SignedIn, Ticket } from '../../model/access.ts';
import type { Alert } from '../../model/alert.ts';
import type { BaseMap } from '../../model/base_map.ts';
import type { AssetCommand, Command } from '../../model/command.ts';
import type { DecisionConfig } from '../../model/decision_config.ts';
import type { Engagement, PlanApproval, StopAll } from '../../model/engagement.ts';
import type { LogEvent } from '../../model/event.ts';
import type { Health } from '../../model/health.ts';
import type { LogKind } from '../../model/log_kind.ts';
import type { Picture, SimState } from '../../model/picture.ts';
import type { Region, RegionPatch, RegionSpec } from '../../model/region.ts';
import type { Task } from '../../model/task.ts';
import type { Threat } from '../../model/threat.ts';
import type { Track, TrackPoint } from '../../model/track.ts';
import type { Zone, ZonePatch, ZoneSpec } from '../../model/zone.ts';
import { session } from '../state/session.ts';
import { request, requestPage } from './client.ts';

/** Operator name for a request without a session; with a session the server knows the user. */
const person = (): { operator?: string } => {
  const { token, name } = session.peek();
  return token === null && name !== null ? { operator: name } : {};
};
const STOP_REASON = 'STOP ALL was held on the console';
/** Limit of the points in the plot of a track. */
const MOST_POINTS = 1_000;
/** Limit of the points of a trail that is read from the history (`state/older_trails.ts`). */
const MOST_TRAIL_POINTS = 240;
/** Limit of the log rows that are read for one minute; a minute with more rows shows its newest. */
const MOST_OF_MINUTE = 1_000;
/** Rows of the log in one answer. */
const LOG_PAGE = 200;

/** Requests of the console to the API, one function each. `stream/worker.ts` requests the stream and its ticket. */
export const calls = {
  signIn: (username: string, password: string) => request<SignedIn>('POST', 'auth/sign-in', { username, password }),
  signOut: () => request<object>('POST', 'auth/sign-out', {}),
  renew: () => request<SignedIn>('POST', 'auth/renew', {}),
  me: () => request<Me>('GET', 'me'),
  maps: () => request<BaseMap[]>('GET', 'maps'),
  decisionConfig: () => request<DecisionConfig>('GET', 'decision-config'),
  livePicture: () => request<Picture>('GET', 'picture?world=live'),
  /** A page of the log of the shown world before the time `until`, newest first. Null: the newest page. */
  logBefore: (until: string | null) =>
    requestPage<LogEvent[]>(`events?limit=${LOG_PAGE}${until === null ? '' : `&until=${encodeURIComponent(until)}`}`),
  /** Rows of the log of the shown world within a minute, newest first. */
  logOfMinute: (minuteMs: number) =>
    request<LogEvent[]>(
      'GET',
      `events?limit=${MOST_OF_MINUTE}&since=${encodeURIComponent(new Date(minuteMs).toISOString())}&until=${encodeURIComponent(new Date(minuteMs + 60_000).toISOString())}`,
    ),
  logOf: (kind: LogKind, limit: number) => request<LogEvent[]>('GET', `events?kind=${kind}&limit=${limit}`),
  health: () => request<Health>('GET', 'health'),
  history: (id: string) => request<TrackPoint[]>('GET', `tracks/${id}/history?step_s=1&limit=${MOST_POINTS}`),
  /** Points of a track since a time, oldest first. */
  historySince: (id: string, since: string) =>
    request<TrackPoint[]>(
      'GET',
      `tracks/${id}/history?step_s=1&limit=${MOST_TRAIL_POINTS}&since=${encodeURIComponent(since)}`,
    ),
  setAffiliation: (id: string, affiliation: Track['affiliation'], reason: string, expires_at: string | null) =>
    request<Track>('POST', `tracks/${id}/affiliation`, {
      affiliation,
      reason,
      ...(expires_at === null ? {} : { expires_at }),
    }),
  fileTicket: (path: string) => request<Ticket>('POST', 'auth/file-ticket', { path }),
  drop: (id: string, reason: string) => request<object>('POST', `tracks/${id}/drop`, { reason }),
  acknowledgeAlert: (id: string) => request<Alert>('POST', `alerts/${id}/acknowledge`, {}),
  acknowledgeThreat: (trackId: string) => request<Threat>('POST', `threats/${trackId}/acknowledge`, {}),
  dismissThreat: (trackId: string, reason: string, until: string | null) =>
    request<Threat>('POST', `threats/${trackId}/dismiss`, { reason, until }),
  // A dismissal whose end is in the past ends an earlier dismissal of the threat.
  takeBack: (trackId: string) =>
    request<Threat>('POST', `threats/${trackId}/dismiss`, { reason: 'taken back', until: '1970-01-01T00:00:00.000Z' }),
  propose: (track_id: string) => request<Engagement>('POST', 'engagement/propose', { track_id }),
  approve: (approval: PlanApproval) => request<Engagement>('POST', 'engagement/task', { ...person(), ...approval }),
  reject: (id: string, reason: string) =>
    request<Engagement>('POST', `engagement/${id}/reject`, { ...person(), reason }),
  cancel: (id: string, reason: string) =>
    request<Engagement>('POST', `engagement/${id}/cancel`, { ...person(), reason }),
  stopAll: () => request<StopAll>('POST', 'engagement/stop_all', { ...person(), reason: STOP_REASON }),
  command: (assetId: string, command: AssetCommand) =>
    request<Command>('POST', `assets/${assetId}/command`, { ...person(), ...command }),
  cancelTask: (id: string) => request<Task>('POST', `tasks/${id}/cancel`, person()),
  createZone: (spec: ZoneSpec) => request<Zone>('POST', 'zones', spec),
  updateZone: (id: string, patch: ZonePatch) => request<Zone>('POST', `zones/${id}`, patch),
  deleteZone: (id: string) => request<object>('DELETE', `zones/${id}`),
  createRegion: (spec: RegionSpec) => request<Region>('POST', 'regions', spec),
  updateRegion: (id: string, patch: RegionPatch) => request<Region>('POST', `regions/${id}`, patch),
  deleteRegion: (id: string) => request<object>('DELETE', `regions/${id}`),
  showLive: () => request<SimState>('POST', 'sim/mode', { mode: 'live' }),
};
