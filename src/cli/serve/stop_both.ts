import type { Engagements } from '../../command/engagement/engagements.ts';
import type { StopAll } from '../../model/engagement.ts';

type Stopped = Pick<Engagements, 'stopAll'>;

/** Stops the live world and the one beside it. What one of them refuses keeps the other from nothing. */
export async function stopBoth(
  live: Stopped,
  beside: Stopped,
  asked: Parameters<Engagements['stopAll']>,
): Promise<StopAll> {
  const [first, second] = await Promise.allSettled([live.stopAll(...asked), beside.stopAll(...asked)]);
  const done = [first, second].flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  if (first.status === 'rejected' && second.status === 'rejected') throw first.reason;
  return {
    engagements: done.reduce((sum, { engagements }) => sum + engagements, 0),
    tasks: done.reduce((sum, { tasks }) => sum + tasks, 0),
    platforms: done.flatMap(({ platforms }) => platforms),
  };
}
