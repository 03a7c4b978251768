import { closest } from '../../../../host/config/closest.ts';
import { builtinRuleIds } from '../../../../model/builtin_rules.ts';
import type { Expectation, ScenarioSpec } from '../../../../model/scenario.ts';
import { integrityReasons, trackFlags } from '../../../../model/track.ts';
import type { Finding, Path } from '../fault.ts';
import { afterTheEnd } from './actors.ts';
import { Cast } from './ids.ts';

const flags: readonly string[] = [...trackFlags, ...integrityReasons];

/** That what is expected can come about: of actors that there are, within the time that there is. */
export function checkExpectations(spec: ScenarioSpec): Finding[] {
  const cast = new Cast(spec);
  return spec.expect.flatMap((expected, index) => {
    const path = ['expect', index];
    const found = namesOf(expected).flatMap(([key, id]) => cast.unknown(id, [...path, ...key]));
    return [...found, ...checkTimes(expected, path, spec.duration_s), ...checkOne(expected, path)];
  });
}

function checkTimes(expected: Expectation, path: Path, durationS: number): Finding[] {
  const fromS = 'from_s' in expected ? expected.from_s : undefined;
  const byS = 'by_s' in expected ? expected.by_s : undefined;
  if (byS !== undefined && byS > durationS) return [{ path: [...path, 'by_s'], text: afterTheEnd(durationS) }];
  if (fromS !== undefined && fromS > durationS) return [{ path: [...path, 'from_s'], text: afterTheEnd(durationS) }];
  if (fromS === undefined || byS === undefined || fromS <= byS) return [];
  return [{ path: [...path, 'from_s'], text: `must be no later than by_s, which is ${byS}` }];
}

function namesOf(expected: Expectation): [Path, string][] {
  switch (expected.kind) {
    case 'metric':
      return [];
    case 'alert':
      return expected.about === undefined ? [] : [[['about'], expected.about]];
    case 'near': {
      const other: [Path, string][] = 'actor' in expected.to ? [[['to', 'actor'], expected.to.actor]] : [];
      return [[['actor'], expected.actor], ...other];
    }
    case 'apart':
      return expected.actors.map((id, index): [Path, string] => [['actors', index], id]);
    default:
      return [[['actor'], expected.actor]];
  }
}

function checkOne(expected: Expectation, path: Path): Finding[] {
  switch (expected.kind) {
    case 'metric': {
      const { at_least, at_most } = expected;
      if (at_least === undefined && at_most === undefined) return [{ path, text: 'needs at_least or at_most' }];
      if (at_least !== undefined && at_most !== undefined && at_least > at_most)
        return [{ path: [...path, 'at_most'], text: `must be at least at_least, which is ${at_least}` }];
      return [];
    }
    case 'threat':
      if (expected.at_least === undefined && expected.at_most === undefined)
        return [{ path, text: 'needs at_least or at_most' }];
      return [];
    case 'alert':
      return expected.rule === undefined
        ? []
        : known(expected.rule, builtinRuleIds, [...path, 'rule'], 'built-in rule');
    case 'flag':
      return known(expected.flag, flags, [...path, 'flag'], 'flag of tracks');
    case 'apart':
      return expected.actors[0] === expected.actors[1]
        ? [{ path: [...path, 'actors'], text: 'names one actor twice' }]
        : [];
    default:
      return [];
  }
}

function known(word: string, words: readonly string[], path: Path, what: string): Finding[] {
  if (words.includes(word)) return [];
  const meant = closest(word, words);
  return [{ path, text: `is '${word}', and there is no such ${what}${meant ? `; did you mean ${meant}?` : ''}` }];
}
