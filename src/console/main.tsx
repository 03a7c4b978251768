/** The operator console, from start to screen: session → stream → store → screens. */
import { computed, effect } from '@preact/signals';
import { render } from 'preact';
import { calls } from './api/calls.ts';
import { clock, store } from './console.ts';
import { startKeys } from './keys.ts';
import { trails } from './map/shown_rows.ts';
import { Watch } from './screens/watch.tsx';
import { setVolume, soundWatch } from './sound/siren.ts';
import { apply } from './state/apply.ts';
import { announce } from './state/attempt.ts';
import { startContinuations } from './state/continuations.ts';
import { followDismissals } from './state/dismissals.ts';
import { startEarlierRows } from './state/earlier_rows.ts';
import { followExpired } from './state/expired_proposals.ts';
import { startLiveAlerts } from './state/live_alerts.ts';
import { startOlderTrails } from './state/older_trails.ts';
import { startRenewal } from './state/renewal.ts';
import { startScreen } from './state/screen.ts';
import { followSensors } from './state/sensor_changes.ts';
import { needsSignIn, type Session, session, takeRole } from './state/session.ts';
import { settings, startSettings } from './state/settings.ts';
import { SpokenAlerts, speak, speech } from './state/speech.ts';
import { startStopped } from './state/stopped.ts';
import { startThresholds } from './state/thresholds.ts';
import { followWorlds } from './state/world_change.ts';
import { StreamLink } from './stream/link.ts';
import type { FromWorker } from './stream/messages.ts';
import { words } from './words/en.ts';

function receive(message: FromWorker): void {
  if (message.type === 'link') {
    const before = store.link.peek();
    const { state, ageS, cause } = message.link;
    if (before.state !== state || before.ageS !== ageS || before.cause !== cause) store.link.value = message.link;
  } else if (message.type === 'refused') needsSignIn.value = true;
  else {
    apply(store, message.events);
    const situation = store.situation.peek();
    if (situation) clock.set(situation.at, situation.sim.run === 'paused');
  }
}

/** Reads the role of this person, or of the open surface. The console disables actions that the role forbids. */
async function takeOwnRole(): Promise<void> {
  try {
    const { token, workspaceId } = session.peek();
    const { workspaces } = await calls.me();
    const workspace = workspaces.find(({ id }) => id === workspaceId) ?? workspaces[0];
    if (workspace && session.peek().token === token) takeRole(workspace.role);
  } catch {
    // The stream reports a lost connection or a missing credential.
  }
}

startSettings(document.documentElement);
startScreen(window);
const stream = new StreamLink(receive);
// Only token and workspace determine the stream: a new name or role needs no new connection.
let opened: Session | null = null;
effect(() => {
  const now = session.value;
  const before = opened;
  opened = now;
  if (before !== null && now.token === before.token && now.workspaceId === before.workspaceId) return;
  const isRenewed = before?.userId === now.userId && before.workspaceId === now.workspaceId;
  if (isRenewed && now.token !== null && before.token !== null) stream.renew(now.token);
  else {
    stream.open({ token: now.token, workspaceId: now.workspaceId, world: null });
    void takeOwnRole();
  }
});
startRenewal(store.boxTime);
startLiveAlerts(store);
startStopped(store);
startEarlierRows(store);
startThresholds(store);
startContinuations();
followWorlds(store, () => announce(words.scenarioAgain));
effect(() => {
  const critical = store.threats.list().filter(({ level }) => level === 'critical').length;
  document.title = words.title(store.situation.value?.mode ?? 'live', critical);
});
const linkState = computed(() => store.link.value.state);
clock.start();
startKeys(document);
effect(() => {
  void clock.second.value;
  const live = [...store.liveAlerts.list(), ...store.alerts.list()];
  soundWatch(live, linkState.value, performance.now());
});
followSensors(store, (name) => announce(words.sensorBack(name)));
followDismissals(store, (number, ended) => announce(words.dismissalOver(number, ended)));
followExpired(store, (number) => announce(words.proposalExpired(number ?? words.aClosedTrack)));
startOlderTrails({
  ...{ store, trails, historySince: calls.historySince },
  keepS: () => settings.peek().trailS,
  nowMs: () => clock.nowMs(),
});
const spokenAlerts = new SpokenAlerts();
effect(() => {
  void clock.second.value;
  for (const alert of spokenAlerts.take([...store.liveAlerts.list(), ...store.alerts.list()]))
    speech.say(words.spokenAlert(alert), alert.severity === 'critical' ? 'assertive' : 'polite');
  speak(performance.now());
});
effect(() => {
  if (linkState.value !== 'connecting') speech.say(words.spokenLink(linkState.value), 'polite');
});
effect(() => setVolume(settings.value.volumePct));
const root = document.getElementById('console');
if (root) {
  root.replaceChildren();
  render(<Watch />, root);
}
