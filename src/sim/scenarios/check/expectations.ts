import { builtinRuleIds } from '../../../model/builtin_rules.ts';
import type { Expectation, ScenarioSpec } from '../../../model/scenario.ts';
import { integrityReasons, trackFlags } from '../../../model/track.ts';
import { verdictCodes } from '../../../model/track_row.ts';
import { verbNames, verbs } from '../../../model/verb.ts';
import { type Finding, findingIf, type Path } from '../fault.ts';
import { afterTheEnd } from './actors.ts';
import { Cast, didYouMean } from './ids.ts';

/** Names that an expectation of kind `flag` may have: flags, integrity reasons and verdicts of tracks. */
const flags: readonly string[] = [...trackFlags, ...integrityReasons, ...verdictCodes];

/** Verbs that keep a vehicle on station and have no end of their own. */
const kept = verbNames.filter((verb) => verbs[verb].staysOnStation);

/** Checks that expectations are possible: they must name existing actors, and times within the scenario. */
export function checkExpectations(spec: ScenarioSpec): Finding[] {
  const cast = new Cast(spec);
  return spec.expect.flatMap((expected, index) => {
    const path = ['expect', index];
    const { from_s = 0, by_s = 0 } = expected as { from_s?: number; by_s?: number };
    return [
      ...namesOf(expected).flatMap(([at, id]) => cast.unknown(id, [...path, ...at])),
      ...findingIf(from_s > spec.duration_s, [...path, 'from_s'], afterTheEnd(spec.duration_s)),
      ...findingIf(by_s > spec.duration_s, [...path, 'by_s'], afterTheEnd(spec.duration_s)),
      ...checkOne(expected, path, cast),
    ];
  });
}

function namesOf(expected: Expectation): [Path, string | undefined][] {
  switch (expected.kind) {
    case 'metric':
      return [];
    case 'alert':
      return [[['about'], expected.about]];
    case 'near':
      return [
        [['actor'], expected.actor],
        [['to', 'actor'], 'actor' in expected.to ? expected.to.actor : undefined],
      ];
    case 'task':
      return [
        [['asset'], expected.asset],
        [['about'], expected.about],
      ];
    case 'apart':
      return expected.actors.map((id, index): [Path, string] => [['actors', index], id]);
    default:
      return [[['actor'], expected.actor]];
  }
}

function checkOne(expected: Expectation, path: Path, cast: Cast): Finding[] {
  switch (expected.kind) {
    case 'metric': {
      const { at_least: least = -Infinity, at_most: most = Infinity } = expected;
      return [
        ...checkBounds(expected, path),
        ...findingIf(least > most, [...path, 'at_most'], `must be at least at_least, which is ${least}`),
      ];
    }
    case 'threat':
      return checkBounds(expected, path);
    case 'alert':
      return known(expected.rule, builtinRuleIds, [...path, 'rule'], 'built-in rule');
    case 'flag':
      return known(expected.flag, flags, [...path, 'flag'], 'flag of tracks');
    case 'near': {
      const { from_s: from = 0, by_s: by = Infinity } = expected;
      return findingIf(from >= by, [...path, 'by_s'], `must be more than from_s, which is ${from}`);
    }
    case 'task': {
      const { asset, verb, is } = expected;
      const text = `does not fit: the verb ${verb} ends by itself; only ${kept.join(', ')} stay on station`;
      const isEndless = is === 'on_station' && !kept.includes(verb);
      return [...cast.unlessVehicle(asset, [...path, 'asset']), ...findingIf(isEndless, [...path, 'is'], text)];
    }
    case 'apart': {
      const [a, b] = expected.actors;
      return findingIf(a === b, [...path, 'actors'], 'must name two different actors');
    }
    default:
      return [];
  }
}

function checkBounds({ at_least, at_most }: { at_least?: unknown; at_most?: unknown }, path: Path): Finding[] {
  return findingIf(at_least === undefined && at_most === undefined, path, 'needs at_least or at_most');
}

function known(word: string | undefined, words: readonly string[], path: Path, what: string): Finding[] {
  if (word === undefined || words.includes(word)) return [];
  return [{ path, text: `is '${word}', and there is no such ${what}${didYouMean(word, words)}` }];
}
