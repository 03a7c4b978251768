import { parseArgs } from 'node:util';
import { Fault, sentenceOf } from '../../model/fault.ts';

export const trackHelp = `Usage: dunlin track SITE.json [DETECTIONS.jsonl|-] --out FILE [--policy FILE]

Runs the tracker alone over a scenario, as fast as it goes: what the sensors of the site detected in, the tracks that a
user would have seen every half second out, as JSON lines in the site's axes. Without detections, or with -, they are
read from standard input.

  --out FILE     where the tracks go
  --policy FILE  YAML with a mapping 'tracking' of settings of the tracker, by name; show_s is how many seconds a track
                 is shown at most after it was last seen (9), under 'tracking' too
  --help         this text

Exit codes: 0 done, 1 failed, 2 wrong use, 78 bad policy.`;

export type TrackFlags = {
  site: string;
  /** Null for standard input. */
  detections: string | null;
  out: string;
  policy: string | null;
};

/** Reads the command's words; 'help' where help was asked for. Throws an `invalid_input` Fault that says what is wrong. */
export function parseTrackFlags(argv: readonly string[]): TrackFlags | 'help' {
  const { values, positionals } = parseWords(argv);
  if (values.help) return 'help';
  const [site, detections = '-', ...more] = positionals;
  if (site === undefined) throw new Fault('invalid_input', 'name the site of the scenario');
  if (more.length > 0) throw new Fault('invalid_input', `one scenario at a time: '${more[0]}' is one too many`);
  if (values.out === undefined) throw new Fault('invalid_input', 'say with --out where the tracks go');
  return { site, detections: detections === '-' ? null : detections, out: values.out, policy: values.policy ?? null };
}

function parseWords(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        out: { type: 'string' },
        policy: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (thrown) {
    throw new Fault('invalid_input', sentenceOf(thrown), { cause: thrown });
  }
}
