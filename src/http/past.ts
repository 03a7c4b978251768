import { conflict } from '../model/fault.ts';
import type { Room, Route, Tag } from './route.ts';

/**
 * Subjects whose writes a shown replay does not block. They concern the box, the live world only, or the choice of the
 * shown world.
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

/** Whether a route changes the shown world; while a replay is shown, such a route is refused. */
export function changesWhatIsShown({ tag, write, whateverIsShown }: Pick<Route, 'tag' | 'write' | 'whateverIsShown'>) {
  return write && whateverIsShown !== true && !besideWhatIsShown.has(tag);
}

/** Refuses changes of the shown world while a replay is shown, before any handler runs. */
export function refuseInPast(of: Route, { workspace }: Pick<Room, 'workspace'>): void {
  if (changesWhatIsShown(of) && workspace.playback.state().mode === 'replay')
    throw conflict('a replay shows the past: it cannot be changed');
}
