import { conflict } from '../model/fault.ts';
import type { Room, Route, Tag } from './route.ts';

/**
 * Subjects whose changes are allowed while a replay is shown. They concern the whole box, the live world, or the choice
 * and playback of the shown world. They do not change the content of the shown replay.
 */
const besideWhatIsShown: ReadonlySet<Tag> = new Set([
  ...([
    'simulator',
    'recordings',
    'ingest',
    'links',
    'webhooks',
    'outlets',
    'log',
    'access',
    'maps',
    'service',
  ] as const),
]);

/** Returns true if a route changes the shown world. While a replay is shown, such a route is refused. */
export function changesWhatIsShown({ tag, write, whateverIsShown }: Pick<Route, 'tag' | 'write' | 'whateverIsShown'>) {
  return write && whateverIsShown !== true && !besideWhatIsShown.has(tag);
}

/** Refuses changes of the shown world while a replay is shown. Call it before the handler runs. */
export function refuseInPast(of: Route, { workspace }: Pick<Room, 'workspace'>): void {
  if (changesWhatIsShown(of) && workspace.playback.state().mode === 'replay')
    throw conflict('the shown world is a replay and cannot be changed: show the live world first');
}
