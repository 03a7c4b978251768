import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Collects what is no longer used, so that nobody else's garbage falls into what is measured next. */
export function collectGarbage(options: { onlyYoung?: boolean } = {}): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options?: { type: 'minor' }) => void;
  if (options.onlyYoung) collect({ type: 'minor' });
  else collect();
}
