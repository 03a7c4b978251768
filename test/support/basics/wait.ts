import { setTimeout } from 'node:timers/promises';

/** Waits until something holds, asking again and again; fails when it does not within `deadlineMs`. */
export async function waitFor(holds: () => boolean | Promise<boolean>, deadlineMs = 10_000): Promise<void> {
  const until = Date.now() + deadlineMs;
  while (!(await holds())) {
    if (Date.now() > until) throw new Error(`did not come true within ${deadlineMs} ms: ${holds}`);
    await setTimeout(2);
  }
}
