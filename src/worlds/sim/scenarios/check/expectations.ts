import { closest } from '../../../../host/config/closest.ts';
import { builtinRuleIds } from '../../../../model/builtin_rules.ts';
import type { Expectation, ScenarioSpec } from '../../../../model/scenario.ts';
import { integrityReasons, trackFlags } from '../../../../model/track.ts';
import { verdictCodes } from '../../../../model/track_row.ts';
import type { Verb } from '../../../../model/verb.ts';
import type { Finding, Path } from '../fault.ts';
import { afterTheEnd } from './actors.ts';
import { Cast } from './ids.ts';

/** What may stand against a track: its flags, the reasons of its integrity, and the verdict. */
const flags: readonly string[] = [...trackFlags, ...integrityReasons, ...verdictCodes];

/** That what is expected can come about: of actors that there are, within the time that there is. */
export function checkExpectations(spec: ScenarioSpec): Finding[] {
  const cast = new Cast(spec);
  return spec.expect.flatMap((expected, index) => {
    const path = ['expect', index];
    const found = namesOf(expected).flatMap(([key, id]) => cast.unknown(id, [...path, ...key]));
    for (const [key, at] of timesOf(expected))
      if (at > spec.duration_s) found.push({ path: [...path, key], text: afterTheEnd(spec.duration_s) });
    return [...found, ...checkOne(expected, path, cast)];
  });
}

function timesOf(expected: Expectation): [key: string, at: number][] {
  const { from_s, by_s } = expected as { from_s?: number; by_s?: number };
  return Object.entries({ from_s, by_s }).filter((entry): entry is [string, number] => entry[1] !== undefined);
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
    case 'task': {
      const about: [Path, string][] = expected.about === undefined ? [] : [[['about'], expected.about]];
      return [[['asset'], expected.asset], ...about];
    }
    case 'apart':
      return expected.actors.map((id, index): [Path, string] => [['actors', index], id]);
    default:
      return [[['actor'], expected.actor]];
  }
}

function checkOne(expected: Expectation, path: Path, cast: Cast): Finding[] {
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
    case 'near': {
      const { from_s: from = 0, by_s: by = Number.POSITIVE_INFINITY } = expected;
      return from < by ? [] : [{ path: [...path, 'by_s'], text: `must be more than from_s, which is ${from}` }];
    }
    case 'task':
      return [...cast.unlessVehicle(expected.asset, [...path, 'asset']), ...unkept(expected, path)];
    case 'apart':
      return expected.actors[0] === expected.actors[1]
        ? [{ path: [...path, 'actors'], text: 'names one actor twice' }]
        : [];
    default:
      return [];
  }
}

/** A vehicle stays on station with what has no end of its own. */
const kept: readonly Verb[] = ['orbit', 'shadow', 'escort', 'look_at'];

function unkept({ verb, is }: Expectation & { kind: 'task' }, path: Path): Finding[] {
  if (is !== 'on_station' || kept.includes(verb)) return [];
  return [{ path: [...path, 'is'], text: `does not fit: ${verb} ends, only ${kept.join(', ')} keep a station` }];
}

function known(word: string, words: readonly string[], path: Path, what: string): Finding[] {
  if (words.includes(word)) return [];
  const meant = closest(word, words);
  return [{ path, text: `is '${word}', and there is no such ${what}${meant ? `; did you mean ${meant}?` : ''}` }];
}
