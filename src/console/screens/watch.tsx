import { store } from '../console.ts';
import { MapView } from '../map/map.tsx';
import { AlertsPanel } from '../panels/alerts.tsx';
import { RightPanel } from '../panels/right.tsx';
import { ThreatsPanel } from '../panels/threats.tsx';
import { Timeline } from '../panels/timeline.tsx';
import { TopBar } from '../panels/top_bar.tsx';
import { TracksTable } from '../panels/tracks_table.tsx';
import { LiveRegion } from '../parts/live_region.tsx';
import { refusal, report } from '../state/attempt.ts';
import { isTableOpen, toggleTable } from '../state/lists.ts';
import { isSmall, sheet } from '../state/screen.ts';
import { dialog } from '../state/select.ts';
import { needsSignIn } from '../state/session.ts';
import { words } from '../words/en.ts';
import { FindDialog } from './find.tsx';
import { KeysDialog } from './keys_help.tsx';
import { SettingsDialog } from './settings.tsx';
import { SignIn } from './sign_in.tsx';

function closeDialog(): void {
  dialog.value = null;
}

/** The main screen. */
export function Watch() {
  const link = store.link.value.state;
  return (
    <div class="watch" data-link={link} data-mode={store.situation.value?.mode ?? 'live'} data-sheet={sheet.value}>
      <TopBar />
      <LiveRegion />
      {isSmall.value ? null : (
        <aside class="left">
          <ThreatsPanel />
          <AlertsPanel />
        </aside>
      )}
      <Centre />
      <Notices />
      <RightPanel />
      {isSmall.value ? null : <Timeline />}
      {dialog.value === 'settings' ? <SettingsDialog onClose={closeDialog} /> : null}
      {dialog.value === 'find' ? <FindDialog onClose={closeDialog} /> : null}
      {dialog.value === 'keys' ? <KeysDialog onClose={closeDialog} /> : null}
      {needsSignIn.value ? <SignIn onClose={null} /> : null}
      {dialog.value === 'sign_in' && !needsSignIn.value ? <SignIn onClose={closeDialog} /> : null}
    </div>
  );
}

/**
 * Outcomes and refusals of actions. They lie over the timeline, on a small screen over the lower edge of the map: no
 * button moves that a person is about to press, and no row of a list is covered.
 */
function Notices() {
  return (
    <div class="notices">
      <p class="report">{report.value}</p>
      {refusal.value === null ? null : (
        <p class="refusal" role="alert">
          {refusal.value}
          <button
            type="button"
            onClick={() => {
              refusal.value = null;
            }}
          >
            {words.close}
          </button>
        </p>
      )}
    </div>
  );
}

/** The map, or the same tracks as a table. */
function Centre() {
  const isTable = isTableOpen.value;
  if (store.situation.value === null) return <main class="centre empty">{words.waiting}</main>;
  return (
    <main class="centre">
      {isTable ? <TracksTable /> : <MapView />}
      <button type="button" class="switch" onClick={toggleTable}>
        {isTable ? words.mapTab : words.table}
      </button>
    </main>
  );
}
