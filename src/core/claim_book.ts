import { defaultPolicy } from '../model/decision_defaults.ts';
import { OBSERVED } from '../model/observation_row.ts';
import { ClaimNames } from './claim_names.ts';
import { canFly, type Fix, fits, isApart, keep, readFix, samePlace } from './claim_place.ts';
import type { Place } from './claim_story.ts';
import { type Claimant, type ClaimRim, hasOtherSerial, newClaimant, partTwins, tellerOf } from './claimant.ts';
import { isSerial, type ReadDossier } from './dossier.ts';
import { isOnEarth } from './plausible.ts';

const MAX_LAST_SD_M = 100;
/** Radios that speak by turns are of two aircraft when they lie apart so often in a row. */
const DISPUTES = 5;
/** While a vehicle speaks over a link that proves it, nobody else's word moves what is known of it; as native/tracker has it. */
const PROVEN_S = 10;
/** Who was heard so lately speaks still. */
const RIVAL_S = 3;
/** Two of one radio may speak as seldom as this. */
const TWINS_S = 15;
const MAX_TRANSMITTERS = 16;

/**
 * Who claims to be what. One aircraft may be heard by several radios under several names, and anybody may tell anybody's
 * name: claims of one name are one aircraft only where they are, or could be, in one place; else both are marked.
 */
export class ClaimBook {
  readonly #capacity: number;
  readonly #rim: ClaimRim;
  readonly #byTransmitter = new Map<string, Claimant>();
  readonly #byName = new ClaimNames();
  /** The longest unheard first. */
  readonly #claimants = new Map<number, Claimant>();
  readonly #free: number[] = [];
  /** Where the observation at hand says to be; one for all, since there may be thousands a second. */
  readonly #said: Fix = { x: 0, y: 0, z: 0, timeS: 0, sdM: 0, speedMps: 0 };
  /** Whose a dossier was, by its index: good while no name or radio changed hands, and nobody else bears its names. */
  readonly #sole: { dossier: ReadDossier; claimant: Claimant; hands: number }[] = [];
  /** When the observation at hand was heard, and whether over a link that proves its sender. */
  #heardS = 0;
  #proven = false;
  /** Whether the place that was resolved last is held back: it waits for another report that agrees. */
  isHeldBack = false;
  /** Whose story the place at hand was held against. */
  #followed: Claimant | null = null;
  /** Claims that were marked since they were last asked for. */
  readonly marked = new Set<Claimant>();
  /** How long a mark holds. */
  identity = defaultPolicy.identity;

  constructor(capacity: number, rim: ClaimRim) {
    this.#capacity = capacity;
    this.#rim = rim;
  }

  of(index: number): Claimant | undefined {
    // As a whole number: mostly it lay in a row of numbers that might be any, among which is looked many times longer.
    return this.#claimants.get(index | 0);
  }

  /** The claim that an observation is of. */
  resolve(dossier: ReadDossier, row: Float64Array, at: number): Claimant {
    const fix = readFix(row, at, this.#said) ? this.#said : null;
    const heardS = row[at + OBSERVED.receivedS] ?? 0;
    this.#heardS = heardS;
    this.#proven = row[at + OBSERVED.authentic] === 1;
    this.isHeldBack = false;
    const claimant = this.#settledByPlace(dossier, fix) ?? this.#soleBearer(dossier, fix) ?? this.#bearer(dossier, fix);
    if (this.#proven) claimant.provenS = heardS;
    if (fix && !this.isHeldBack && !this.#isSpokenFor(claimant)) this.#place(claimant, dossier, fix);
    if (heardS - claimant.heardS > 1) {
      this.#claimants.delete(claimant.index);
      this.#claimants.set(claimant.index, claimant);
      claimant.heardS = heardS;
    }
    if (claimant.spoke !== dossier && dossier.serial !== null) this.#hearSerial(claimant, dossier);
    return claimant;
  }

  /** A report that was refused: what it says against the claim under whose names it came. */
  refuse(dossier: ReadDossier | undefined, row: Float64Array, at: number): void {
    if (!dossier || !isOnEarth(row, at) || !readFix(row, at, this.#said)) return;
    this.#heardS = row[at + OBSERVED.receivedS] ?? 0;
    this.#proven = false;
    const claimant = this.#known(dossier, this.#said);
    if (claimant) this.#hold(claimant, claimant.story.refuse(this.#said, this.#heardS));
  }

  /**
   * The claim that the report's place settles: one whose aircraft cannot have flown there, or one that a vehicle proves and
   * that is there. Null where the names settle it. Once two are found to speak, the radio of the other is a claim of its own.
   */
  #settledByPlace(dossier: ReadDossier, fix: Fix | null): Claimant | null {
    this.#followed = null;
    if (!fix || this.#proven || dossier.crewed) return null;
    const bearer = this.#known(dossier, fix);
    if (!bearer) return null;
    const known = tellerOf(bearer, fix);
    const { transmitter } = dossier;
    this.#followed = known;
    const isOwn = !this.#isSpokenFor(known);
    const { waits, isAgainst } = known.story.hear(fix, transmitter, this.#heardS, isOwn);
    if (!waits && known.twin) return this.#ofTwins(known, known.twin);
    if (!waits) return isOwn ? null : known;
    this.#hold(known, isAgainst);
    const isOther = transmitter === null ? !fits(known.last, fix) : transmitter !== known.story.radio;
    if (isAgainst === 'two' && isOther) return this.#beginRival(known, dossier);
    if (isOwn && !known.twin && known.story.isTwofold()) return this.#beginTwin(known, dossier);
    this.isHeldBack = true;
    return known;
  }

  /** Whose names these are, wherever it is said to be. */
  #known(dossier: ReadDossier, fix: Fix): Claimant | null {
    const sole = this.#soleOf(dossier);
    if (sole) return sole;
    const radio = dossier.transmitter === null ? undefined : this.#byTransmitter.get(dossier.transmitter);
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
    else if (isAgainst === 'jumps') claimant.watch.markJump(this.#heardS);
  }

  #beginRival(known: Claimant, dossier: ReadDossier): Claimant {
    const { transmitter } = dossier;
    if (transmitter !== null && known.transmitters.has(transmitter)) this.#loseTransmitter(known, transmitter);
    const rival = this.#begin(dossier, this.#said);
    this.#mark(rival);
    for (const name of dossier.names) this.#byName.add(rival, name);
    if (transmitter !== null) this.#addTransmitter(rival, transmitter);
    return rival;
  }

  /** Two that go on by one radio are two aircraft. The radio stays with the first; the place tells whose a report is. */
  #beginTwin(known: Claimant, dossier: ReadDossier): Claimant {
    known.story.part();
    const twin = this.#begin(dossier, this.#said);
    for (const name of dossier.names) this.#byName.add(twin, name);
    known.twin = twin;
    twin.twin = known;
    return this.#ofTwins(twin, known);
  }

  /** Both are marked for as long as both speak. */
  #ofTwins(claimant: Claimant, twin: Claimant): Claimant {
    if (this.#heardS - twin.heardS <= TWINS_S) for (const both of [claimant, twin]) this.#mark(both);
    return claimant;
  }

  /** Who goes on telling several serials by turns stays marked for it. */
  #hearSerial(claimant: Claimant, dossier: ReadDossier): void {
    const { spoke, watch } = claimant;
    if (spoke && spoke.serial !== dossier.serial && this.#isMarked(claimant)) this.#mark(claimant);
    watch.nameFault(dossier.serialFault);
    claimant.spoke = dossier;
  }

  #isMarked({ watch }: Claimant): boolean {
    return watch.isDuplicate(this.#heardS, this.identity);
  }

  #place(claimant: Claimant, dossier: ReadDossier, fix: Fix): void {
    if (this.#followed !== claimant && !dossier.crewed) claimant.story.take(fix, dossier.transmitter, this.#heardS);
    this.#compareRadios(claimant, dossier, fix);
    // A place that is hardly known tells nothing of where the next may be.
    if (fix.sdM > MAX_LAST_SD_M && claimant.last) return;
    claimant.last = keep(fix, claimant.last);
    claimant.lastTransmitter = dossier.transmitter;
  }

  /** Whether it is known by its own link who speaks; what others say under its names is then not listened to. */
  isProven({ provenS }: Claimant, nowS: number): boolean {
    return nowS - provenS < PROVEN_S;
  }

  /** Whether the vehicle itself speaks over a link that proves it, and what is at hand came over none. */
  #isSpokenFor(claimant: Claimant): boolean {
    return !this.#proven && this.isProven(claimant, this.#heardS);
  }

  /** Whether it may be the one who is found under the name: one who proves himself is, wherever others put him. */
  #fits(claimant: Claimant, fix: Fix | null): boolean {
    return (this.#proven && claimant.provenS > Number.NEGATIVE_INFINITY) || fits(claimant.last, fix);
  }

  /** The claim of a track of an earlier run. */
  restore(dossier: ReadDossier, track: number, heardS: number, duplicate = false): number {
    const claimant = this.#make(heardS);
    if (duplicate) claimant.watch.markDuplicate(heardS);
    claimant.track = track;
    for (const address of dossier.addresses) this.#addTransmitter(claimant, address);
    for (const name of dossier.names) this.#byName.add(claimant, name);
    return claimant.index;
  }

  /** The track of this claim has ended: nobody is known by it any more. */
  release(index: number, track: number): void {
    const claimant = this.#claimants.get(index);
    // It may have begun another track since, in the same breath.
    if (claimant?.track === track) this.#end(claimant);
  }

  /** A person's word that two claims are one; false where each tells a serial that the other does not. */
  unite(from: number, into: number): boolean {
    const [gone, kept] = [this.of(from), this.of(into)];
    if (!gone || !kept) return false;
    const common = [...gone.names].some((name) => isSerial(name) && kept.names.has(name));
    if (!common && [gone, kept].every(({ names }) => [...names].some(isSerial))) return false;
    this.#take(gone, kept);
    return true;
  }

  /** Most that speak say again what they said: then it is settled whose it is, unless it cannot be where it says. */
  #soleBearer(dossier: ReadDossier, fix: Fix | null): Claimant | null {
    const sole = this.#soleOf(dossier);
    return sole && this.#fits(sole, fix) ? sole : null;
  }

  #soleOf(dossier: ReadDossier): Claimant | null {
    const sole = this.#sole[dossier.index];
    return sole?.dossier === dossier && sole.hands === this.#byName.hands ? sole.claimant : null;
  }

  #bearer(dossier: ReadDossier, fix: Fix | null): Claimant {
    const found = this.#find(dossier, fix);
    if (found && this.#isSpokenFor(found)) return found;
    const claimant = this.#settle(found ?? this.#begin(dossier, fix), dossier, fix);
    const alone = dossier.names.every((name) => this.#byName.get(name)?.size === 1);
    if (!alone && dossier.serial !== null) this.#compareBearers(claimant, this.#byName.get(dossier.serial));
    if (alone && dossier.index >= 0) this.#sole[dossier.index] = { dossier, claimant, hands: this.#byName.hands };
    return claimant;
  }

  #find(dossier: ReadDossier, fix: Fix | null): Claimant | null {
    const known = dossier.transmitter === null ? undefined : this.#byTransmitter.get(dossier.transmitter);
    if (known && !this.#isOtherRadio(known, dossier, fix)) return known;
    // Who forges a vehicle's address and gives no name of his own speaks for the vehicle, which is not listened to.
    if (known && this.#isSpokenFor(known) && dossier.names.length === 0) return known;
    if (known && !this.#isSpokenFor(known)) this.#loseTransmitter(known, dossier.transmitter ?? '');
    for (const name of dossier.names) {
      for (const other of this.#byName.get(name) ?? []) {
        if (this.#fits(other, fix) && !hasOtherSerial(other, dossier)) return other;
      }
    }
    return null;
  }

  /** Whether a radio that was taken for one of this aircraft's speaks from where it cannot be. */
  #isOtherRadio(claimant: Claimant, { transmitter }: ReadDossier, fix: Fix | null): boolean {
    return claimant.transmitters.size > 1 && claimant.lastTransmitter !== transmitter && !this.#fits(claimant, fix);
  }

  /** Radios of one aircraft tell one place, but for its flight in between: else there are two, near each other. */
  #compareRadios(claimant: Claimant, { transmitter }: ReadDossier, fix: Fix): void {
    const { last } = claimant;
    if (!last || claimant.lastTransmitter === transmitter) return;
    claimant.disputes = isApart(last, fix) ? claimant.disputes + 1 : 0;
    if (claimant.disputes >= DISPUTES) this.#mark(claimant);
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

  /** Takes on what the dossier adds to a claim; where that names another claim too, they may be one. */
  #settle(found: Claimant, dossier: ReadDossier, fix: Fix | null): Claimant {
    let claimant = found;
    for (const name of dossier.names) {
      if (claimant.names.has(name)) continue;
      for (const other of [...(this.#byName.get(name) ?? [])]) {
        if (other === claimant) continue;
        claimant = this.#compare(claimant, other, name, fix);
      }
      if (isSerial(name) && [...claimant.names].some(isSerial) && !claimant.names.has(name)) this.#mark(claimant);
      this.#byName.add(claimant, name);
    }
    if (dossier.transmitter !== null) this.#addTransmitter(claimant, dossier.transmitter);
    return claimant;
  }

  /** One observation names two claims: that alone makes them one only where they are in one place. */
  #compare(claimant: Claimant, other: Claimant, name: string, fix: Fix | null): Claimant {
    const ownSerial = [...claimant.names].some((own) => isSerial(own) && !other.names.has(own));
    if (ownSerial && [...other.names].some(isSerial)) {
      if (isSerial(name)) for (const both of [claimant, other]) this.#mark(both);
      return claimant;
    }
    // Of one that is proven, what others hear of it under its serial where it is, is of it; and nothing else.
    const [isOwn, isOther] = [this.#isSpokenFor(claimant), this.#isSpokenFor(other)];
    if (isOwn || isOther) {
      const isSame = isOwn !== isOther && isSerial(name) && samePlace(claimant.last ?? fix, other.last, fix);
      if (!isSame) return claimant;
    } else if (!samePlace(claimant.last ?? fix, other.last, fix)) {
      if (isSerial(name) && !fits(other.last, claimant.last ?? fix))
        for (const both of [claimant, other]) this.#mark(both);
      return claimant;
    }
    this.#rim.settle();
    if (!this.#lives(other)) return this.#lives(claimant) ? claimant : this.#make(claimant.heardS);
    if (!this.#lives(claimant)) return other;
    const [gone, kept] = isOwn ? [other, claimant] : [claimant, other];
    this.#take(gone, kept);
    return kept;
  }

  /** What one has is the other's from now on. */
  #take(claimant: Claimant, other: Claimant): void {
    this.#rim.join(claimant.index, other.index);
    if (other.track === 0) other.track = claimant.track;
    for (const own of claimant.names) this.#byName.add(other, own);
    const transmitters = [...claimant.transmitters];
    this.#end(claimant, false);
    for (const own of transmitters) this.#addTransmitter(other, own);
  }

  /** Who of one serial speaks while another does, elsewhere, is one of two: marked when found, and for as long as both speak. */
  #compareBearers(claimant: Claimant, bearers: Iterable<Claimant> = []): void {
    for (const other of bearers) {
      if (other === claimant || this.#heardS - other.heardS > RIVAL_S) continue;
      const found = this.#isMarked(claimant) && this.#isMarked(other);
      if (!found && !isApart(claimant.last, other.last)) continue;
      claimant.apart++;
      if (found || claimant.apart >= DISPUTES) for (const both of [claimant, other]) this.#mark(both);
      return;
    }
    claimant.apart = 0;
  }

  #lives(claimant: Claimant): boolean {
    return this.#claimants.get(claimant.index) === claimant;
  }

  #mark(claimant: Claimant): void {
    if (!this.#isMarked(claimant)) this.marked.add(claimant);
    claimant.watch.markDuplicate(this.#heardS);
  }

  #make(heardS: number): Claimant {
    if (this.#claimants.size >= this.#capacity) {
      const [oldest] = this.#claimants.values();
      if (oldest) this.#end(oldest);
    }
    const index = this.#free.pop() ?? this.#claimants.size;
    const claimant = newClaimant(index, heardS);
    this.#claimants.set(index, claimant);
    return claimant;
  }

  #end(claimant: Claimant, forget = true): void {
    if (!this.#lives(claimant)) return;
    partTwins(claimant);
    for (const transmitter of claimant.transmitters) this.#unmap(claimant, transmitter);
    for (const name of claimant.names) this.#byName.lose(claimant, name);
    this.#claimants.delete(claimant.index);
    this.#free.push(claimant.index);
    this.marked.delete(claimant);
    if (forget) this.#rim.forget(claimant.index);
  }

  #addTransmitter(claimant: Claimant, transmitter: string): void {
    if (claimant.transmitters.has(transmitter)) return;
    const holder = this.#byTransmitter.get(transmitter);
    if (holder && this.#isSpokenFor(holder)) return;
    const [oldest] = claimant.transmitters;
    if (claimant.transmitters.size >= MAX_TRANSMITTERS && oldest !== undefined) this.#loseTransmitter(claimant, oldest);
    this.#byName.hands++;
    claimant.transmitters.add(transmitter);
    this.#byTransmitter.set(transmitter, claimant);
  }

  #loseTransmitter(claimant: Claimant, transmitter: string): void {
    claimant.transmitters.delete(transmitter);
    this.#unmap(claimant, transmitter);
  }

  #unmap(claimant: Claimant, transmitter: string): void {
    this.#byName.hands++;
    if (this.#byTransmitter.get(transmitter) === claimant) this.#byTransmitter.delete(transmitter);
  }
}
