import t from 'tap';
import { LogLevelService } from '../../src/app/log_level_service.ts';
import { createJournal } from '../../src/host/journal.ts';
import { systemActor } from '../../src/model/actor.ts';
import { manualTimers } from '../host/manual_timers.ts';
import { openRegistry } from '../support/registry/registry.ts';

t.test('a level with an end gives way to the configured one, also for logs that were made from it', async (t) => {
  const lines: string[] = [];
  const journal = createJournal({ level: 'info', write: (line) => void lines.push(line) });
  const child = journal.log.child({ world: 'sim' });
  const { ledger } = openRegistry(t);
  const timers = manualTimers();
  const service = new LogLevelService({ journal, configured: 'info', ledger, utcMs: () => timers.now(), timers });
  const texts: string[] = [];
  ledger.onRow(({ text }) => void texts.push(text));
  child.debug('unseen');
  service.set({ level: 'debug', for_s: 60 }, systemActor);
  child.debug('seen');
  await timers.advance(59_000);
  t.equal(service.get().level, 'debug');
  await timers.advance(1_001);
  t.match(service.get(), { level: 'info', configured: 'info', reverts_at: null });
  child.debug('unseen again');
  t.same(
    lines.map((line) => JSON.parse(line).msg),
    ['seen'],
  );
  service.set({ level: 'error', for_s: 60 }, systemActor);
  service.set({ level: 'warn' }, systemActor);
  await timers.advance(120_000);
  t.equal(service.get().level, 'warn', 'a later change has its own end');
  t.match(texts, [/debug for 60 s/, /info again, as configured/, /error for 60 s/, /warn until it is changed/]);
});

t.test('a level with an end gives way also while the disk refuses the audit row', async (t) => {
  const journal = createJournal({ level: 'info', write: () => {} });
  const { ledger, state } = openRegistry(t);
  const timers = manualTimers();
  const service = new LogLevelService({ journal, configured: 'info', ledger, utcMs: () => timers.now(), timers });
  service.set({ level: 'debug', for_s: 60 }, systemActor);
  state.db.pragma('query_only = 1');
  await timers.advance(60_001);
  state.db.pragma('query_only = 0');
  t.match(service.get(), { level: 'info', reverts_at: null });
});
