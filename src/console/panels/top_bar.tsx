import { calls } from '../api/calls.ts';
import { clock, forbidden, store } from '../console.ts';
import { HoldButton } from '../parts/hold_button.tsx';
import { session } from '../state/session.ts';
import { words } from '../words/en.ts';

/** World ribbon, counts, clock, link badge and STOP ALL. */
export function TopBar() {
  const situation = store.situation.value;
  const link = store.link.value;
  const mode = situation?.mode ?? 'live';
  const sensors = store.sensors.list();
  const working = sensors.filter(({ state }) => state === 'operational').length;
  const threats = store.threats.list().filter(({ level }) => level !== 'none').length;
  return (
    <header class="top">
      {mode !== 'live' && situation ? <p class={`ribbon ${mode}`}>{words.ribbon(mode, situation.at)}</p> : null}
      <div class="bar">
        <strong class="product">{words.product}</strong>
        <span class={`badge world ${mode}`}>{words.world(mode)}</span>
        <span class={`badge link ${link.state}`} role="status" title={link.cause ?? ''}>
          {words.link(link)}
        </span>
        <Clock />
        <span class="counts">{words.counts(store.tracks.list().length, threats, working, sensors.length)}</span>
        <span class="filler" />
        <span class="person">{session.value.name ?? ''}</span>
        <HoldButton class="stop" holdMs={1_000} whyNot={forbidden('safer')} onConfirmed={() => void calls.stopAll()}>
          {words.stopAll}
        </HoldButton>
      </div>
      {link.state === 'no_link' ? <p class="no-link">{link.cause}</p> : null}
    </header>
  );
}

function Clock() {
  void clock.second.value;
  const now = clock.nowMs();
  return <time class="clock">{now === null ? '--:--:--' : `${new Date(now).toISOString().slice(11, 19)}Z`}</time>;
}
