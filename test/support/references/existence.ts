import { at, column, listed, type Matrix, times } from './matrix.ts';

/** The odds that it is there and can be seen, that it is there and cannot, that it is not there. */
export type Odds = readonly [shown: number, hidden: number, gone: number];

/** A Markov chain of three states: first what ends, ends; then what stays may hide or show itself. Columns: from. */
export function aged(odds: Odds, dt: number, claimed: boolean, set: (name: string) => number): Odds {
  const chance = (name: string) => 1 - Math.exp(-set(name) * dt);
  const [end, lapse] = claimed ? [0, 0] : [chance('end_per_s'), chance('end_hidden_per_s')];
  const [hide, show] = [chance('hide_per_s'), chance('show_per_s')];
  const ends: Matrix = [
    [1 - end, 0, 0],
    [0, 1 - lapse, 0],
    [end, lapse, 1],
  ];
  const turns: Matrix = [
    [1 - hide, show, 0],
    [hide, 1 - show, 0],
    [0, 0, 1],
  ];
  return listed(times(turns, ends, column(odds))) as unknown as Odds;
}

/** Bayes: how likely the look is where it is shown, over where it is not; nobody is ever surer than one in 10⁹. */
export function weighed(odds: Odds, ratio: number): Odds {
  const likelihood = [ratio, 1, 1];
  const joint = [odds[0], odds[1], Math.max(odds[2], 1e-9)].map((v, i) => v * at(likelihood, i));
  const sum = joint.reduce((a, b) => a + b, 0);
  return joint.map((v) => v / sum) as unknown as Odds;
}
