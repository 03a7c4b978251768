import { openRegistry } from '../registry/registry.ts';
import { engagementsOver, Field } from './engagement.ts';

/** One vehicle and one threat of level `high`, with what `change` makes of them, before anything is proposed; in a folder of its own or in one that is given. */
export function beginField(
  of: Parameters<typeof openRegistry>[0],
  change: (field: Field) => void = () => {},
  folder?: string,
) {
  const field = new Field();
  field.addVehicle('North 1');
  const track = field.addTrack('high');
  change(field);
  const rig = openRegistry(of, folder);
  return { field, track, rig, engagements: engagementsOver(rig, field) };
}
