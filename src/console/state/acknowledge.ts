import type { Alert } from '../../model/alert.ts';
import { calls } from '../api/calls.ts';
import { announce, attempt } from './attempt.ts';

/** Acknowledges an alert, and announces it by `sentence`, because its row moves and another alert takes its place. */
export async function acknowledge({ id }: Alert, sentence: string): Promise<void> {
  if ((await attempt(() => calls.acknowledgeAlert(id))) !== null) announce(sentence);
}
