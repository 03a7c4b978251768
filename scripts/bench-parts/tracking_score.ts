import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { trackingFolder } from './tracking_scenarios.ts';

const run = promisify(execFile);

/** What the scorer says of one run, a figure a name; NaN where there is nothing of the kind. */
export type TrackingScore = {
  gospa: number;
  missed: number;
  false: number;
  completeness: number;
  ambiguity: number;
  spuriousness: number;
  rmseM: number;
  switches: number;
  breaks: number;
  idRight: number;
  idWrong: number;
  /** Seconds in which somebody who is no friend carried a friend's identity. */
  falseFriendS: number;
  spoofFlagged: number;
  falseFlags: number;
  nees: number;
  /** Time of the core for one report; not of the scorer. */
  usPerReport: number;
};

type Answer = {
  gospa: number;
  missed_per_scan: number;
  false_per_scan: number;
  rmse3: number | null;
  nees: number | null;
  siap: { C: number; A: number; S: number };
  mot: { idsw: number; breaks: number };
  identity: { coop_correct: number | null; coop_wrong: number | null; false_friend: number };
  spoof: { flagged: number | null; false_flag: number | null };
};

/** Scores tracks against the truth of the scenario in `folder`; `answerFile` is where the scorer may write. */
export async function scoreTracks(folder: string, tracks: string, answerFile: string): Promise<TrackingScore> {
  const meta = JSON.parse(readFileSync(join(folder, 'meta.json'), 'utf8')) as { name: string; eval: { dt: number } };
  const scorer = join(trackingFolder, 'score.py');
  const args = ['-B', scorer, folder, tracks, '--json', answerFile, ...flagsFor(meta.name)];
  await run('python3', args, { maxBuffer: 1e8 });
  const answer = JSON.parse(readFileSync(answerFile, 'utf8')) as Answer;
  return scoreOf(answer, meta.eval.dt);
}

/** A ghost that is shown and flagged is as it should be; and bearings alone tell a place only roughly. */
function flagsFor(name: string): string[] {
  if (name.startsWith('spoof')) return ['--exclude-flagged'];
  if (name.startsWith('rf_')) return ['--dims', '2', '--c', '300'];
  return [];
}

function scoreOf({ siap, mot, identity, spoof, ...answer }: Answer, everyS: number): TrackingScore {
  return {
    gospa: answer.gospa,
    missed: answer.missed_per_scan,
    false: answer.false_per_scan,
    completeness: siap.C,
    ambiguity: siap.A,
    spuriousness: siap.S,
    rmseM: answer.rmse3 ?? Number.NaN,
    switches: mot.idsw,
    breaks: mot.breaks,
    idRight: identity.coop_correct ?? Number.NaN,
    idWrong: identity.coop_wrong ?? Number.NaN,
    falseFriendS: identity.false_friend * everyS,
    spoofFlagged: spoof.flagged ?? Number.NaN,
    falseFlags: spoof.false_flag ?? Number.NaN,
    nees: answer.nees ?? Number.NaN,
    usPerReport: Number.NaN,
  };
}
