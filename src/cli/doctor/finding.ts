/**
 * Result of one check. `wrong`: Dunlin cannot work properly. `warning`: problems are possible. `unknown`: the check is
 * not possible here.
 */
export type Finding = {
  check: string;
  state: 'ok' | 'warning' | 'wrong' | 'unknown';
  text: string;
  /** Advice for a person; null if nothing needs to be done. */
  advice: string | null;
};

export const ok = (check: string, text: string): Finding => ({ check, state: 'ok', text, advice: null });
export const unknown = (check: string, text: string): Finding => ({ check, state: 'unknown', text, advice: null });
export const warning = (check: string, text: string, advice: string): Finding => ({
  check,
  state: 'warning',
  text,
  advice,
});
export const wrong = (check: string, text: string, advice: string): Finding => ({
  check,
  state: 'wrong',
  text,
  advice,
});
