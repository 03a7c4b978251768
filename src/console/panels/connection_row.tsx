import type { Link } from '../../model/link.ts';
import type { Outlet } from '../../model/outlet.ts';
import { clock } from '../console.ts';
import { words } from '../words/en.ts';
import { terms } from '../words/terms.ts';
import { durationText } from '../words/units.ts';

type ConnectionRowProps = {
  connection: Pick<Link | Outlet, 'name' | 'state' | 'transport' | 'next_retry_at' | 'last_error' | 'credentials'>;
  /** Protocol of a link, kind of an outlet. */
  kind: string;
  /** Counts of messages that passed and that were lost, in words. */
  counts: string;
};

/** Row of a link or an outlet: name, state, counts, time to the next attempt, credentials, last error. */
export function ConnectionRow({ connection, kind, counts }: ConnectionRowProps) {
  const { name, state, transport, next_retry_at, last_error, credentials } = connection;
  const now = clock.nowMs();
  const retryS = next_retry_at === null || now === null ? null : Math.max(0, (Date.parse(next_retry_at) - now) / 1_000);
  return (
    <li class={`row link ${state}`}>
      <span class="first">
        <strong>
          <bdi>{name}</bdi>
        </strong>
        <span class="where">
          {kind} · {transport}
        </span>
        <span class="level">{terms.linkState(state)}</span>
      </span>
      <span class="second">
        {counts}
        {retryS === null ? '' : ` · ${words.retryIn(durationText(retryS))}`}
      </span>
      {credentials === null ? null : (
        <span class="second">
          <bdi>{words.credentials(credentials.subject, credentials.not_after)}</bdi>
        </span>
      )}
      {last_error === null ? null : <span class="second">{last_error}</span>}
    </li>
  );
}
