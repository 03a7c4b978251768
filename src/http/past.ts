import { Fault } from '../model/fault.ts';
import type { Room, Route, Tag } from './route.ts';

/** What is of the box, of the live world alone, or says which world is shown: it is as it is, whichever is. */
const besideWhatIsShown: ReadonlySet<Tag> = new Set([
  ...(['simulator', 'recordings', 'ingest', 'links', 'webhooks', 'log', 'access', 'service'] as const),
]);

/** Whether a route changes what is shown, which a replay does not let be changed. */
export function changesWhatIsShown({ tag, write, whateverIsShown }: Pick<Route, 'tag' | 'write' | 'whateverIsShown'>) {
  return write && whateverIsShown !== true && !besideWhatIsShown.has(tag);
}

/** While a replay is shown, whatever would change what is shown is a conflict: here, before any route is asked. */
export function refuseInPast(of: Route, { simulator }: Pick<Room, 'simulator'>): void {
  if (changesWhatIsShown(of) && simulator.state().mode === 'replay')
    throw new Fault('conflict', 'a replay shows what was: it cannot be changed');
}
