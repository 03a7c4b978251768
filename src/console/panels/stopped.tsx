import { Fragment } from 'preact';
import { clock, store } from '../console.ts';
import { isMoving } from '../state/movements.ts';
import { openTab } from '../state/select.ts';
import { words } from '../words/en.ts';
import { momentText } from '../words/units.ts';

/**
 * Badge that everything was stopped, and that no movement was approved or ordered since. It leads to the approvals,
 * which say more.
 */
export function Stopped() {
  const at = store.stoppedAt.value;
  if (at === null) return null;
  void clock.second.value;
  return (
    <button
      type="button"
      class="badge stopped"
      title={words.stoppedHint}
      onClick={() => {
        openTab('approvals');
      }}
    >
      {words.stoppedSign} <time>{momentText(at, new Date(clock.nowMs() ?? Date.parse(at)).toISOString())}</time>
      {/* Below the sign, so that no button moves when the last vehicle stands. */}
      <small>{moving().length === 0 ? '' : words.stillMoving(moving().length)}</small>
    </button>
  );
}

const moving = () => store.fleet.list().filter(isMoving);

/** Meaning of the state after STOP ALL, with the names of the vehicles that still move. */
export function StoppedBefore() {
  if (store.stoppedAt.value === null) return null;
  const names = moving().map(({ key, name }, index) => (
    <Fragment key={key}>
      {index === 0 ? '' : ', '}
      <bdi>{name}</bdi>
    </Fragment>
  ));
  return (
    <p class="reason">
      {words.stoppedBefore}
      {names.length === 0 ? null : (
        <>
          {' '}
          {words.stillMoving(names.length)}: {names}. {words.whyMoving}
        </>
      )}
    </p>
  );
}
