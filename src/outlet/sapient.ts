import { alertReport } from '../edge/wire/sapient/alert_report.ts';
import { boxRegistration, ownNames } from '../edge/wire/sapient/box_registration.ts';
import { newUlid, nodeFrame, type SapientContent } from '../edge/wire/sapient/node_frame.ts';
import { trackReport } from '../edge/wire/sapient/track_report.ts';
import type { SapientOptions } from '../model/outlet_options.ts';
import type { OutletMessage, TrackView } from '../model/outlet_view.ts';
import type { EncoderDeps, OutletEncoder } from './kinds.ts';
import { sapientGreeting } from './sapient_greeting.ts';
import { dependentsOf, type OutletNode } from './sapient_node.ts';
import { SapientSession } from './sapient_session.ts';

/** Encoder of SAPIENT (BSI Flex 335 v2.0). This box is a fusion node below another fusion node. */
export function sapientEncoder(deps: EncoderDeps, options: SapientOptions): OutletEncoder {
  const { box, picture } = deps;
  const names = { name: options.name ?? ownNames(box.nodeId).name, shortName: options.short_name };
  const parent: OutletNode['parent'] = { id: null };
  const dependents = (): string[] => dependentsOf({ picture, parent });
  const node: OutletNode = { ...deps, parent, registration: () => boxRegistration(box.version, names, dependents()) };
  const message = (uid: string, utcMs: number, content: SapientContent): OutletMessage => ({
    ...{ uid, bytes: nodeFrame(box.nodeId, utcMs, content, null) },
  });
  const report = (view: TrackView, isOver: boolean, utcMs: number): OutletMessage[] => {
    const detection_report = trackReport(view, isOver, utcMs);
    return detection_report === null ? [] : [message(view.track.id, utcMs, { detection_report })];
  };
  return {
    greet: () => sapientGreeting(node),
    isTimed: true,
    followsAlerts: true,
    track: (view, utcMs) => report(view, false, utcMs),
    end: (view, _uids, utcMs) => report(view, true, utcMs),
    withdraw: () => [],
    alert: (alert, utcMs) => [message(alert.id, utcMs, { alert: alertReport(box, alert) })],
    test: (_place, utcMs) => testAlerts().map((alert) => message('test', utcMs, { alert })),
    presence: null,
    session: (nowMs) => new SapientSession(node, nowMs),
    trouble: () => (picture.isClockTrusted() ? null : CLOCK),
  };
}

const CLOCK =
  'the clock of this box is not trusted: a SAPIENT node refuses messages whose time is over 0.1 s ahead or 0.9 s behind';

/** Returns the test item: an alert that is cleared at once. */
function testAlerts() {
  const alert = {
    alert_id: newUlid(),
    alert_type: 'INFORMATION',
    description: 'Dunlin test',
    priority: 'LOW',
  } as const;
  return [
    { ...alert, status: 'ACTIVE' },
    { ...alert, status: 'CLEAR' },
  ] as const;
}
