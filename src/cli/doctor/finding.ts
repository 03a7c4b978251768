/** Result of one check. `wrong` keeps Dunlin from its job, `warning` may; `unknown` could not be checked. */
export type Finding = {
  check: string;
  state: 'ok' | 'warning' | 'wrong' | 'unknown';
  text: string;
  /** Advice on what to do; null where nothing is to be done. */
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
