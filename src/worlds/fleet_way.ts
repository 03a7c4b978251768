import { Fleet } from '../command/fleet/fleet.ts';
import type { FleetRim } from '../command/fleet/rim.ts';
import type { Payload } from '../edge/wire/mavlink/write.ts';
import { Fault } from '../model/fault.ts';
import { provesSender } from '../model/link.ts';
import type { PictureState } from '../picture/picture.ts';
import { effectivePolicy } from '../registry/discovery.ts';
import type { AlertBook } from './alerts/book.ts';
import { idConflict } from './alerts/id_conflict.ts';
import type { LinkSet } from './link_set.ts';

export type FleetWay = {
  picture: PictureState;
  links(): LinkSet;
  alerts: AlertBook;
  plan(): void;
} & Pick<FleetRim, 'nowMs' | 'timeText' | 'sysid' | 'provenance' | 'note'>;

/** The fleet of a world, on the links of that world alone: what is simulated has no way to a real one. */
export function beginFleet(way: FleetWay): Fleet {
  const { picture, plan } = way;
  const fleet: Fleet = new Fleet({
    nowMs: way.nowMs,
    timeText: way.timeText,
    sysid: way.sysid,
    provenance: way.provenance,
    note: way.note,
    async transmit(linkId: string, payload: Payload, to: string) {
      const link = way.links().get(linkId);
      if (!link) throw new Fault('conflict', 'its link is gone');
      await link.transmit(payload, to);
    },
    link(linkId) {
      const link = way.links().get(linkId);
      if (!link) return null;
      const { discover, command } = link.spec;
      const signing = link.isKeyMissing ? 'keyless' : link.spec.signing;
      const policy = effectivePolicy(
        { discover, command, state: link.status().state },
        fleet.registry?.discoveryOn() ?? false,
      );
      return { policy, signing, provesSender: provesSender(link.spec) };
    },
    shown(row) {
      picture.listed.setFleet(row);
      plan();
    },
    conflict(asset, text) {
      const nowMs = way.nowMs();
      way.alerts.take([idConflict(asset, text, nowMs)], nowMs);
    },
    gone(key) {
      picture.listed.removeFleet(key);
      plan();
    },
  });
  return fleet;
}
