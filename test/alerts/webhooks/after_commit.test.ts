import Database from 'better-sqlite3';
import t from 'tap';
import { AlertService } from '../../../src/alerts/alert_service.ts';
import { systemActor } from '../../../src/model/actor.ts';
import { Ledger } from '../../../src/store/ledger.ts';
import { LogCounter } from '../../../src/store/log_counter.ts';
import { workspaceRows } from '../../../src/store/workspaces.ts';
import { firingOf } from '../../support/registry/firings.ts';
import { openBook, openFolder } from '../rig.ts';

/** Acknowledges an alert on a disk that is full for the first `refused` tries. Returns the notices that were sent. */
function acknowledge(of: Parameters<typeof openFolder>[0], refused: number) {
  const state = openFolder(of);
  state.fillReserve();
  const { book, store, sent } = openBook(of, state);
  const ledger = new Ledger(state, new LogCounter(0), Date.now);
  const service = new AlertService(book, ledger, workspaceRows(state).list()[0]?.id ?? '');
  book.take([firingOf()], 0);
  const [alert] = book.shown();
  sent.length = 0;
  let tries = 0;
  const { save } = store;
  // The transaction fails after the notices were written.
  store.save = (...given) => {
    const then = save(...given);
    if (++tries <= refused) throw new Database.SqliteError('database or disk is full', 'SQLITE_FULL');
    return then;
  };
  const act = () => service.acknowledge(alert?.id ?? '', null, systemActor);
  return { act, sent, tries: () => tries };
}

t.test('an acknowledgement that is repeated on a full disk is sent once', (t) => {
  const { act, sent, tries } = acknowledge(t, 1);
  t.match(act(), { state: 'acknowledged' });
  t.equal(tries(), 2);
  t.match(sent, [{ kind: 'alert_update' }]);
  t.equal(sent.length, 1);
  t.end();
});

t.test('an acknowledgement that the disk refuses is not sent', (t) => {
  const { act, sent } = acknowledge(t, Number.POSITIVE_INFINITY);
  t.throws(act, { code: 'unavailable' });
  t.same(sent, []);
  t.end();
});
