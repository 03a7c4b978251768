import type { DecisionPolicy } from '../../model/decision_config.ts';
import { decisionPolicySchema } from '../../model/decision_config.ts';
import { Fault } from '../../model/fault.ts';
import type { Recording } from '../../model/recording.ts';
import { LONGEST_WHAT_IF_S, type WhatIf } from '../../model/what_if.ts';
import type { RecordingReader } from '../../worlds/replay/reader.ts';
import type { OneAtATime } from './one_at_a_time.ts';
import { differences, type PlayedPast, playPast } from './played_past.ts';
import { type Players, unplayable } from './players.ts';
import type { OtherPolicy } from './restored_registry.ts';

export type WhatIfParts = {
  players: Players;
  /** Throws `not_found`, or `invalid_input` where nothing of it can be read. Nobody deletes it until it is let go. */
  recording(id: string): { recording: Recording; reader: RecordingReader; letGo(): void };
  /** Of the whole box: each plays a recording twice. */
  trials: OneAtATime;
};

/**
 * What another decision config would have made of a recording: it is played twice, as it was recorded and under the other
 * one, and nobody sees it. `goesOn` says whether somebody still waits. Throws `conflict` where the recording is too long.
 */
export async function whatIf(
  { players, recording, trials }: WhatIfParts,
  id: string,
  asked: DecisionPolicy,
  goesOn: () => boolean,
): Promise<WhatIf> {
  const { reader, recording: about, letGo } = recording(id);
  try {
    refuseLong(about, reader);
    const recorded = recordedPolicy(reader);
    return await trials(async () => {
      const was = await played(players, reader, null, goesOn);
      const is = await played(players, reader, asked, goesOn);
      return { recording_id: id, policy: { recorded, asked }, ...differences(was, is) };
    });
  } finally {
    letGo();
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
  const [row] = reader.snapshotAt(reader.span.fromMs).tables.decision;
  const read = decisionPolicySchema.safeParse(row?.policy);
  const version = row?.version;
  if (!read.success || typeof version !== 'number')
    throw new Fault(
      'conflict',
      'the recording says no decision config that this build knows: there is nothing to compare',
    );
  return { version, ...read.data };
}
