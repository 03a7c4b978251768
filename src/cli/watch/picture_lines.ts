import type { Alert } from '../../model/alert.ts';
import type { Engagement } from '../../model/engagement.ts';
import type { Health } from '../../model/health.ts';
import type { Link } from '../../model/link.ts';
import type { Picture, SimState } from '../../model/picture.ts';
import type { Sensor } from '../../model/sensor.ts';
import type { Threat } from '../../model/threat.ts';
import type { Track } from '../../model/track.ts';
import type { Line, Tone } from './line.ts';
import { alertSentence, nameOf, threatSentence, toneOfLevel, toneOfSeverity, trackSentence } from './sentences.ts';

type Said = Omit<Line, 'at'>;
type Body = Record<string, unknown>;

const MODES: Readonly<Record<string, string>> = {
  live: 'the live world is shown',
  sim: 'a SIMULATION is shown: nothing in it is real',
  replay: 'a REPLAY is shown: everything in it is in the past',
};
const deadStates: ReadonlySet<string> = new Set(['silent', 'fault']);
const receivedStates: ReadonlySet<string> = new Set(['operational', 'degraded']);
/** Limit of threats that wait for their tracks: in a batch of events, a threat may come before its track. */
const MOST_EARLY = 1_000;

/**
 * Turns the events of a stream into lines about alerts, threats, sensors, links, plans, changes of the shown world, and
 * tracks that appear and disappear. Remembers the state of these objects while they are in the picture.
 */
export class PictureLines {
  readonly #tracks = new Map<string, Track>();
  readonly #levels = new Map<string, string>();
  readonly #alerts = new Map<string, string>();
  readonly #sensors = new Map<string, Sensor>();
  readonly #parts = new Map<string, string>();
  readonly #links = new Map<string, Link>();
  readonly #plans = new Map<string, string>();
  readonly #early = new Map<string, Threat>();
  #mode: string | null = null;
  #run: string | null = null;

  /** Returns the lines for one event; none if the event has no news for a person. */
  take(kind: string, body: unknown): Said[] {
    return this.#handlers[kind]?.(body as Body) ?? [];
  }

  readonly #handlers: Readonly<Record<string, (body: Body) => Said[]>> = {
    snapshot: (body) => this.#snapshot(body as unknown as Picture),
    resume: () => [said('LINK UP', 'connected again, and no event was missed', 'good')],
    track_new: (body) => this.#track(body as unknown as Track),
    track_update: (body) => this.#trackUpdate(body as unknown as Partial<Track> & { id: string }),
    track_state: (body) => this.#trackUpdate(body as unknown as Partial<Track> & { id: string }),
    track_removed: (body) => this.#trackRemoved(String(body.id)),
    threat_update: (body) => this.#threat(body as unknown as Threat),
    threat_cleared: (body) => this.#threatCleared(String(body.track_id)),
    alert: (body) => this.#alert(body as unknown as Alert),
    alert_update: (body) => this.#alert(body as unknown as Alert),
    live_alert: (body) => this.#liveAlert(body as unknown as Alert),
    sensor_update: (body) => this.#sensor(body as unknown as Sensor),
    sensor_removed: (body) => this.#removed(this.#sensors, 'SENSOR', String(body.id)),
    link_update: (body) => this.#link(body as unknown as Link),
    link_removed: (body) => this.#removed(this.#links, 'LINK', String(body.id)),
    engagement_update: (body) => this.#plan(body as unknown as Engagement),
    health_update: (body) => this.#health(body as unknown as Health),
    sim_state: (body) => this.#world(body as unknown as SimState),
  };

  #snapshot(picture: Picture): Said[] {
    for (const kept of [this.#tracks, this.#levels, this.#sensors, this.#links, this.#plans, this.#early]) kept.clear();
    const known = new Map(this.#alerts);
    this.#alerts.clear();
    const { tracks, threats, alerts, sensors, links, sim, posture } = picture;
    for (const track of tracks) this.#tracks.set(track.id, track);
    const relied = sensors.filter(isReliedOn);
    const received = relied.filter(({ state }) => receivedStates.has(state));
    const tentative = tracks.filter(({ state }) => state === 'tentative').length;
    const counts = [
      many(tracks.length - tentative, 'track') + (tentative === 0 ? '' : ` (and ${tentative} not yet confirmed)`),
      many(threats.filter(({ level }) => level !== 'none').length, 'threat'),
      many(alerts.filter(({ state }) => state !== 'cleared').length, 'open alert'),
      `${received.length} of ${relied.length} sensors received`,
      `posture ${posture}`,
    ];
    return [
      said('PICTURE', counts.join(', '), 'good'),
      ...this.#world(sim),
      ...this.#health(picture.health),
      ...(sensors.length === 0 ? [said('SENSOR', 'no sensor is known: the picture stays empty', 'warning')] : []),
      ...sensors.flatMap((sensor) => this.#sensor(sensor)),
      ...links.flatMap((link) => this.#link(link)),
      ...tracks
        .filter(({ state }) => state !== 'tentative')
        .map((track) => said('TRACK', trackSentence(track), 'plain')),
      ...[...threats].sort((a, b) => b.score - a.score).flatMap((threat) => this.#threat(threat)),
      ...alerts.flatMap((alert) => this.#alert(alert, known)),
      ...(picture.engagements ?? []).flatMap((plan) => this.#plan(plan)),
    ];
  }

  #track(track: Track): Said[] {
    this.#tracks.set(track.id, track);
    const early = this.#early.get(track.id);
    this.#early.delete(track.id);
    return [
      ...(track.state === 'tentative' ? [] : [said('TRACK', trackSentence(track), 'plain')]),
      ...(early === undefined ? [] : this.#threat(early)),
    ];
  }

  #trackUpdate(change: Partial<Track> & { id: string }): Said[] {
    const before = this.#tracks.get(change.id);
    if (before === undefined) return [];
    const track = { ...before, ...change };
    this.#tracks.set(change.id, track);
    if (before.state !== track.state) return stateLines(before.state, track);
    if (before.affiliation !== track.affiliation)
      return [said('TRACK', `${nameOf(track)} is ${track.affiliation} now (was ${before.affiliation})`, 'notice')];
    if (before.integrity.verdict !== track.integrity.verdict && track.integrity.verdict === 'suspect')
      return [said('TRACK', trackSentence(track), 'warning')];
    return [];
  }

  #trackRemoved(id: string): Said[] {
    const track = this.#tracks.get(id);
    this.#tracks.delete(id);
    this.#levels.delete(id);
    if (track === undefined || track.state === 'tentative') return [];
    return [said('TRACK', `${nameOf(track)} has ended`, 'dim')];
  }

  #threat(threat: Threat): Said[] {
    const { track_id: id, level, dismissed, acknowledged } = threat;
    if (!this.#tracks.has(id)) {
      if (this.#early.size < MOST_EARLY) this.#early.set(id, threat);
      return [];
    }
    const name = this.#nameOf(id);
    const mark = `${level}${dismissed ? ` dismissed by ${dismissed.by}` : acknowledged ? ` seen by ${acknowledged.by}` : ''}`;
    const before = this.#levels.get(id);
    this.#levels.set(id, mark);
    if (before === mark || (before === undefined && level === 'none')) return [];
    if (level === 'none') return [said('THREAT', `${name} is no longer a threat`, 'good')];
    if (dismissed) return [said('THREAT', `${name}: dismissed by ${dismissed.by}: ${dismissed.reason}`, 'dim')];
    const seen = acknowledged ? ` Acknowledged by ${acknowledged.by}.` : '';
    return [said('THREAT', `${threatSentence(name, threat)}${seen}`, toneOfLevel(level))];
  }

  #threatCleared(id: string): Said[] {
    const was = this.#levels.get(id);
    this.#levels.delete(id);
    this.#early.delete(id);
    return was === undefined || was === 'none'
      ? []
      : [said('THREAT', `${this.#nameOf(id)} is no longer a threat`, 'good')];
  }

  #alert(alert: Alert, known: ReadonlyMap<string, string> = this.#alerts): Said[] {
    const { id, state, severity, text, acknowledged, cleared_reason: reason, settled_at: settled } = alert;
    const sentence = alertSentence(alert);
    const before = known.get(id);
    const mark = `${severity} ${state} ${acknowledged?.by ?? ''}`;
    if (settled === null) this.#alerts.set(id, mark);
    else this.#alerts.delete(id);
    if (before === mark) return [];
    if (state !== 'cleared') return [said('ALERT', sentence, acknowledged ? 'dim' : toneOfSeverity(severity))];
    return [said('ALERT', `over: ${text}${reason ? ` (${reason})` : ''}`, 'good')];
  }

  /**
   * Returns the line for a live alert while another world is shown. In the live world, the event `alert` gives this
   * line.
   */
  #liveAlert(alert: Alert): Said[] {
    if (this.#mode === 'live' || this.#mode === null) return [];
    return [said('ALERT', `LIVE WORLD: ${alertSentence(alert)}`, 'critical')];
  }

  #sensor(change: Sensor): Said[] {
    const before = this.#sensors.get(change.id);
    const sensor = { ...before, ...change };
    this.#sensors.set(change.id, sensor);
    if (before?.state === sensor.state) return [];
    const why = sensor.reasons.length === 0 ? '' : `: ${sensor.reasons.join('; ')}`;
    return [said('SENSOR', `${sensor.name} is ${sensor.state}${why}`, toneOfState(sensor.state))];
  }

  #link(change: Link): Said[] {
    const before = this.#links.get(change.id);
    const link = { ...before, ...change };
    this.#links.set(change.id, link);
    if (before?.state === link.state || link.state === 'opening') return [];
    const why = link.state === 'open' || link.last_error === null ? '' : `: ${link.last_error}`;
    return [said('LINK', `${link.name} is ${link.state}${why}`, link.state === 'open' ? 'good' : 'warning')];
  }

  #plan({ id, state, track_id: trackId, reason }: Engagement): Said[] {
    const before = this.#plans.get(id);
    this.#plans.set(id, state);
    if (before === state) return [];
    const tone: Tone = state === 'pending_approval' ? 'warning' : 'notice';
    return [said('PLAN', `for ${this.#nameOf(trackId)}: ${state}${reason ? `: ${reason}` : ''}`, tone)];
  }

  /**
   * Returns a line for each part of the box whose state changed. Sensors and links are left out, because they have
   * lines of their own.
   */
  #health({ parts }: Health): Said[] {
    return parts.flatMap(({ name, state, text }) => {
      const before = this.#parts.get(name) ?? 'up';
      this.#parts.set(name, state);
      if (before === state || name === 'sensors' || name === 'links') return [];
      return [said('BOX', `${name} is ${state}: ${text}`, state === 'up' ? 'good' : 'warning')];
    });
  }

  #world({ mode, run }: SimState): Said[] {
    const [before, ranBefore] = [this.#mode, this.#run];
    this.#mode = mode;
    this.#run = run;
    if (mode === 'live' && before === null && run === 'idle') return [];
    if (mode !== before) return [said('WORLD', MODES[mode] ?? mode, mode === 'live' ? 'good' : 'warning')];
    return run === ranBefore
      ? []
      : [said('WORLD', `the ${mode === 'live' ? 'played world' : mode} is ${run}`, 'notice')];
  }

  #removed(rows: Map<string, { name: string }>, subject: string, id: string): Said[] {
    const row = rows.get(id);
    rows.delete(id);
    return row === undefined ? [] : [said(subject, `${row.name} is removed`, 'dim')];
  }

  #nameOf(trackId: string): string {
    const track = this.#tracks.get(trackId);
    return track === undefined ? 'a track' : nameOf(track);
  }
}

function stateLines(was: string, track: Track): Said[] {
  const { state } = track;
  if (state === 'lost') return [said('TRACK', `${nameOf(track)} is lost, last seen ${track.last_seen_at}`, 'notice')];
  if (state === 'coasting') return [];
  if (was === 'coasting' && state === 'confirmed') return [];
  return state === 'tentative' ? [] : [said('TRACK', trackSentence(track), 'plain')];
}

const said = (subject: string, text: string, tone: Tone): Said => ({ subject, text, tone });

function toneOfState(state: string): Tone {
  if (state === 'operational') return 'good';
  return deadStates.has(state) ? 'warning' : 'notice';
}

const many = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/**
 * Returns true if a sensor counts among those that watch the sky. A payload of a vehicle, such as a camera, counts only
 * after its first report: until then its state is `unknown`.
 */
function isReliedOn({ declared_by, state }: Sensor): boolean {
  return declared_by !== 'payload' || state !== 'unknown';
}
