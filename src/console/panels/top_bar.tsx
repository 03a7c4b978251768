import { useEffect, useRef, useState } from 'preact/hooks';
import { calls } from '../api/calls.ts';
import { clock, store } from '../console.ts';
import { FindButton } from '../parts/find_button.tsx';
import { StopAllButton } from '../parts/stop_all_button.tsx';
import { endSilence, silence, sound, startSound } from '../sound/siren.ts';
import { announce, attempt } from '../state/attempt.ts';
import { openLiveAlerts } from '../state/live_alerts.ts';
import { isSmall } from '../state/screen.ts';
import { dialog, tab } from '../state/select.ts';
import { nameOperator, needsSignIn, session, signedOut } from '../state/session.ts';
import { settings } from '../state/settings.ts';
import { words } from '../words/en.ts';
import { Stopped } from './stopped.tsx';

/** The top bar: shown world, counts, clock, state of the connection, and STOP ALL. */
export function TopBar() {
  const [isMenuOpen, setMenuOpen] = useState(false);
  useEscape(isMenuOpen, () => setMenuOpen(false));
  const situation = store.situation.value;
  const link = store.link.value;
  const mode = situation?.mode ?? 'live';
  // Depends only on the screen. If it depended on the name, typing a name would move buttons.
  const isPersonInMenu = isSmall.value;
  const asksName = isPersonInMenu && session.value.name === null;
  const top = useRef<HTMLElement>(null);
  // A watch begins with a name: asked for at the first approval, it would cost time.
  const askName = (): void => {
    const { token, name, role } = session.peek();
    if (token !== null || name !== null || role === 'viewer') return;
    if (isPersonInMenu) setMenuOpen(true);
    announce(words.nameAsked);
    requestAnimationFrame(() => top.current?.querySelector<HTMLElement>('input.person')?.focus());
  };
  return (
    <header class="top" ref={top}>
      <div class="bar">
        <div class="bar-items">
          <strong class="product">{words.product}</strong>
          <span class={`badge world ${situation ? mode : ''}`}>{situation ? words.world(mode) : words.noWorldYet}</span>
          <span class={`badge link ${link.state}`} title={link.cause ?? ''}>
            {words.link(link)}
          </span>
          <Clock />
          {isSmall.value ? <Sensors /> : <Stopped />}
          {isSmall.value ? null : <Counts />}
          <span class="filler" />
          <Sound onStarted={askName} />
          {isPersonInMenu ? null : <Person />}
          <button
            type="button"
            class="menu-button"
            data-asks={asksName}
            title={asksName ? words.nameInMenu : ''}
            aria-expanded={isMenuOpen}
            onClick={() => setMenuOpen(!isMenuOpen)}
          >
            {words.menu}
          </button>
          {isSmall.value ? <Stopped /> : null}
          <span class="menu" data-open={isMenuOpen}>
            {isSmall.value ? <Counts /> : null}
            {isPersonInMenu ? <Person /> : null}
            <Menu />
          </span>
        </div>
        <StopAllButton hasKey={dialog.value === null && !needsSignIn.value} />
      </div>
      {/* Below the bar, whose buttons thus keep their places when the shown world changes. */}
      {mode !== 'live' && situation ? <p class={`ribbon ${mode}`}>{words.ribbon(mode, situation.at)}</p> : null}
      <LiveAlert />
      {link.state === 'no_link' ? <p class="no-link">{words.noLink(link)}</p> : null}
    </header>
  );
}

function Clock() {
  void clock.second.value;
  const now = clock.nowMs();
  return <time class="clock">{now === null ? '--:--:--' : `${new Date(now).toISOString().slice(11, 19)}Z`}</time>;
}

/**
 * Control of the sound, which is off until a person starts it and thus begins the watch. A press silences it for a
 * while; only the settings switch it off.
 */
function Sound({ onStarted }: { onStarted: () => void }) {
  void clock.second.value;
  const { on, silencedUntilMs } = sound.value;
  const silentS = Math.ceil((silencedUntilMs - performance.now()) / 1_000);
  if (!on) {
    return (
      <button
        type="button"
        class="badge sound off"
        title={words.startWatch}
        onClick={() => void startSound().then(onStarted)}
      >
        {words.soundOff}
        <span class="start-watch"> · {words.startWatch}</span>
      </button>
    );
  }
  return (
    <button
      type="button"
      class="badge sound"
      title={silentS > 0 ? words.soundAgainHint : words.silenceHint}
      onClick={() => (silentS > 0 ? endSilence() : silence(performance.now()))}
    >
      {silentS > 0 ? words.silenced(silentS) : words.soundOn(settings.value.volumePct)}
    </button>
  );
}

/** Ends the session in this browser, even if the daemon cannot be reached. */
async function signOut(): Promise<void> {
  await attempt(calls.signOut);
  signedOut();
}

/** Takes the name for the log, and confirms it in words. */
function takeName(name: string): void {
  nameOperator(name === '' ? null : name);
  announce(name === '' ? words.unnamed : words.namedAs(name));
}

/** Calls `close` at Esc while something is open. */
function useEscape(isOpen: boolean, close: () => void): void {
  useEffect(() => {
    if (!isOpen) return;
    const ending = new AbortController();
    const pressed = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') close();
    };
    document.addEventListener('keydown', pressed, { signal: ending.signal });
    return () => ending.abort();
  }, [isOpen]);
}

const workingSensors = (): number => store.sensors.list().filter(({ state }) => state === 'operational').length;

/** Numbers of tracks, of threats, and of the sensors that work. */
function Counts() {
  const threats = store.threats.list().filter(({ level }) => level !== 'none').length;
  const [working, all] = [workingSensors(), store.sensors.list().length];
  return (
    <span class="counts" data-stopped={store.stoppedAt.value !== null}>
      <span class="track-counts">{words.counts(store.tracks.list().length, threats)} </span>
      <SensorCount working={working} all={all} />
    </span>
  );
}

/**
 * Numbers of working and of all sensors, for a small screen, which has no room for more. They are always shown, so that
 * no button moves when a sensor fails.
 */
function Sensors() {
  const [working, all] = [workingSensors(), store.sensors.list().length];
  return (
    <span class="sensors">
      <SensorCount working={working} all={all} />
    </span>
  );
}

/** The count of sensors leads to the tab that says which one does not work. */
function SensorCount({ working, all }: { working: number; all: number }) {
  return (
    <button
      type="button"
      class={`sensor-count ${working < all ? 'some-silent' : ''}`}
      title={words.showHealth}
      onClick={() => {
        tab.value = 'health';
      }}
    >
      {words.sensorCount(working, all)}
    </button>
  );
}

/** The signed-in user, or the name for the log on the open surface. */
function Person() {
  const { token, name } = session.value;
  return token === null ? <NameField name={name} /> : <SignedIn name={name} />;
}

function SignedIn({ name }: { name: string | null }) {
  return (
    <>
      <bdi class="person">{name}</bdi>
      <button type="button" onClick={() => void signOut()}>
        {words.signOut}
      </button>
    </>
  );
}

function NameField({ name }: { name: string | null }) {
  return (
    <input
      class="person"
      aria-label={words.yourName}
      placeholder={words.yourNameShort}
      value={name ?? ''}
      maxLength={120}
      title={words.nameHint}
      onChange={({ currentTarget: { value } }) => takeName(value.trim())}
      onKeyDown={({ key, currentTarget }) => {
        // The browser reports a change at this key too, before the field loses the focus.
        if (key === 'Enter') currentTarget.blur();
      }}
    />
  );
}

/** The newest unacknowledged alert of the live world, while another world is shown. */
function LiveAlert() {
  const newest = openLiveAlerts(store).at(-1);
  if (!newest) return null;
  return (
    <p class="live-alert" role="alert">
      {words.liveAlert(newest.text)}{' '}
      <button type="button" onClick={() => void attempt(calls.showLive)}>
        {words.showLive}
      </button>
    </p>
  );
}

function Menu() {
  return (
    <>
      {isSmall.value ? <FindButton /> : null}
      <button
        type="button"
        onClick={() => {
          dialog.value = 'keys';
        }}
      >
        {words.keys}
      </button>
      <button
        type="button"
        onClick={() => {
          dialog.value = 'settings';
        }}
      >
        {words.settings}
      </button>
      {session.value.token === null ? (
        <button
          type="button"
          onClick={() => {
            dialog.value = 'sign_in';
          }}
        >
          {words.signInMenu}
        </button>
      ) : null}
    </>
  );
}
