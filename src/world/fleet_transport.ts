import type { AlertLog } from '../alerts/alert_log.ts';
import { idConflict } from '../alerts/id_conflict.ts';
import type { Payload } from '../edge/wire/mavlink/write.ts';
import type { FleetDeps } from '../fleet/deps.ts';
import { Fleet } from '../fleet/fleet.ts';
import { conflict } from '../model/fault.ts';
import { provesSender } from '../model/link.ts';
import type { PictureState } from '../picture/picture.ts';
import { effectivePolicy } from '../registry/discovery.ts';
import type { LinkSet } from './link_set.ts';

type FleetParts = {
  picture: PictureState;
  links(): LinkSet;
  alerts: AlertLog;
} & Pick<FleetDeps, 'nowMs' | 'timeText' | 'sysid' | 'provenance' | 'note' | 'registry'>;

/**
 * Creates the fleet of a world. The fleet sends on links of that world only, so a simulation cannot reach a real
 * vehicle.
 */
export function beginFleet(parts: FleetParts): Fleet {
  const { picture, nowMs, timeText, sysid, provenance, note, registry } = parts;
  return new Fleet({
    ...{ nowMs, timeText, sysid, provenance, note, registry },
    async transmit(linkId: string, payload: Payload, to: string) {
      const link = parts.links().get(linkId);
      if (!link) throw conflict('the link of the vehicle was removed');
      await link.transmit(payload, to);
    },
    link(linkId) {
      const link = parts.links().get(linkId);
      if (!link) return null;
      const { discover, command } = link.spec;
      const signing = link.isKeyMissing ? 'keyless' : link.spec.signing;
      const isOn = registry()?.discoveryOn() ?? false;
      const policy = effectivePolicy({ discover, command, state: link.status().state }, isOn);
      return { policy, signing, provesSender: provesSender(link.spec) };
    },
    shown: (row) => picture.listed.setFleet(row),
    conflict(asset, text) {
      const atMs = nowMs();
      parts.alerts.take([idConflict(asset, text, atMs)], atMs);
    },
    gone: (key) => picture.listed.removeFleet(key),
  });
}
