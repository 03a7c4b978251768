import { randomUUID } from 'node:crypto';
import { sampleLink } from '../../../src/http/openapi/samples.ts';
import type { ServedWorkspace } from '../../../src/http/served.ts';
import { Fault } from '../../../src/model/fault.ts';
import type { Link, LinkPatch } from '../../../src/model/link.ts';

/** Links in memory, which never open. */
export function createFakeLinks(): ServedWorkspace['links'] {
  const links = new Map<string, Link>([[sampleLink.id, sampleLink]]);
  const change = (id: string, patch: LinkPatch | Partial<Link>): Link => {
    const link = links.get(id);
    if (link === undefined) throw new Fault('not_found', `there is no link with the id ${id}`);
    const named = Object.entries(patch).filter(([key, value]) => key in link && value !== undefined);
    const changed: Link = { ...link, ...Object.fromEntries(named), version: link.version + 1 };
    links.set(id, changed);
    return changed;
  };
  return {
    list: () => [...links.values()],
    get: (id) => links.get(id),
    create: async ({ enabled: _enabled, silence_s: _silence, baud, ...body }) => {
      const made: Link = {
        ...sampleLink,
        ...body,
        baud: body.transport === 'serial' ? baud : null,
        phy: body.phy ?? null,
        id: randomUUID(),
      };
      links.set(made.id, made);
      return made;
    },
    update: async (id, patch) => change(id, patch),
    setEnabled: async (id, enabled) => change(id, { state: enabled ? 'open' : 'disabled' }),
    remove: async (id) => {
      change(id, {});
      links.delete(id);
    },
    setSigningKey: async (id) => change(id, { signing_key: true }),
    removeSigningKey: async (id) => void change(id, { signing_key: false }),
  };
}
