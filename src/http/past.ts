import { conflict } from '../model/fault.ts';
import type { Room, Route, Tag } from './route.ts';

/** Subjects of the box, of the live world alone, or of which world is shown: a replay does not change them. */
const besideWhatIsShown: ReadonlySet<Tag> = new Set([
  ...(['simulator', 'recordings', 'ingest', 'links', 'webhooks', 'log', 'access', 'maps', 'service'] as const),
]);

/** Tests for a route that changes the shown world; while a replay is shown it is refused. */
export function changesWhatIsShown({ tag, write, whateverIsShown }: Pick<Route, 'tag' | 'write' | 'whateverIsShown'>) {
  return write && whateverIsShown !== true && !besideWhatIsShown.has(tag);
}

/** Refuses changes of the shown world while a replay is shown, before any handler runs. */
export function refuseInPast(of: Route, { workspace }: Pick<Room, 'workspace'>): void {
  if (changesWhatIsShown(of) && workspace.playback.state().mode === 'replay')
    throw conflict('a replay shows the past: it cannot be changed');
}
