import { type Alert, severityRank } from '../../model/alert.ts';
import type { DecisionPolicy } from '../../model/decision_config.ts';
import { conflict, unavailable } from '../../model/fault.ts';
import { threatLevels } from '../../model/posture.ts';
import type { Recording } from '../../model/recording.ts';
import type { Threat } from '../../model/threat.ts';
import { formatTime } from '../../model/time.ts';
import { LONGEST_WHAT_IF_S, MOST_DIFFERENCES, type WhatIf, type WhatIfAlert } from '../../model/what_if.ts';
import type { RecordingReader } from '../../recording/reader.ts';
import { restoredRow } from '../../recording/restored_rows.ts';
import { runUntil } from '../../world/driven/run_until.ts';
import type { OneAtATime } from '../one_at_a_time.ts';
import { type Players, unplayable } from './players.ts';
import type { Replay } from './replayed.ts';
import type { OtherPolicy } from './restored_registry.ts';

type Reached = NonNullable<WhatIf['threats'][number]['was']>;
type Track = { number: string; reached: Reached };

/** Interval at which threats and alerts are read, ms of world time. */
const STEP_MS = 1_000;

/** Results of a played recording: the highest level and score of each threat by track id, and the alerts. */
type PlayedPast = { tracks: ReadonlyMap<string, Track>; alerts: ReadonlyMap<string, WhatIfAlert> };

/** Plays a recording to its end, or until `goesOn` returns false, without disturbing the live world. */
async function playPast({ run, worldServices }: Replay, goesOn: () => boolean): Promise<PlayedPast> {
  const { world } = worldServices;
  const tracks = new Map<string, Track>();
  const alerts = new Map<string, Alert>();
  const receive = (alert: Alert): void => {
    const was = alerts.get(alert.id);
    if (!was || severityRank(alert.severity) >= severityRank(was.severity)) alerts.set(alert.id, alert);
  };
  for (const alert of world.alerts.shown()) receive(alert);
  while (!run.isOver && goesOn()) {
    await runUntil(run, run.nowMs + STEP_MS, () => !run.isOver && goesOn());
    // A cleared alert stays listed for at least half an hour, so reading the list once per `STEP_MS` misses no alert.
    for (const alert of world.alerts.shown()) receive(alert);
    for (const threat of world.threats.list()) take(tracks, threat, world.track(threat.track_id)?.number, run.utcMs);
  }
  return { tracks, alerts: new Map(Array.from(numbered([...alerts.values()]))) };
}

function take(tracks: Map<string, Track>, threat: Threat, number: string | undefined, utcMs: number): void {
  if (number === undefined) return;
  const { track_id, level, score } = threat;
  const was = tracks.get(track_id)?.reached;
  if (was && rankOf(was) >= rankOf({ level, score })) return;
  tracks.set(track_id, { number, reached: { level, score, at: formatTime(utcMs) } });
}

/** Returns a rank that orders threats by level, then by score. */
function rankOf({ level, score }: Pick<Reached, 'level' | 'score'>): number {
  return threatLevels.indexOf(level) * 1_000 + score;
}

/**
 * Yields alerts with keys that are equal in two runs. A key consists of rule, severity, subject, and a running number
 * among the alerts that share these three. Ids cannot be compared, because they differ in each run.
 */
function* numbered(alerts: readonly Alert[]): Generator<[string, WhatIfAlert]> {
  const counts = new Map<string, number>();
  for (const { rule_id, severity, subject, text, raised_at } of alerts) {
    const about = `${rule_id} ${severity} ${subject.type} ${subject.id}`;
    const number = (counts.get(about) ?? 0) + 1;
    counts.set(about, number);
    yield [`${about} ${number}`, { rule_id, severity, subject, text, raised_at }];
  }
}

/**
 * Returns the differences between the results of one recording under two policies. Each list begins with the most
 * severe differences, and has at most `MOST_DIFFERENCES` entries.
 */
function differences(was: PlayedPast, is: PlayedPast): Pick<WhatIf, 'threats' | 'alerts'> {
  const threats: WhatIf['threats'] = [];
  for (const track_id of new Set([...was.tracks.keys(), ...is.tracks.keys()])) {
    const [then, now] = [was.tracks.get(track_id), is.tracks.get(track_id)];
    const same = then?.reached.level === now?.reached.level && then?.reached.score === now?.reached.score;
    const number = (then ?? now)?.number ?? '';
    if (!same) threats.push({ track_id, number, was: then?.reached ?? null, is: now?.reached ?? null });
  }
  const greatest = ({ was, is }: WhatIf['threats'][number]): number =>
    Math.max(...[was, is].map((reached) => (reached ? rankOf(reached) : -1)));
  threats.sort((a, b) => greatest(b) - greatest(a) || (a.number < b.number ? -1 : 1));
  const alerts = {
    only_recorded: only(was.alerts, is.alerts),
    only_asked: only(is.alerts, was.alerts),
    both: [...was.alerts.keys()].filter((key) => is.alerts.has(key)).length,
  };
  return { threats: threats.slice(0, MOST_DIFFERENCES), alerts };
}

function only(these: PlayedPast['alerts'], those: PlayedPast['alerts']): WhatIfAlert[] {
  const rows = [...these].flatMap(([key, alert]) => (those.has(key) ? [] : [alert]));
  rows.sort((a, b) => severityRank(b.severity) - severityRank(a.severity) || (a.raised_at < b.raised_at ? -1 : 1));
  return rows.slice(0, MOST_DIFFERENCES);
}

export type WhatIfDeps = {
  players: Players;
  /**
   * Opens a recording, and prevents its deletion until `release` is called. Throws `not_found`, or `invalid_input` if
   * no part of the recording is readable.
   */
  recording(id: string): { recording: Recording; reader: RecordingReader; release(): void };
  /** Runs one trial at a time on the whole box, because a trial plays a recording twice. */
  trials: OneAtATime;
};

/**
 * Compares the results of a recording under the recorded policy and under the policy `asked`. The recording is played
 * twice in the background. `goesOn` returns false when the client no longer waits or the service stops. Throws
 * `conflict` if the recording is too long.
 */
export async function whatIf(
  { players, recording, trials }: WhatIfDeps,
  id: string,
  asked: DecisionPolicy,
  goesOn: () => boolean,
): Promise<WhatIf> {
  const { reader, recording: about, release } = recording(id);
  try {
    refuseLong(about, reader);
    const recorded = recordedPolicy(reader);
    return await trials(async () => {
      const was = await played(players, reader, null, goesOn);
      const is = await played(players, reader, asked, goesOn);
      return { recording_id: id, policy: { recorded, asked }, ...differences(was, is) };
    });
  } finally {
    release();
  }
}

async function played(
  players: Players,
  reader: RecordingReader,
  policy: OtherPolicy,
  goesOn: () => boolean,
): Promise<PlayedPast> {
  let failure: string | null = null;
  const replay = await players.unseen(reader, policy, (sentence) => {
    failure = sentence;
  });
  try {
    const past = await playPast(replay, () => goesOn() && failure === null);
    if (failure !== null) throw unavailable(failure);
    if (!goesOn())
      throw unavailable('the what-if was stopped: the client closed the request, or the service is stopping');
    return past;
  } catch (thrown) {
    throw unplayable(thrown);
  } finally {
    await replay.stop();
  }
}

function refuseLong({ name }: Recording, { span }: RecordingReader): void {
  const lengthS = (span.toMs - span.fromMs) / 1_000;
  if (lengthS <= LONGEST_WHAT_IF_S) return;
  const hours = (seconds: number): string => `${(seconds / 3_600).toFixed(1)} h`;
  const sentence = `the recording ${name} is ${hours(lengthS)} long: a what-if plays at most ${hours(LONGEST_WHAT_IF_S)}`;
  throw conflict(sentence);
}

function recordedPolicy(reader: RecordingReader): WhatIf['policy']['recorded'] {
  const [row] = reader.snapshotAt(reader.span.fromMs).tables.rows('decision');
  const read = restoredRow('decision', row);
  if (read === null)
    throw conflict(
      'the recording contains no decision configuration that this version can read, so nothing can be compared',
    );
  return { version: read.version, ...read.policy };
}
