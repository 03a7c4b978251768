import type { Geodetic } from '../../geo/position.ts';
import type { TrackWord } from '../../model/assessment.ts';
import { type ThreatLevel, threatLevels } from '../../model/posture.ts';
import { TRACK } from '../../model/rows/layouts.ts';
import type { TrackState } from '../../model/track.ts';
import { stateCodes } from '../../model/track_row.ts';
import { LOITER_WITHIN_M, TrackFacts } from '../rules/facts.ts';
import { isSureFriend } from '../rules/standing.ts';
import type { Flyer } from '../site/flyer.ts';
import type { Course } from '../threat/levels.ts';
import type { HeightReference } from '../threat/situation.ts';
import type { Span } from '../tracking/span.ts';
import type { TrackRecord } from '../tracks/track_record.ts';
import { describeFacts } from './facts_of.ts';

const METRES_PER_DEGREE = 111_195;
const RADIANS = Math.PI / 180;

/**
 * Measures how long an aircraft has hovered or circled within `LOITER_WITHIN_M` of a reference position. When it leaves
 * this circle, its new position becomes the reference.
 */
class Loiter {
  #latDeg = Number.NaN;
  #lonDeg = Number.NaN;
  #cosLat = 1;
  #sinceMs = 0;
  #lastMs = 0;

  /** Excludes the time between the last report and `untilMs` from the duration. */
  leaveOut(untilMs: number): void {
    const leftOutMs = Math.max(0, untilMs - this.#lastMs);
    this.#sinceMs += leftOutMs;
    this.#lastMs += leftOutMs;
  }

  /**
   * Takes a reported position and returns how long the aircraft has stayed near the reference, s. Excludes the time
   * since the last report unless `counts`.
   */
  move(latDeg: number, lonDeg: number, atMs: number, counts = true): number {
    if (Number.isNaN(latDeg)) return 0;
    if (!counts) this.leaveOut(atMs);
    this.#lastMs = atMs;
    // The negated comparison also treats an unknown reference (NaN) as too far away.
    if (!(this.#apart2(latDeg, lonDeg) <= LOITER_WITHIN_M * LOITER_WITHIN_M)) {
      this.#latDeg = latDeg;
      this.#lonDeg = lonDeg;
      this.#cosLat = Math.cos(latDeg * RADIANS);
      this.#sinceMs = atMs;
    }
    return Math.max(0, atMs - this.#sinceMs) / 1000;
  }

  /**
   * Squared distance from the reference, m². A flat approximation suffices over some hundred metres, and is fast enough
   * for every report.
   */
  #apart2(latDeg: number, lonDeg: number): number {
    const turnDeg = Math.abs(lonDeg - this.#lonDeg);
    const east = Math.min(turnDeg, 360 - turnDeg) * this.#cosLat;
    const north = latDeg - this.#latDeg;
    return (east * east + north * north) * METRES_PER_DEGREE * METRES_PER_DEGREE;
  }
}

/**
 * Greatest distance from the position of the first report `landed` at which a vehicle still counts as on the ground:
 * along the ground, degrees, and in height, m.
 */
const STANDS_WITHIN_DEG = 0.000_5;
const STANDS_WITHIN_ALT_M = 20;

type AreaRelation = Geodetic & { record: Pick<TrackRecord, 'landed'> };

/**
 * Detects whether a track is on the ground: its autopilot reports so, and the track is still near the position of the
 * first such report.
 */
class Ground {
  #place: Geodetic | null = null;

  /** Takes each report; returns whether the track is on the ground. */
  holds({ record, latDeg, lonDeg, altHaeM }: AreaRelation): boolean {
    if (!record.landed || Number.isNaN(latDeg)) {
      this.#place = null;
      return false;
    }
    this.#place ??= { latDeg, lonDeg, altHaeM };
    const { cos, abs, hypot, PI } = Math;
    const east = (lonDeg - this.#place.lonDeg) * cos((latDeg * PI) / 180);
    const up = abs(altHaeM - this.#place.altHaeM);
    return hypot(east, latDeg - this.#place.latDeg) <= STANDS_WITHIN_DEG && !(up > STANDS_WITHIN_ALT_M);
  }
}

/**
 * Time constant with which the probability of existence falls in the score, ms. If a radar does not see the position
 * that an aircraft reports, the tracker's probability falls to about 0 between two reports. The score must not.
 */
const EXISTENCE_FADES_MS = 5_000;

/**
 * Longest time for which rules hold a new track back, ms, until the first decision about its affiliation. The decision
 * comes from another thread.
 */
const ANSWER_WITHIN_MS = 1_000;

/** One track under assessment: its position, its reported values, and the course of its score. */
export class Watched {
  readonly record: TrackRecord;
  state: TrackState = 'tentative';
  latDeg = Number.NaN;
  lonDeg = Number.NaN;
  altHaeM = Number.NaN;
  eastMps = Number.NaN;
  northMps = Number.NaN;
  upMps = Number.NaN;
  sigmaM = Number.NaN;
  /** Probability of existence for the score, 0 to 1. It rises at once, and falls with time constant `EXISTENCE_FADES_MS`. */
  existence = 1;
  #existenceAtMs = Number.NaN;
  loiterS = 0;
  /**
   * Total length of the ended spans in which telemetry or an assignment showed the track as a friend, ms. Rules
   * subtract it from the age of the track.
   */
  sureFriendMs = 0;
  word: TrackWord;
  /** Ellipsoidal height of the ground under the track, m, taken from an area that contains the track or is nearest. */
  groundAltHaeM = Number.NaN;
  /**
   * Confidence, 0 to 1, that the aircraft is crewed, and that the object is a bird; and whether it reports an
   * emergency.
   */
  crewed = 0;
  bird = 0;
  emergency = false;
  /** Whether the grace period of the track is over. A compliant aircraft would have reported a name by then. */
  hasHadTime = false;
  /** Facts about the track that rules read. */
  readonly facts: TrackFacts;
  readonly flyer: Flyer;
  course: Course | null = null;
  /** Number of policy changes, as counted by the scorer, at the last update of `course`. */
  judgedBy = 0;
  /** Lowest level that rules allow for the track. */
  floor: ThreatLevel = 'none';
  group: { key: number; size: number } | null = null;
  groupId: string | null = null;
  /** Whether the track changed since its last assessment. */
  isDirty = false;
  lookedMs = Number.NEGATIVE_INFINITY;
  /** Values of the threat as last published; null if it is not listed. */
  published: {
    atMs: number;
    score: number;
    state: TrackState;
    /** Distance along the ground to the area that decides the score, m. */
    distanceM: number;
    level: ThreatLevel;
    trend: string;
    relationId: string;
    groupKey: number;
    policyVersion: number;
  } | null = null;
  readonly #loiter = new Loiter();
  readonly #ground = new Ground();
  #sureSinceMs: number | null = null;
  #isAnswered = false;
  #isOpenToRules = false;
  /** Time until which rules hold the track back, ms; null before the first evaluation. */
  #heldUntilMs: number | null = null;

  constructor(record: TrackRecord) {
    this.record = record;
    this.word = nobodysWord(record.number);
    this.facts = new TrackFacts(record);
    this.flyer = flyerOf(record);
    describeFacts(this);
  }

  /**
   * Receives a new decision about the track. If the track is now no longer a friend by telemetry or assignment, returns
   * the span in which it was one; else null.
   */
  receive(word: TrackWord, nowMs: number): Span | null {
    // The decision is copied into an object with a fixed shape, because every assessment reads it.
    const { number, affiliation, affiliationBasis, asset, clonedOf, visits, dismissed, setAffiliation } = word;
    this.word = { number, affiliation, affiliationBasis, asset, clonedOf, visits, dismissed, setAffiliation };
    this.#isAnswered = true;
    if (isSureFriend(this.word)) {
      // Decisions may arrive before the first step, when the world time is not known yet.
      this.#sureSinceMs ??= Math.max(nowMs, this.record.firstSeenMs);
      return null;
    }
    const fromMs = this.#sureSinceMs;
    this.#sureSinceMs = null;
    if (fromMs === null) return null;
    this.sureFriendMs += nowMs - fromMs;
    // The time since the last report belongs to the span as well, so it does not count as loitering.
    this.#loiter.leaveOut(nowMs);
    return { fromMs, toMs: nowMs };
  }

  /**
   * Returns the time until which rules hold the track back, ms; null if they evaluate it. A track with identities may be
   * an own vehicle until the first decision about its affiliation. Once evaluated, a track is never held back again. A
   * restored track, which is `lost`, is held back from its next report on.
   */
  heldBackUntilMs(nowMs: number): number | null {
    if (this.#isOpenToRules || this.state === 'lost') return null;
    this.#heldUntilMs ??= nowMs + ANSWER_WITHIN_MS;
    if (!this.#isAnswered && this.record.identities.size > 0 && nowMs < this.#heldUntilMs) return this.#heldUntilMs;
    this.#isOpenToRules = true;
    return null;
  }

  /** True if the next decision about the affiliation opens a held back track to the rules. */
  get isHeldBack(): boolean {
    return this.#heldUntilMs !== null && !this.#isOpenToRules;
  }

  /** Level of the score; if a rule sets a higher floor, that floor. */
  get level(): ThreatLevel {
    return this.atLeast(this.course?.level ?? 'none');
  }

  /** Returns the higher of `level` and the floor that a rule sets. */
  atLeast(level: ThreatLevel): ThreatLevel {
    // Fast path for tracks without a floor, because this runs for every track.
    if (this.floor === 'none') return level;
    return threatLevels.indexOf(this.floor) > threatLevels.indexOf(level) ? this.floor : level;
  }

  get number(): number {
    return this.record.number;
  }

  /** Reported height above ground, or above the take-off position if that is missing, m; NaN if neither is reported. */
  get reportedHeightM(): number {
    const { altAglM, heightTakeoffM } = this.record;
    return Number.isNaN(altAglM) ? heightTakeoffM : altAglM;
  }

  /**
   * Reported height above ground or take-off position, m. If neither is reported, the height above `groundAltHaeM`; NaN
   * if that is unknown.
   */
  get heightM(): number {
    const reportedM = this.reportedHeightM;
    return Number.isNaN(reportedM) ? this.altHaeM - this.groundAltHaeM : reportedM;
  }

  get heightAbove(): HeightReference {
    const { altAglM, heightTakeoffM } = this.record;
    return Number.isNaN(altAglM) && !Number.isNaN(heightTakeoffM) ? 'takeoff' : 'ground';
  }

  /** Values of the track for zone monitoring. Reuses one object. */
  flying(): Flyer {
    const { flyer, record } = this;
    flyer.state = this.state;
    flyer.affiliation = this.word.affiliation;
    flyer.affiliationBasis = this.word.affiliationBasis;
    flyer.cooperative = this.facts.cooperative;
    flyer.altAglM = record.altAglM;
    flyer.heightTakeoffM = record.heightTakeoffM;
    flyer.climbMps = this.upMps;
    return flyer;
  }

  get speedMps(): number {
    return lengthOf(this.eastMps, this.northMps);
  }

  take(rows: Float64Array, at: number): void {
    this.state = stateCodes[rows[at + TRACK.state] ?? 0] ?? 'tentative';
    this.latDeg = rows[at + TRACK.latDeg] ?? Number.NaN;
    this.lonDeg = rows[at + TRACK.lonDeg] ?? Number.NaN;
    this.altHaeM = rows[at + TRACK.altHaeM] ?? Number.NaN;
    this.eastMps = rows[at + TRACK.eastMps] ?? Number.NaN;
    this.northMps = rows[at + TRACK.northMps] ?? Number.NaN;
    this.upMps = Number.isNaN(this.altHaeM) ? Number.NaN : (rows[at + TRACK.upMps] ?? Number.NaN);
    this.sigmaM = rows[at + TRACK.majorM] ?? Number.NaN;
    this.#takeExistence(rows[at + TRACK.confidence] ?? Number.NaN, rows[at + TRACK.updatedMs] ?? Number.NaN);
    // Predicted positions are left out: they do not show that the aircraft stayed where it was.
    if (this.state !== 'confirmed' && this.state !== 'tentative') return;
    const stands = this.#ground.holds(this);
    const counts = !stands && !isSureFriend(this.word);
    const stayedS = this.#loiter.move(this.latDeg, this.lonDeg, rows[at + TRACK.updatedMs] ?? 0, counts);
    this.loiterS = stands ? 0 : stayedS;
  }

  #takeExistence(confidence: number, atMs: number): void {
    const present = Number.isNaN(confidence) ? 1 : confidence;
    const faded = this.existence * Math.exp(Math.min(0, this.#existenceAtMs - atMs) / EXISTENCE_FADES_MS);
    this.existence = faded > present ? faded : present;
    this.#existenceAtMs = atMs;
  }
}

/** Same as `Math.hypot`, which is many times slower for two numbers. */
function lengthOf(x: number, y: number): number {
  const [a, b] = [Math.abs(x), Math.abs(y)];
  const most = Math.max(a, b);
  if (most === 0) return 0;
  const [u, v] = [a / most, b / most];
  return Math.sqrt(u * u + v * v) * most;
}

/** Whether the score already belongs to another level than the present one, and only a delay holds the level back. */
export function isTurning({ course }: Watched): boolean {
  return course !== null && !(Number.isNaN(course.aboveSinceMs) && Number.isNaN(course.belowSinceMs));
}

function flyerOf({ number, id, altAglM, heightTakeoffM }: TrackRecord): Flyer {
  const unknown = { affiliation: 'unknown', affiliationBasis: 'none', cooperative: 'non_coop_only' } as const;
  return { number, id, state: 'tentative', ...unknown, altAglM, heightTakeoffM, climbMps: Number.NaN };
}

/** Decision values of a track before any decision. */
export function nobodysWord(number: number): TrackWord {
  return {
    number,
    affiliation: 'unknown',
    affiliationBasis: 'none',
    asset: null,
    clonedOf: null,
    visits: 0,
    dismissed: false,
    setAffiliation: null,
  };
}
