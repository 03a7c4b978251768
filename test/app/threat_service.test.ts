import t from 'tap';
import { ThreatService } from '../../src/app/threat_service.ts';
import { sampleThreat } from '../../src/http/openapi/threat_samples.ts';
import { Fault } from '../../src/model/fault.ts';
import { Listeners } from '../../src/model/listeners.ts';
import type { Threat } from '../../src/model/threat.ts';
import type { World } from '../../src/world/world.ts';
import { openRegistry } from '../support/registry/registry.ts';

t.test('where the disk refuses, what got worse is dismissed no longer all the same, and nothing fails', async (t) => {
  const { state, ledger, workspaceId } = openRegistry(t);
  const marked: Pick<Threat, 'dismissed' | 'dismissal_ended'>[] = [];
  const threats = {
    get: () => sampleThreat,
    dismissedAt: () => 'low',
    dismissalsOver: () => [sampleThreat.track_id],
    mark: (_trackId: string, { dismissed, dismissal_ended }: Threat) =>
      void marked.push({ dismissed, dismissal_ended }),
    worsened: new Listeners<[Threat]>(),
    forgotten: new Listeners<[string]>(),
  };
  const world = { threats, track: () => undefined } as unknown as World;
  const warned: string[] = [];
  const log = { warn: (_about: object, text: string) => void warned.push(text) } as never;
  const refusing = Object.assign(Object.create(ledger), {
    nowText: () => ledger.nowText(),
    change: () => {
      throw new Fault('unavailable', 'the disk is full');
    },
  });
  const service = new ThreatService({ world, state, ledger: refusing, workspaceId, log });
  service.load();
  threats.worsened.emit(sampleThreat);
  t.match(marked, [
    { dismissed: null, dismissal_ended: { reason: 'level_rose', from_level: 'low', to_level: sampleThreat.level } },
  ]);
  t.match(warned, ['an acknowledgement or a dismissal of a threat was not updated in the database']);
  marked.length = 0;
  service.expire(ledger.nowText());
  t.match(marked, [{ dismissed: null, dismissal_ended: { reason: 'expired' } }]);
  t.throws(() =>
    service.dismiss(sampleThreat.track_id, 'a kite', null, { type: 'system', id: 'x', name: 'x', address: null }),
  );
});
