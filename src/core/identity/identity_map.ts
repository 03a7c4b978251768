import { defaultPolicy } from '../../model/decision_defaults.ts';
import { OBSERVED } from '../../model/rows/layouts.ts';
import type { DuplicateFinding } from '../integrity/claim_watch.ts';
import { isExternalName, isSerial, type ReadDossier } from '../integrity/dossier.ts';
import { isOnEarth } from '../tracking/plausible.ts';
import { ClaimNames } from './claim_names.ts';
import { canFly, emptyFix, type Fix, fits, keep, readFix, samePlace } from './claim_place.ts';
import { ClaimRadios } from './claim_radios.ts';
import { haveRadiosParted, rivalOf } from './claim_rivals.ts';
import type { Place } from './claim_story.ts';
import {
  type Claimant,
  type ClaimDeps,
  hasOlderTrack,
  hasOtherSerial,
  hasOwnIdentity,
  hasSerial,
  reportDifferentSerials,
  restoredFinding,
} from './claimant.ts';
import { Claimants } from './claimants.ts';
import { mayHaveDuplicate, separateDuplicates, speakingDuplicates, tellerOf } from './duplicate_claims.ts';
import { SoleClaims } from './sole_claims.ts';

const MAX_LAST_SD_M = 100;
/** After a link proved a claim's sender, other links do not move the claim for this time, s; as in native/tracker. */
const PROVEN_S = 10;
/**
 * Number of contradicting transmissions from which two aircraft are assumed to share the identity. In such a
 * transmission one received copy reports an alarm and another copy does not. An honest change of status causes one.
 */
const DENIALS = 3;

/**
 * Assigns reports to claims by identity and position. Several receivers may report one aircraft under several names,
 * and any transmitter may send any name. Claims with a common name are merged only if their positions and serials allow
 * one aircraft. If the common name is a serial and one aircraft is impossible, both claims are marked as duplicates.
 */
export class IdentityMap {
  readonly #deps: ClaimDeps;
  readonly #byName = new ClaimNames();
  readonly #byTransmitter = new ClaimRadios(this.#byName);
  readonly #claimants: Claimants;
  /** Reported position of the current observation. One object is reused: thousands arrive per second. */
  readonly #said: Fix = emptyFix();
  readonly #soleClaims: SoleClaims;
  /** Reception time of the current observation, s; `#proven` is true if its link proves the sender. */
  #receivedS = 0;
  #proven = false;
  /** Whether the last resolved position is held back: it needs confirmation, or too many claims have its serial. */
  isHeldBack = false;
  /** Claim whose earlier positions were compared with the current report. */
  #followed: Claimant | null = null;
  /** Claims that were marked as duplicates since the last sweep. */
  readonly marked = new Set<Claimant>();
  /** Policy that sets, among others, for how long a claim stays marked as a duplicate. */
  identity = defaultPolicy.identity;

  constructor(capacity: number, deps: ClaimDeps) {
    this.#claimants = new Claimants(capacity);
    this.#soleClaims = new SoleClaims(this.#byName, this.#claimants);
    this.#deps = deps;
  }

  of(index: number): Claimant | undefined {
    return this.#claimants.get(index);
  }

  /** Returns the claim of an observation, and creates one if none matches. */
  resolve(dossier: ReadDossier, row: Float64Array, at: number): Claimant {
    const fix = readFix(row, at, this.#said) ? this.#said : null;
    const receivedS = row[at + OBSERVED.receivedS] ?? 0;
    this.#receivedS = receivedS;
    this.#proven = row[at + OBSERVED.authentic] === 1;
    this.isHeldBack = false;
    const claimant = this.#settledByPlace(dossier, fix) ?? this.#soleHolder(dossier, fix) ?? this.#holder(dossier, fix);
    if (this.#proven) claimant.provenS = receivedS;
    if (fix && !this.isHeldBack && !this.#isSpokenFor(claimant)) this.#place(claimant, dossier, fix);
    this.#claimants.receive(claimant, receivedS);
    if (claimant.spoke !== dossier && dossier.serial !== null) this.#receiveSerial(claimant, dossier);
    return claimant;
  }

  /** Treats a refused report as evidence against the claim that it belongs to. */
  refuse(dossier: ReadDossier | undefined, row: Float64Array, at: number): void {
    if (!dossier || !isOnEarth(row, at) || !readFix(row, at, this.#said)) return;
    this.#receivedS = row[at + OBSERVED.receivedS] ?? 0;
    this.#proven = false;
    const claimant = this.#known(dossier, this.#said);
    if (claimant) this.#hold(claimant, claimant.story.refuse(this.#said, this.#receivedS));
  }

  /** Records that one copy of a transmission reports an alarm (emergency or failure), and another does not. */
  contradict(claimant: Claimant): void {
    if (claimant.denials.add(this.#receivedS) >= DENIALS) this.#mark(claimant);
  }

  /**
   * Assigns a report by its position; null if the names alone decide. The position decides if it contradicts the claim
   * of the names, or if that claim has duplicates or belongs to a proven vehicle. A contradicting position is held
   * back. If it shows a second transmitter, the report gets a claim of its own instead, up to `MAX_BEARERS` claims.
   */
  #settledByPlace(dossier: ReadDossier, fix: Fix | null): Claimant | null {
    this.#followed = null;
    if (!fix || this.#proven || dossier.crewed || dossier.isExternal) return null;
    const holder = this.#known(dossier, fix);
    if (!holder) return null;
    const known = tellerOf(holder, fix);
    const { transmitter } = dossier;
    this.#followed = known;
    const isOwn = !this.#isSpokenFor(known);
    const { waits, isAgainst, isStory } = known.story.receive(fix, transmitter, this.#receivedS, isOwn);
    if (isAgainst === 'zigzags') known.watch.markZigzag(this.#receivedS);
    if (!waits && known.duplicates.size > 1) return this.#ofDuplicates(known);
    if (!waits) return isOwn ? null : known;
    this.#hold(known, isAgainst);
    const isOther = transmitter === null ? !fits(known.last, fix) : transmitter !== known.story.radio;
    const isRoom = this.#byName.crowdOf(dossier.serial) === null;
    if (isRoom && isAgainst === 'two' && isOther) return this.#beginRival(known, dossier);
    if (isRoom && isOwn && isStory && mayHaveDuplicate(known, dossier)) return this.#beginDuplicate(known, dossier);
    this.isHeldBack = true;
    return known;
  }

  /**
   * Returns the claim that a dossier belongs to; null if there is none. A proven vehicle with one of the names comes
   * first, if it can be at the position. Then comes the claim with the dossier's radio, then the first claim with one
   * of the names that fits the position.
   */
  #known(dossier: ReadDossier, fix: Fix): Claimant | null {
    const sole = this.#soleClaims.get(dossier);
    if (sole) return sole;
    const radio = this.#byTransmitter.get(dossier.transmitter);
    let named: Claimant | null = null;
    for (const name of dossier.names) {
      const isSettled = !radio || radio.names.has(name);
      for (const other of this.#byName.get(name) ?? []) {
        if (other === radio || hasOtherSerial(other, dossier)) continue;
        if (isSettled && this.#isSpokenFor(other) && other.last && canFly(other.last, fix)) return other;
        if (fits(other.last, fix)) named ??= other;
      }
    }
    return radio ?? named;
  }

  #hold(claimant: Claimant, isAgainst: Place['isAgainst']): void {
    if (isAgainst === 'two') this.#mark(claimant);
    else if (isAgainst === 'jumps') claimant.watch.markJump(this.#receivedS);
  }

  #beginRival(known: Claimant, dossier: ReadDossier): Claimant {
    const { transmitter } = dossier;
    if (transmitter !== null && known.transmitters.has(transmitter)) this.#byTransmitter.lose(known, transmitter);
    const rival = this.#begin(dossier, this.#said);
    this.#mark(rival);
    for (const name of dossier.names) this.#byName.add(rival, name);
    if (transmitter !== null) this.#addTransmitter(rival, transmitter);
    return rival;
  }

  /**
   * Creates a claim for a second aircraft with the same radio address. The address stays with the first claim;
   * positions decide which claim a report belongs to.
   */
  #beginDuplicate(known: Claimant, dossier: ReadDossier): Claimant {
    known.story.part(this.#said, this.#receivedS);
    const duplicate = this.#begin(dossier, this.#said);
    for (const name of dossier.names) this.#byName.add(duplicate, name);
    duplicate.duplicates = known.duplicates.add(duplicate);
    return this.#ofDuplicates(duplicate);
  }

  /** Marks all duplicates that transmit at present, if there are at least two. Returns `claimant`. */
  #ofDuplicates(claimant: Claimant): Claimant {
    for (const duplicate of speakingDuplicates(claimant, this.#receivedS)) this.#mark(duplicate);
    return claimant;
  }

  /** Takes over the dossier's serial. Each change marks the claim; a report of another sender only keeps a mark. */
  #receiveSerial(claimant: Claimant, dossier: ReadDossier): void {
    const { spoke, watch } = claimant;
    const isOwn = !this.isHeldBack && !this.#isSpokenFor(claimant);
    if (spoke && spoke.serial !== dossier.serial && (isOwn || this.#isMarked(claimant)))
      this.#mark(claimant, isOwn ? 'serial_changes' : 'other_aircraft');
    if (!isOwn) return;
    watch.nameFault(dossier.serialFault);
    claimant.spoke = dossier;
  }

  #isMarked({ watch }: Claimant): boolean {
    return watch.isDuplicate(this.#receivedS, this.identity);
  }

  #place(claimant: Claimant, dossier: ReadDossier, fix: Fix): void {
    if (this.#followed !== claimant && !dossier.crewed && !dossier.isExternal)
      claimant.story.take(fix, dossier.transmitter, this.#receivedS);
    if (haveRadiosParted(claimant, dossier.transmitter, fix)) this.#mark(claimant);
    // A position with a large error does not limit where the next one may be, so it is kept only if there is no other.
    if (fix.sdM > MAX_LAST_SD_M && claimant.last) return;
    claimant.last = keep(fix, claimant.last);
    claimant.lastTransmitter = dossier.transmitter;
  }

  /** Whether a link proved the claim's sender in the last `PROVEN_S`. Other links then do not move the claim. */
  isProven({ provenS }: Claimant, nowS: number): boolean {
    return nowS - provenS < PROVEN_S;
  }

  /** Whether a link proves the vehicle of the claim, but the current observation came over another link. */
  #isSpokenFor(claimant: Claimant): boolean {
    return !this.#proven && this.isProven(claimant, this.#receivedS);
  }

  /**
   * Whether a report may belong to a claim that was found by name. Over a link that proves the sender, every position
   * fits a claim that was ever proven.
   */
  #fits(claimant: Claimant, fix: Fix | null): boolean {
    return (this.#proven && claimant.provenS > Number.NEGATIVE_INFINITY) || fits(claimant.last, fix);
  }

  /** Restores the claim of a track from an earlier run, and returns its index. */
  restore(dossier: ReadDossier, track: number, receivedS: number, duplicate = false): number {
    const claimant = this.#make(receivedS);
    if (duplicate) claimant.watch.markDuplicate(receivedS, restoredFinding(dossier));
    claimant.track = track;
    for (const address of dossier.addresses) this.#addTransmitter(claimant, address);
    for (const name of dossier.names) this.#byName.add(claimant, name);
    return claimant.index;
  }

  /** Ends the claim of an ended track, which frees its identities, unless a newer track of the claim has begun. */
  release(index: number, track: number): void {
    const claimant = this.of(index);
    if (claimant?.track === track) this.#end(claimant);
  }

  /** Ends the silent claims whose track does not exist, for example because their reports had no position. */
  forgetSilent(nowS: number, hasTrack: (number: number) => boolean): void {
    for (const claimant of this.#claimants.silent(nowS)) if (!hasTrack(claimant.track)) this.#end(claimant);
  }

  /** Merges two claims on a person's order. Returns false if one has ended, or both have serials but none in common. */
  unite(from: number, into: number): boolean {
    const [gone, kept] = [this.of(from), this.of(into)];
    if (!gone || !kept || reportDifferentSerials(gone, kept)) return false;
    this.#take(gone, kept);
    return true;
  }

  /** Returns the cached claim of a dossier if its aircraft can be at the reported position; else null. */
  #soleHolder(dossier: ReadDossier, fix: Fix | null): Claimant | null {
    const sole = this.#soleClaims.get(dossier);
    return sole && this.#fits(sole, fix) ? sole : null;
  }

  #holder(dossier: ReadDossier, fix: Fix | null): Claimant {
    if (dossier.isExternal) this.#byName.linkRestored(dossier.names, (claimant) => this.#fits(claimant, fix));
    const found = this.#find(dossier, fix);
    if (found && this.#isSpokenFor(found)) return found;
    const crowd = found || this.#proven ? null : this.#byName.crowdOf(dossier.serial);
    if (crowd) {
      this.#mark(crowd);
      this.isHeldBack = true;
      return crowd;
    }
    const claimant = this.#settle(found ?? this.#begin(dossier, fix), dossier, fix);
    const alone = dossier.names.every((name) => this.#byName.get(name)?.size === 1);
    if (!alone && dossier.serial !== null) this.#markRivals(claimant, this.#byName.get(dossier.serial));
    if (alone) this.#soleClaims.add(dossier, claimant);
    return claimant;
  }

  #find(dossier: ReadDossier, fix: Fix | null): Claimant | null {
    const known = this.#byTransmitter.get(dossier.transmitter);
    if (known && !this.#isOtherRadio(known, dossier, fix)) return known;
    // A report that uses a proven vehicle's address and no name is assigned to the vehicle. A forger gains nothing:
    // unproven reports do not move a proven vehicle.
    if (known && this.#isSpokenFor(known) && dossier.names.length === 0) return known;
    if (known && !this.#isSpokenFor(known)) this.#byTransmitter.lose(known, dossier.transmitter ?? '');
    for (const name of dossier.names) {
      for (const other of this.#byName.get(name) ?? []) {
        // Another system may reuse a track number: it is ignored if dossier and claim both have own identities.
        if (isExternalName(name) && dossier.hasOwn && hasOwnIdentity(other)) continue;
        if (this.#fits(other, fix) && !hasOtherSerial(other, dossier)) return other;
      }
    }
    return null;
  }

  /** Whether another radio than the last one reports a position that the aircraft cannot reach. */
  #isOtherRadio(claimant: Claimant, { transmitter }: ReadDossier, fix: Fix | null): boolean {
    return claimant.transmitters.size > 1 && claimant.lastTransmitter !== transmitter && !this.#fits(claimant, fix);
  }

  #begin(dossier: ReadDossier, fix: Fix | null): Claimant {
    const claimant = this.#make(fix?.timeS ?? 0);
    for (const name of dossier.names.filter(isSerial)) {
      for (const rival of this.#byName.get(name) ?? []) {
        this.#mark(rival);
        this.#mark(claimant);
      }
    }
    return claimant;
  }

  /** Adds the dossier's new identities to a claim. Compares the claim with other claims that have one of them. */
  #settle(found: Claimant, dossier: ReadDossier, fix: Fix | null): Claimant {
    let claimant = found;
    for (const name of dossier.names) {
      if (claimant.names.has(name)) continue;
      for (const other of [...(this.#byName.get(name) ?? [])]) {
        if (other === claimant) continue;
        claimant = this.#compare(claimant, other, name, fix);
      }
      if (isSerial(name) && hasSerial(claimant) && !claimant.names.has(name)) this.#mark(claimant, 'serial_changes');
      this.#byName.add(claimant, name);
    }
    if (dossier.transmitter !== null) this.#addTransmitter(claimant, dossier.transmitter);
    // A proven vehicle reports its addresses on other links. Claims with these addresses may be the vehicle's.
    for (const address of this.#proven ? dossier.addresses : []) {
      const other = this.#byTransmitter.get(address);
      if (other && other !== claimant) claimant = this.#compare(claimant, other, address, fix);
    }
    return claimant;
  }

  /**
   * Compares two claims that share a name or an address of one observation. Merges them only if their positions and
   * serials allow one aircraft. Returns the claim that the observation belongs to.
   */
  #compare(claimant: Claimant, other: Claimant, name: string, fix: Fix | null): Claimant {
    if (isExternalName(name) && hasOwnIdentity(claimant) && hasOwnIdentity(other)) return claimant;
    const ownSerial = [...claimant.names].some((own) => isSerial(own) && !other.names.has(own));
    if (ownSerial && hasSerial(other)) {
      if (isSerial(name)) for (const both of [claimant, other]) this.#mark(both);
      return claimant;
    }
    // A receiver's report of a proven vehicle is assigned to the vehicle only if serial and position agree.
    const [isOwn, isOther] = [this.#isSpokenFor(claimant), this.#isSpokenFor(other)];
    if (isOwn || isOther) {
      const isSame = isOwn !== isOther && isSerial(name) && samePlace(claimant.last ?? fix, other.last, fix);
      if (!isSame) return claimant;
    } else if (!samePlace(claimant.last ?? fix, other.last, fix)) {
      if (isSerial(name) && !fits(other.last, claimant.last ?? fix))
        for (const both of [claimant, other]) this.#mark(both);
      return claimant;
    }
    this.#deps.settle();
    if (!this.#claimants.has(other)) return this.#claimants.has(claimant) ? claimant : this.#make(claimant.receivedS);
    if (!this.#claimants.has(claimant)) return other;
    const [gone, kept] = isOwn || hasOlderTrack(claimant, other) ? [other, claimant] : [claimant, other];
    this.#take(gone, kept);
    return kept;
  }

  /** Merges `claimant` into `other`, and ends `claimant`. */
  #take(claimant: Claimant, other: Claimant): void {
    this.#deps.join(claimant.index, other.index);
    if (other.track === 0) other.track = claimant.track;
    for (const own of claimant.names) this.#byName.add(other, own);
    const transmitters = [...claimant.transmitters];
    this.#end(claimant, false);
    for (const own of transmitters) this.#addTransmitter(other, own);
  }

  /** Marks two claims with one serial as duplicates if both transmit from positions too far apart for one aircraft. */
  #markRivals(claimant: Claimant, holders: Iterable<Claimant> | undefined): void {
    const rival = rivalOf(claimant, holders ?? [], this.#receivedS, (one) => this.#isMarked(one));
    if (rival) for (const both of [claimant, rival]) this.#mark(both);
  }

  #mark(claimant: Claimant, finding: DuplicateFinding = 'other_aircraft'): void {
    if (!this.#isMarked(claimant)) this.marked.add(claimant);
    claimant.watch.markDuplicate(this.#receivedS, finding);
  }

  #make(receivedS: number): Claimant {
    const { surplus } = this.#claimants;
    if (surplus) this.#end(surplus);
    return this.#claimants.begin(receivedS);
  }

  #end(claimant: Claimant, forget = true): void {
    if (!this.#claimants.has(claimant)) return;
    separateDuplicates(claimant);
    for (const transmitter of [...claimant.transmitters]) this.#byTransmitter.lose(claimant, transmitter);
    for (const name of claimant.names) this.#byName.lose(claimant, name);
    this.#claimants.remove(claimant);
    this.marked.delete(claimant);
    if (forget) this.#deps.forget(claimant.index);
  }

  #addTransmitter(claimant: Claimant, transmitter: string): void {
    if (claimant.transmitters.has(transmitter)) return;
    const holder = this.#byTransmitter.get(transmitter);
    if (holder && this.#isSpokenFor(holder)) return;
    this.#byTransmitter.add(claimant, transmitter);
  }
}
