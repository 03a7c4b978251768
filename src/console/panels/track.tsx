import { useRef } from 'preact/hooks';
import type { Sensor } from '../../model/sensor.ts';
import type { Threat, ThreatFactor } from '../../model/threat.ts';
import type { Track } from '../../model/track.ts';
import { clock, store } from '../console.ts';
import { siteCentre } from '../map/base_map.ts';
import { distanceAndCourse } from '../map/camera.ts';
import { fromProtected } from '../map/protected.ts';
import { centre } from '../map/view.ts';
import { Fact, Facts } from '../parts/field.tsx';
import { approvedWork } from '../state/approved_work.ts';
import { continuation, continuedBy } from '../state/continuations.ts';
import { areaParts, factorLines } from '../state/factors.ts';
import { assetName, loggedNumber } from '../state/names.ts';
import { selectTrack } from '../state/select.ts';
import { session } from '../state/session.ts';
import { settings } from '../state/settings.ts';
import { unscoredAlert } from '../state/unscored_alert.ts';
import { words } from '../words/en.ts';
import { levelMark } from '../words/marks.ts';
import { placeText } from '../words/position.ts';
import { terms } from '../words/terms.ts';
import { bearingText, climbText, clockText, heightFact, speedFact } from '../words/units.ts';
import { DismissalEnd } from './dismissal.tsx';
import { TrackActions } from './track_actions.tsx';
import { TrackPlot } from './track_plot.tsx';

/** Panel of one track: state, reasons, sensors, claims, and possible actions. */
export function TrackPanel({ id }: { id: string }) {
  const track = store.tracks.get(id);
  const last = useRef(track);
  if (track) last.current = track;
  if (!track)
    return (
      <article class="track">
        <h2>{last.current?.number ?? loggedNumber(id)}</h2>
        <p class="empty">{words.trackGone}</p>
        {last.current ? <Perhaps track={{ ...last.current, state: 'lost' }} /> : null}
        <TrackPlot id={id} />
      </article>
    );
  const threat = store.threats.get(id);
  return (
    <article class="track" aria-label={track.number}>
      <Head track={track} threat={threat} />
      <Movement track={track} />
      <People track={track} />
      {threat ? <WhyThisScore threat={threat} /> : null}
      <Integrity track={track} />
      <Claims track={track} />
      <Receivers track={track} />
      <TrackPlot id={id} />
      <TrackActions track={track} threat={threat} />
    </article>
  );
}

function Head({ track, threat }: { track: Track; threat: Threat | undefined }) {
  const asset = store.assets.get(track.asset_id);
  return (
    <header>
      <h2>
        {track.number} {asset ? <bdi>{asset.name}</bdi> : null}
      </h2>
      <p>
        {threat && threat.level !== 'none' ? (
          <strong class={threat.level}>
            <span class={`mark ${threat.level}`} aria-hidden="true">
              {levelMark[threat.level]}
            </span>{' '}
            {words.level(threat.level)} {Math.round(threat.score)}
          </strong>
        ) : null}{' '}
        {words.affiliation(track)} · {words.type(track)}
      </p>
      {/* The age is on a line of its own: a longer text must not move the buttons below. */}
      <p>
        <span title={terms.stateHint(track.state)}>{track.state}</span> · {words.seen(clock.ageS(track.last_seen_at))}
      </p>
      <Perhaps track={track} />
      {isUntold(track) ? <p class="quiet">{words.untold}</p> : null}
      <LookedAt trackId={track.id} />
      <DismissalEnd ended={threat?.dismissal_ended} />
      <WhyBoth track={track} threat={threat} />
      {threat?.dismissed ? <p class="flag">{words.dismissed(threat.dismissed)}</p> : null}
      {track.flags.map((flag) => (
        <p key={flag} class="flag">
          {words.flag(flag)}
        </p>
      ))}
    </header>
  );
}

/** Own vehicles that look at the track, as a person approved. */
function LookedAt({ trackId }: { trackId: string }) {
  const work = approvedWork(store.engagements.list(), (id) => store.tasks.get(id));
  return (
    <>
      {work
        .filter((one) => one.trackId === trackId)
        .map(({ assetId, phase }) => (
          <p key={assetId}>
            <bdi>{assetName(assetId)}</bdi> {words.looksNow(phase)}
          </p>
        ))}
    </>
  );
}

/** The track that this one perhaps continues, or that perhaps continues this one. */
function Perhaps({ track }: { track: Track }) {
  const now = continuation(track);
  const other = now ?? (track.state === 'lost' ? null : continuedBy(track));
  if (other === null) return null;
  return (
    <p>
      {words.perhapsSame(now !== null)}{' '}
      <button type="button" class="link" onClick={() => selectTrack(other.id)}>
        {other.number}
      </button>
      .
    </p>
  );
}

const isCrewed = ({ classification }: Pick<Track, 'classification'>): boolean =>
  classification.some(({ type, confidence }) => type === 'crewed_aircraft' && confidence >= 0.5);

/** Whether nothing tells a silent drone from a bird: no identity was received, and no sensor classified the object. */
const isUntold = ({ identities, classification, asset_id }: Track): boolean =>
  identities.length === 0 && classification.length === 0 && asset_id === null;

/**
 * Reasons why a track has an alert but no level, such as a crewed aircraft in a zone. Without the reasons it looks like
 * a fault.
 */
function WhyBoth({ track, threat }: { track: Track; threat: Threat | undefined }) {
  const both = unscoredAlert(track, threat, store.alerts.list());
  if (both === null) return null;
  return <p class="both">{words.unscoredAlert(both, store.zones.get(both.zoneId)?.name ?? null)}</p>;
}

function Movement({ track }: { track: Track }) {
  const { position, velocity, uncertainty } = track;
  const units = settings.value;
  if (!position) return <p class="empty">{words.receivedNoPlace}</p>;
  return (
    <section>
      <Facts>
        <Fact name={words.position}>
          <button type="button" class="link" onClick={() => centre(position)}>
            {placeText(position, units)}
          </button>
        </Fact>
        <Fact name={words.heightAgl} hint={words.heightHints.agl}>
          {heightFact(position.alt_agl_m, units)}
        </Fact>
        <Fact name={words.heightMsl} hint={words.heightHints.msl}>
          {heightFact(position.alt_msl_m, units)}
        </Fact>
        <Fact name={words.heightTakeoff} hint={words.heightHints.takeoff}>
          {heightFact(position.height_takeoff_m, units)}
        </Fact>
        <Fact name={words.speed}>{speedFact(velocity?.speed_mps, units)}</Fact>
        <Fact name={words.course}>
          {typeof velocity?.course_deg === 'number' ? bearingText(velocity.course_deg) : words.unknown}
        </Fact>
        <Fact name={words.climb}>
          {typeof velocity?.climb_mps === 'number' ? climbText(velocity.climb_mps) : words.unknown}
        </Fact>
        <Fact name={words.uncertainty} hint={words.uncertaintyHint}>
          {uncertainty ? `± ${Math.round(uncertainty.h_m)} m` : words.unknown}
        </Fact>
        <Fact name={words.quality} hint={words.qualityHint}>
          {track.quality} of 15
        </Fact>
      </Facts>
    </section>
  );
}

function WhyThisScore({ threat }: { threat: Threat }) {
  return (
    <section>
      <h3>{words.whyScore}</h3>
      <table class="factors">
        <tbody>
          {factorLines(threat.factors).map(({ contribution, factors }) => (
            <tr key={factors[0]?.id}>
              <td class="points">{words.points(contribution)}</td>
              <td>{factors.length > 1 ? <Parts factors={factors} /> : factors[0]?.text}</td>
            </tr>
          ))}
          <tr>
            <td class="points">{Math.round(threat.score)}</td>
            <td title={words.scoreHint(threat.policy_version)}>{words.scoreSum(threat)}</td>
          </tr>
        </tbody>
      </table>
    </section>
  );
}

/**
 * Several factors about one zone: the first as a sentence, the parts with points by their names, and the sentences of the
 * others on demand.
 */
function Parts({ factors }: { factors: readonly ThreatFactor[] }) {
  const [first] = factors;
  return (
    <details>
      <summary>
        {first?.text}{' '}
        <span class="quiet">
          {areaParts(factors)
            .map(({ id, contribution }) => words.part(terms.factor(id), contribution))
            .join('\u00a0· ')}
        </span>
      </summary>
      <ul>
        {factors.slice(1).map(({ id, text, contribution }) => (
          <li key={id}>
            {words.points(contribution)} {text}
          </li>
        ))}
      </ul>
    </details>
  );
}

function Integrity({ track: { integrity } }: { track: Track }) {
  return (
    <section>
      <h3 title={words.integrityHint}>
        {words.integrity}: <span class={integrity.verdict}>{terms.verdict(integrity.verdict)}</span>
      </h3>
      <ul>
        {integrity.reasons.map(({ id, text }) => (
          <li key={id}>{text}</li>
        ))}
      </ul>
    </section>
  );
}

function People({ track: { operator, takeoff, classification } }: { track: Track }) {
  const units = settings.value;
  // Some transmitters send the take-off point as the operator's position; it is then shown once.
  const shown = operator?.type === 'takeoff' && takeoff ? null : operator;
  return (
    <section>
      <Facts>
        {(shown === null || shown.type === 'takeoff') && session.value.role !== 'viewer' ? (
          <Fact name={words.pilot}>{isCrewed({ classification }) ? words.pilotOnBoard : words.unknownPilot}</Fact>
        ) : null}
        {shown ? (
          <Fact name={shown.type === 'takeoff' ? words.takeoff : words.pilot}>
            {shown.lat === null || shown.lon === null ? (
              words.noPlace
            ) : (
              <button
                type="button"
                class="link"
                onClick={() => centre({ lat: shown.lat as number, lon: shown.lon as number })}
              >
                {placeText({ lat: shown.lat, lon: shown.lon }, units)}
              </button>
            )}
            <Bearing place={shown} />
            {shown.operator_id === null ? null : (
              <span class="line">
                {words.operatorId} <bdi>{shown.operator_id}</bdi>
              </span>
            )}
          </Fact>
        ) : null}
        {takeoff ? (
          <Fact name={words.takeoff}>
            <button type="button" class="link" onClick={() => centre(takeoff)}>
              {placeText(takeoff, units)}
            </button>
            <Bearing place={takeoff} />
          </Fact>
        ) : null}
      </Facts>
    </section>
  );
}

/** Distance and direction of a pilot or a take-off point from the nearest protected zone, else from the centre of the site. */
function Bearing({ place: { lat, lon } }: { place: { lat: number | null; lon: number | null } }) {
  if (lat === null || lon === null) return null;
  const [place, site] = [{ lat, lon }, siteCentre.value];
  const fromSite = site === null ? null : { name: words.theSite, ...distanceAndCourse(site, place) };
  const seen = fromProtected(place, store.zones.list()) ?? fromSite;
  if (seen === null) return null;
  return <span class="line">{words.bearingFrom(seen.name, seen.distanceM, seen.courseDeg)}</span>;
}

function Claims({ track: { identities, claims } }: { track: Track }) {
  if (identities.length === 0 && claims.length === 0) return <p class="empty">{words.noClaims}</p>;
  return (
    <section>
      <h3>{words.claims}</h3>
      <Facts>
        {identities.map(({ type, value, transport, first_seen_at, last_seen_at }) => (
          <Fact key={`${type} ${value} ${transport}`} name={terms.identity(type, transport)}>
            <bdi>{value}</bdi>{' '}
            <span class="quiet">
              {clockText(first_seen_at)} – {clockText(last_seen_at)}
            </span>
          </Fact>
        ))}
      </Facts>
      {claims.map(({ source, says, at }) => (
        <p key={`${source} ${says} ${at}`}>
          {words.says(says, source)} <span class="quiet">{clockText(at)}</span>
        </p>
      ))}
    </section>
  );
}

function Receivers({ track: { contributors, lineage } }: { track: Track }) {
  const nameOf = (id: string): Sensor | undefined => store.sensors.get(id);
  return (
    <section>
      <h3>{words.whoSawIt}</h3>
      <table>
        <tbody>
          {contributors.map(({ sensor_id, last_at, hits, rssi_dbm }) => (
            <tr key={sensor_id}>
              <td>
                <bdi>{nameOf(sensor_id)?.name ?? words.unknownSensor}</bdi>
              </td>
              <td>{terms.modality(nameOf(sensor_id)?.modality)}</td>
              <td>{words.hits(hits)}</td>
              <td>{words.seen(clock.ageS(last_at))}</td>
              <td title={words.rssiHint}>{rssi_dbm === null ? '' : `${Math.round(rssi_dbm)} dBm`}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {lineage.map(({ sensor_id, object_id, identity, derived_from, at }) => (
        <p key={`${sensor_id} ${object_id}`}>
          <bdi>{words.madeOf(nameOf(sensor_id)?.name ?? words.unknownSensor, object_id, derived_from.length)}</bdi>{' '}
          {identity === null ? null : <bdi>{identity}</bdi>} <span class="quiet">{clockText(at)}</span>
        </p>
      ))}
    </section>
  );
}
