import type { Config } from '../../host/config.ts';
import type { Metrics } from '../../host/metrics.ts';
import type { Health, HealthPart, Service, StreamSource } from '../../http/service.ts';
import { Fault } from '../../model/fault.ts';
import { protocols } from '../../model/link.ts';
import type { RuleValue } from '../../model/rule_value.ts';
import type { Sensor } from '../../model/sensor.ts';
import { verbNames } from '../../model/verb.ts';
import type { PictureEvent } from '../../picture/picture.ts';
import type { HistoryLog } from '../../store/log/history.ts';
import type { World } from '../../worlds/world.ts';
import { type EventSources, listEvents } from './event_list.ts';
import { type EvidenceParts, gatherEvidence } from './evidence_desk.ts';
import { oneAtATime } from './one_at_a_time.ts';
import { type Past, tryRule } from './rule_trial.ts';
import type { SensorDesk } from './sensor_desk.ts';
import { sensorHealth } from './sensor_health.ts';
import type { ThreatDesk } from './threat_desk.ts';
import type { TrackDesk } from './track_desk.ts';

/** Beyond this silence of the core nothing is tracked any more. */
const CORE_DEAD_MS = 5_000;

export type ServiceParts = {
  world: World;
  desk: SensorDesk;
  links: Service['links'];
  history: HistoryLog;
  metrics: Metrics;
  config: Config;
  about: Service['about'];
  workspace: { id: string; name: string };
  settingsHash: string;
  /** Why the state of the box is not used; null where it is. */
  recovery: string | null;
  events: EventSources;
  tracks: TrackDesk;
  threats: ThreatDesk;
  /** By what rules are tried on what was recorded. */
  past(): Past;
  /** What hides others' firings while it lasts. */
  floodRule(): readonly RuleValue[];
  evidence: Omit<EvidenceParts, keyof EventSources | 'world'>;
  nowMs(): number;
};

/** What the HTTP room may ask of the rest of the daemon. */
export function createService(parts: ServiceParts): Service {
  const { world, desk, history, metrics, about } = parts;
  const stream = streamOf(world);
  const trials = oneAtATime();
  return {
    about,
    manifest: () => ({
      features: [
        'tracking',
        'stream',
        'history',
        'ingest',
        'registry',
        'zones',
        'threats',
        'rules',
        'alerts',
        'webhooks',
        'fleet',
        'commands',
        'engagement',
        'recordings',
      ],
      protocols,
      verbs: verbNames,
      settingsHash: parts.settingsHash,
      workspaces: [{ id: parts.workspace.id, name: parts.workspace.name }],
    }),
    picture: () => world.snapshot(),
    sim: () => world.snapshot().sim,
    tracks: {
      list: () => world.tracks(),
      get: (id) => world.track(id),
      async history({ trackId, stepS, ...page }) {
        const { rows, next } = await history.trackPoints({ trackId, stepS: stepS ?? undefined, ...spanOf(page) });
        if (rows.length === 0 && !(await isKnown(parts, trackId))) {
          throw new Fault('not_found', `no track with the id ${trackId} is known, in the picture or in the history`);
        }
        return { rows, nextCursor: next };
      },
      label: async (id) =>
        (world.track(id) ?? (await history.lastTracks({ sinceMs: 0, trackId: id }))[0])?.number ?? null,
      merge: (id, into, reason, by) => parts.tracks.merge(id, into, reason, by),
      drop: (id, reason, by) => parts.tracks.drop(id, reason, by),
    },
    threats: {
      list: () => world.threats.list(),
      get: (trackId) => world.threats.get(trackId),
      acknowledge: (trackId, note, by) => parts.threats.acknowledge(trackId, note, by),
      dismiss: (trackId, reason, until, by) => parts.threats.dismiss(trackId, reason, until, by),
      preview: (policy, trackIds) => world.threats.preview(policy, trackIds),
    },
    async detections({ trackId, sensorId, ...page }) {
      const who = { trackId: trackId ?? undefined, sensorId: sensorId ?? undefined };
      const { rows, next } = await history.detections({ ...who, ...spanOf(page) });
      return { rows, nextCursor: next };
    },
    events: (query) => listEvents(parts.events, query),
    sensors: {
      list: () => desk.list(),
      get: (id) => desk.list().find((sensor: Sensor) => sensor.id === id),
      create: (spec, by) => desk.create(spec, by),
      update: (id, patch, by) => desk.update(id, patch, by),
      remove: (id, by) => desk.remove(id, by),
    },
    links: parts.links,
    ingest(rows) {
      const answer = { accepted: 0, duplicates: 0, rejected: [] as { index: number; error: string }[] };
      const nowMs = parts.nowMs();
      world.taps.tap?.ingest(rows, nowMs);
      rows.forEach((row, index) => {
        const outcome = world.rows.take(row, null, nowMs);
        if (outcome === 'accepted') answer.accepted++;
        else if (outcome === 'duplicate') answer.duplicates++;
        else answer.rejected.push({ index, error: outcome.error });
      });
      return answer;
    },
    dryRunRule: (rule, sinceMs, untilMs) =>
      trials(() => tryRule(history, parts.past(), withFlood(rule, parts.floodRule()), { sinceMs, untilMs })),
    evidence: (trackId, by) => gatherEvidence({ ...parts.events, ...parts.evidence, world }, trackId, by),
    stored() {
      const { bytes, heldBytes, note } = history.status();
      return { bytes, heldBytes, note };
    },
    health: () => healthOf(parts),
    metricsText: () => metrics.text(),
    stream: () => stream,
  };
}

type Page = { limit: number; cursor: string | null; sinceMs: number | null; untilMs: number | null };

function spanOf({ limit, cursor, sinceMs, untilMs }: Page) {
  return { limit, cursor, sinceMs: sinceMs ?? undefined, untilMs: untilMs ?? undefined };
}

async function isKnown({ world, history }: ServiceParts, trackId: string): Promise<boolean> {
  return world.track(trackId) !== undefined || (await history.lastTracks({ sinceMs: 0, trackId })).length > 0;
}

function streamOf(world: World): StreamSource {
  return {
    snapshot: () => world.snapshot(),
    since: (epoch, seq) => world.since(epoch, seq),
    onFlush: (callback) => world.follow((events: readonly PictureEvent[]) => callback({ epoch: world.epoch, events })),
  };
}

/**
 * Readiness by part. A link that is down or a sensor that is silent is shown, and does not make the box unhealthy; a box
 * that receives none of the sensors that watch its sky is. The watchdog of the service manager does not go by this: a
 * start anew mends no antenna.
 */
function healthOf({ world, history, nowMs, recovery }: ServiceParts): Health {
  const silentMs = world.coreSilentMs();
  const stored = history.status();
  const links = world.links.list();
  const open = links.filter((link) => link.status().state === 'open').length;
  const parts: HealthPart[] = [
    {
      name: 'core',
      state: silentMs > CORE_DEAD_MS ? 'down' : 'up',
      needed: true,
      text: silentMs > CORE_DEAD_MS ? `no answer for ${Math.round(silentMs / 1000)} s` : 'answers',
    },
    {
      name: 'history',
      state: stored.state === 'ok' ? 'up' : 'degraded',
      needed: false,
      text: stored.text ?? stored.note ?? 'writes',
    },
    {
      name: 'links',
      state: open === links.length ? 'up' : 'degraded',
      needed: false,
      text: `${open} of ${links.length} open`,
    },
    sensorHealth(world.sensors.watched(nowMs())),
  ];
  if (recovery !== null) parts.push({ name: 'state', state: 'down', needed: true, text: recovery });
  return { ok: parts.every((part) => !part.needed || part.state !== 'down'), parts };
}

function withFlood(rule: RuleValue, flood: readonly RuleValue[]): RuleValue[] {
  return [rule, ...flood.filter(({ id }) => id !== rule.id)];
}
