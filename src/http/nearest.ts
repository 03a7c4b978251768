import { distance } from 'fastest-levenshtein';

/** Limit of the compared characters. No route is longer, so only the beginning of a longer path is compared. */
const MOST_CHARACTERS = 120;
/** Share of a path's characters that may differ from a similar route. */
const MOST_DIFFERENT = 0.35;

/**
 * Returns the template that a path most likely means, for example `/api/tracks/{id}/history` for
 * `/api/track/T-1/histroy`. Null if no template is similar. A template's parameter matches any text. The path may lack
 * `/api`.
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
 * Returns the number of differing characters, compared part by part. A part that is the beginning of the template's
 * part, for example `ack` of `acknowledge`, counts as one difference.
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
