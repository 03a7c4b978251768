import { distance } from 'fastest-levenshtein';

/** Limit of compared characters. Of a longer path, which no route has, only the beginning is compared. */
const MOST_CHARACTERS = 120;
/** Share of a path that may differ: beyond it the nearest route is another one. */
const MOST_DIFFERENT = 0.35;

/**
 * The template that a path most likely means, or null where none is similar. It is `/api/tracks/{id}/history` for
 * `/api/track/T-1/histroy`. A parameter of a template matches any text, and the mount may be missing.
 */
export function nearestRoute(path: string, templates: Iterable<string>): string | null {
  const whole = path.slice(0, MOST_CHARACTERS);
  const parts = (/^\/(api|v1)\//.test(whole) ? whole : `/api${whole}`).split('/');
  const rooted = whole.split('/');
  let nearest: { template: string; steps: number } | null = null;
  for (const template of templates) {
    const of = template.split('/');
    const steps = Math.min(stepsTo(of, parts), stepsTo(of, rooted));
    if (nearest === null || steps < nearest.steps) nearest = { template, steps };
  }
  return nearest !== null && nearest.steps <= whole.length * MOST_DIFFERENT ? nearest.template : null;
}

/**
 * Number of characters that differ, part by part. The beginning of a word counts as one step from it, as `ack` from
 * `acknowledge`.
 */
function stepsTo(template: readonly string[], asked: readonly string[]): number {
  let steps = 0;
  for (let at = 0; at < Math.max(template.length, asked.length); at++) {
    const [wanted, given] = [template[at], asked[at]];
    if (wanted === given) continue;
    if (wanted === undefined || given === undefined) steps += (wanted ?? given ?? '').length + 1;
    else if (wanted.startsWith('{')) continue;
    else steps += given.length > 1 && wanted.startsWith(given) ? 1 : distance(wanted, given);
  }
  return steps;
}
