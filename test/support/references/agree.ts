import type { Test } from 'tap';
import type { Probe, Request } from './probe.ts';

/** One request to the native code, and the distance of its answer from that of the reference. */
export type Case = { request: Request; apart: (answer: readonly number[]) => number };

/** Asks everything at once; fails with the request that came out worst. */
export async function agree(t: Test, probe: Probe, cases: readonly Case[], tolerance: number): Promise<void> {
  const answers = await probe(cases.map(({ request }) => request));
  let [worst, which] = [-1, ''];
  for (const [i, { request, apart }] of cases.entries()) {
    const distance = apart(answers[i] ?? []);
    if (distance <= worst) continue;
    worst = Number.isNaN(distance) ? Number.POSITIVE_INFINITY : distance;
    which = `${request.join(' ')} gave ${(answers[i] ?? []).join(' ')}`;
  }
  t.equal(answers.length, cases.length);
  t.ok(worst >= 0 && worst <= tolerance, `${cases.length} answers, at most ${worst} apart`, { which });
}

/** The largest difference of two lists, against `scale` or the larger of the two where none is given. */
export function listsApart(a: readonly number[], b: readonly number[], scale?: number): number {
  if (a.length !== b.length) return Number.POSITIVE_INFINITY;
  return a.reduce((worst, v, i) => {
    const w = b[i] ?? Number.NaN;
    const distance = v === w ? 0 : Math.abs(v - w) / (scale ?? Math.max(Math.abs(v), Math.abs(w)));
    return Number.isNaN(distance) ? Number.POSITIVE_INFINITY : Math.max(worst, distance);
  }, 0);
}
