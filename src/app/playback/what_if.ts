import type { DecisionPolicy } from '../../model/decision_config.ts';
import { Fault } from '../../model/fault.ts';
import type { Recording } from '../../model/recording.ts';
import { LONGEST_WHAT_IF_S, type WhatIf } from '../../model/what_if.ts';
import type { RecordingReader } from '../../recording/reader.ts';
import { restoredRow } from '../../recording/restored_rows.ts';
import type { OneAtATime } from '../one_at_a_time.ts';
import { differences, type PlayedPast, playPast } from './played_past.ts';
import { type Players, unplayable } from './players.ts';
import type { OtherPolicy } from './restored_registry.ts';

export type WhatIfDeps = {
  players: Players;
  /** Throws `not_found`, or `invalid_input` where nothing of it can be read. Nobody deletes it until it is released. */
  recording(id: string): { recording: Recording; reader: RecordingReader; release(): void };
  /** Limit for the whole box: each trial plays a recording twice. */
  trials: OneAtATime;
};

/**
 * Compares a recording under another decision config: it is played twice, as it was recorded and under the other one,
 * unseen. `goesOn` returns whether the client still waits. Throws `conflict` where the recording is too long.
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
    if (failure !== null) throw new Fault('unavailable', failure);
    if (!goesOn()) throw new Fault('unavailable', 'nobody waits for it any more');
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
  const sentence = `the recording ${name} is ${hours(lengthS)} long: up to ${hours(LONGEST_WHAT_IF_S)} can be asked about`;
  throw new Fault('conflict', sentence);
}

function recordedPolicy(reader: RecordingReader): WhatIf['policy']['recorded'] {
  const [row] = reader.snapshotAt(reader.span.fromMs).tables.rows('decision');
  const read = restoredRow('decision', row);
  if (read === null)
    throw new Fault(
      'conflict',
      'the recording says no decision config that this build knows: there is nothing to compare',
    );
  return { version: read.version, ...read.policy };
}
