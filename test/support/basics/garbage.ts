import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
/** Frees what nothing holds, so that a measured memory is held memory. */
export const collectGarbage = runInNewContext('gc') as () => void;
