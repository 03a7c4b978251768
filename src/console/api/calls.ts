import type { SignedIn } from '../../model/access.ts';
import type { Alert } from '../../model/alert.ts';
import type { StopAll } from '../../model/engagement.ts';
import type { Threat } from '../../model/threat.ts';
import { session } from '../state/session.ts';
import { request } from './client.ts';

/** The name of the person where the open surface is used; a session names its user itself. */
const person = (): { operator?: string } => {
  const { token, name } = session.peek();
  return token === null ? { operator: name ?? 'console' } : {};
};

/** Routes that the console calls, one line each. */
export const calls = {
  signIn: (username: string, password: string) => request<SignedIn>('POST', 'auth/sign-in', { username, password }),
  acknowledgeAlert: (id: string) => request<Alert>('POST', `alerts/${id}/acknowledge`, {}),
  acknowledgeThreat: (trackId: string) => request<Threat>('POST', `threats/${trackId}/acknowledge`, {}),
  dismissThreat: (trackId: string, reason: string, until: string | null) =>
    request<Threat>('POST', `threats/${trackId}/dismiss`, { reason, ...(until === null ? {} : { until }) }),
  stopAll: (reason = 'STOP ALL of the console') =>
    request<StopAll>('POST', 'engagement/stop_all', { ...person(), reason }),
};
