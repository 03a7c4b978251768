import { join } from 'node:path';
import { type Finding, ok, warning, wrong } from './finding.ts';
import { blockIn, type Fault, isActive, linkName, type RadioBox, type Use, unitFault, unread } from './radio_units.ts';

/** Checks a Bluetooth adapter of the kernel. `used` are the links that read the adapter. */
export function checkBluetooth(name: string, used: readonly Use[], box: RadioBox): Finding {
  const check = `radio ${name}`;
  const folder = join(box.sys, 'class/bluetooth', name);
  const text = `${linkName(join(folder, 'device/driver')) ?? 'unknown driver'}, Bluetooth`;
  const unit = `dunlin-bluetooth@${name}`;
  if (!isActive(unit, box) && used.length === 0)
    return ok(check, `${text}; Dunlin does not use it. To use it: systemctl enable --now ${unit}.socket`);
  const fault = blockIn(folder, 'bluetooth') ?? unitFault(unit, used, box);
  if (fault !== null) return wrong(check, `${text}; ${fault.text}`, fault.advice);
  const doubt = (used.length === 0 ? unread(name, 'ble') : null) ?? shared(box);
  if (doubt !== null) return warning(check, `${text}; ${doubt.text}`, doubt.advice);
  return ok(check, `${text}; ${unit}.socket is active, link ${used[0]?.name} reads it`);
}

/** Returns a fault if bluetoothd runs: `dunlin-radio` needs the whole adapter, and bluetoothd may take it first. */
function shared({ run }: RadioBox): Fault | null {
  if (run('systemctl', 'is-active', 'bluetooth.service') === null) return null;
  return {
    text: 'bluetoothd runs and may take the adapter first',
    advice: 'systemctl disable --now bluetooth, unless another adapter needs it',
  };
}
