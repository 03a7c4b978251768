import type { Severity } from '../../model/event.ts';
import { noHealth } from '../../model/health.ts';
import { sapientLinkOptions } from '../../model/link_options.ts';
import type { Observation } from '../../model/observation.ts';
import { SapientAnswers } from '../wire/sapient/answers.ts';
import { boxRegistration, ownNames } from '../wire/sapient/box_registration.ts';
import { boxStatus, statusReport } from '../wire/sapient/box_status.ts';
import type {
  Alert,
  DetectionReport,
  Registration,
  SapientMessage,
  SapientRefusal,
  StatusReport,
  Task,
} from '../wire/sapient/message.ts';
import { visible } from '../wire/sapient/visible.ts';
import { Bucket } from './limits.ts';
import type { LinkFeed } from './link_feed.ts';
import { hostOf } from './link_places.ts';
import { MOST_OF_CONNECTION, SapientConnection } from './sapient/connection.ts';
import { addErrors, fusedTrackOf } from './sapient/fused_track.ts';
import { dependsOn, isDerivedFrom } from './sapient/lineage.ts';
import { SapientNode } from './sapient/node.ts';
import { observationOf } from './sapient/observation.ts';
import { type NodeProfile, profileOf } from './sapient/registration.ts';
import { SenderMap } from './sender_map.ts';

/** Greatest number of connections of a link, and of nodes on all its connections. */
const MOST_CONNECTIONS = 64;
const MOST_OF_LINK = 256;
/** Greatest number of alerts of all nodes of a link that become events each second. */
const ALERTS_PER_S = 10;
const MOST_TEXT = 400;
/** Time for which the last error or refusal is shown, ms. */
const SHOWN_MS = 60_000;

const severityOf: Readonly<Record<NonNullable<Alert['alert_type']>, Severity>> = {
  ...{ UNSPECIFIED: 'notice', INFORMATION: 'info', MODE_CHANGE: 'info', WARNING: 'warning', ERROR: 'warning' },
  ...{ CRITICAL: 'critical', FATAL: 'critical' },
};
const statusWords: Partial<Record<NonNullable<Alert['status']>, string>> = {
  ...{ CLEAR: ' (cleared)', REJECT: ' (rejected)', IGNORE: ' (ignored)', ACKNOWLEDGE: ' (acknowledged)' },
};

const ECHO = 'the node depends on this box and would return tracks of this box as its own';

/** Message of a registered node with its sender and time of arrival. */
type Arrival = { node: SapientNode; from: string; atMs: number };

/** Feed of SAPIENT (BSI Flex 335 v2.0). This box is the fusion node; each node that registers is a sensor. */
export class SapientFeed {
  readonly #link: LinkFeed;
  readonly #answers: SapientAnswers | null;
  /** True if tracks of fusion nodes on this link are accepted. */
  readonly #takesTracks: boolean;
  readonly #connections = new SenderMap<SapientConnection>(MOST_CONNECTIONS);
  #alerts: Bucket | null = null;
  #trouble: { sentence: string; atMs: number } | null = null;

  constructor(link: LinkFeed) {
    const { replies } = link.deps;
    this.#link = link;
    this.#takesTracks = sapientLinkOptions(link.deps.link.options).fusion;
    this.#answers = replies === undefined ? null : new SapientAnswers(replies.nodeId, () => replies.utcNowMs());
  }

  take(message: SapientMessage | SapientRefusal, from: string, atMs: number): void {
    const connection = this.#connections.of(from, () => new SapientConnection(hostOf(from)));
    if (message.kind === 'sapient_refused') this.#refuse(message, connection, from, atMs);
    else if (this.#link.admit(message.nodeId, null, atMs)) this.#takeMessage(message, connection, from, atMs);
  }

  forget(from: string): void {
    this.#connections.delete(from);
  }

  trouble(nowMs: number): string | null {
    return this.#trouble !== null && nowMs - this.#trouble.atMs < SHOWN_MS ? this.#trouble.sentence : null;
  }

  #refuse(
    { packet, sentence, isLost }: SapientRefusal,
    connection: SapientConnection,
    from: string,
    atMs: number,
  ): void {
    this.#trouble = { sentence: `a message of ${from} is refused: ${sentence}`, atMs };
    if (connection.mayReportError(atMs)) this.#send((answers) => answers.error(null, packet, sentence), from);
    if (isLost) this.#link.deps.replies?.cut(from, sentence);
  }

  #takeMessage(read: SapientMessage, connection: SapientConnection, from: string, atMs: number): void {
    const { message, nodeId } = read;
    const { registration, status_report, detection_report, alert, task, error } = message;
    // A box that receives its own messages must not take them for messages of another node.
    if (nodeId === this.#answers?.nodeId) this.#link.notAllowed++;
    else if (registration) this.#register(registration, read, connection, from, atMs);
    else if (task) this.#takeTask(task, read, connection, from, atMs);
    else if (error) this.#noteError(error.error_message, from, atMs);
    else if (status_report || detection_report || alert) this.#takeReport(read, connection, from, atMs);
  }

  #register(
    registration: Registration,
    { nodeId, sentMs }: SapientMessage,
    connection: SapientConnection,
    from: string,
    atMs: number,
  ): void {
    const profile = this.#isEcho(registration) ? ECHO : profileOf(registration, nodeId);
    const node = typeof profile === 'string' ? profile : this.#admitNode(nodeId, profile, connection, atMs);
    const refusal = typeof node === 'string' ? node : null;
    this.#send((answers) => answers.registrationAck(nodeId, refusal), from);
    if (typeof node === 'string') {
      connection.nodes.delete(nodeId);
      this.#link.notAllowed++;
      this.#trouble = { sentence: `the registration of node ${nodeId} is refused: ${node}`, atMs };
      return;
    }
    node.received(atMs);
    node.introduce(this.#link.deps.sensors);
    node.publish(this.#link.deps.sensors, atMs);
    node.clock.correct(sentMs, atMs);
    this.#link.noteClock(node.sensorId, node.clock);
  }

  /** Returns the node of a registration; a string with the reason if the node cannot be admitted. */
  #admitNode(nodeId: string, profile: NodeProfile, connection: SapientConnection, atMs: number): SapientNode | string {
    if (this.#isHeld(nodeId, connection, atMs)) return 'another host reports under the node id';
    const known = connection.nodes.get(nodeId);
    if (known === undefined && connection.nodes.size >= MOST_OF_CONNECTION)
      return `a connection has at most ${MOST_OF_CONNECTION} nodes`;
    if (known === undefined && this.#count() >= MOST_OF_LINK) return `a link has at most ${MOST_OF_LINK} nodes`;
    const { sensors, link } = this.#link.deps;
    const sensorId = this.#link.aliveSensor(nodeId, profile.modality, atMs);
    const isOwnRow = sensorId !== null && sensors.placesOf(link.id)?.own?.row.id === sensorId;
    if (sensorId === null || isOwnRow)
      return 'the node id is in use by another host, or the link has no room for another sensor';
    // The last registration counts: the previous connection of a node that connects again may still be open.
    for (const other of this.#connections.values()) if (other !== connection) other.nodes.delete(nodeId);
    if (known?.sensorId === sensorId) {
      known.renew(profile);
      return known;
    }
    const node = new SapientNode(nodeId, sensorId, profile);
    connection.nodes.set(nodeId, node);
    return node;
  }

  /** Whether another host reports as a node. A registration alone must not take over the sensor of that node. */
  #isHeld(nodeId: string, { host }: SapientConnection, atMs: number): boolean {
    return this.#connections
      .values()
      .some((other) => other.host !== host && other.nodes.get(nodeId)?.isReporting(atMs) === true);
  }

  #count(): number {
    return this.#connections.values().reduce((sum, { nodes }) => sum + nodes.size, 0);
  }

  #takeReport(read: SapientMessage, connection: SapientConnection, from: string, atMs: number): void {
    const { message, nodeId, sentMs } = read;
    const { status_report, detection_report, alert } = message;
    const node = connection.nodes.get(nodeId);
    if (node === undefined) {
      this.#link.notAllowed++;
      if (connection.mayAsk(nodeId, atMs)) this.#send((answers) => answers.askRegistration(nodeId), from);
      return;
    }
    if (this.#link.aliveSensor(nodeId, node.profile.modality, atMs) !== node.sensorId) {
      // The node lost its sensor row and there is no room for another, or the node id belongs to another host.
      connection.nodes.delete(nodeId);
      this.#link.notAllowed++;
      return;
    }
    node.received(atMs);
    const timeMs = node.timeOf(sentMs, atMs);
    this.#link.noteClock(node.sensorId, node.clock);
    const arrival = { node, from, atMs };
    if (status_report) this.#takeStatus(status_report, arrival, connection);
    else if (detection_report) this.#takeDetection(detection_report, arrival, sentMs, timeMs);
    else if (alert) this.#takeAlert(alert, arrival);
  }

  #takeStatus(report: StatusReport, { node, from, atMs }: Arrival, connection: SapientConnection): void {
    const isKnown = node.takeStatus(report, this.#link.deps.sensors, atMs);
    if (report.system === 'GOODBYE') connection.nodes.delete(node.id);
    if (isKnown) return;
    this.#link.notAllowed++;
    const sentence = 'status_report.info: UNCHANGED is not valid before the first full report (NEW)';
    this.#trouble = { sentence: `a message of ${from} is refused: ${sentence}`, atMs };
    if (!connection.mayReportError(atMs)) return;
    this.#send((answers) => answers.error(node.id, new Uint8Array(0), sentence), from);
  }

  /**
   * True if a node depends on this box. Such a node would return our own tracks, and these would seem to confirm
   * themselves.
   */
  #isEcho(registration: Registration): boolean {
    return this.#answers !== null && dependsOn(registration, this.#answers.nodeId);
  }

  #takeDetection(report: DetectionReport, { node, atMs }: Arrival, sentMs: number, timeMs: number): void {
    const { sensors, link } = this.#link.deps;
    // The last report of a lost object repeats its last position and contains no measurement.
    if (/\blost\b/i.test(report.state ?? '')) return;
    if (this.#answers !== null && isDerivedFrom(report, this.#answers.nodeId)) {
      this.#link.notAllowed++;
      sensors.rejected(node.sensorId, 'not_allowed');
      node.refuse(
        'the node returns tracks of this box: disable the outlet to this node, or stop the node from returning them',
        sensors,
        atMs,
      );
      return;
    }
    const isTrack = this.#takesTracks && node.profile.fuses;
    // A coasting track is a prediction of the other system. It would keep a track alive that no sensor sees.
    if (isTrack && /\bcoasting\b/i.test(report.state ?? '')) return;
    const placement = sensors.resolve(node.sensorId)?.placement ?? null;
    const { id: nodeId, sensorId, mode } = node;
    const reporter = { nodeId, sensorId, linkId: link.id, mode, placement, sentMs, timeMs, receivedMs: atMs };
    const read = isTrack ? fusedTrackOf(report, reporter) : observationOf(report, reporter);
    if ('why' in read) {
      this.#link.implausible++;
      sensors.rejected(sensorId, 'implausible');
      if (read.why !== null) node.refuse(read.why, sensors, atMs);
    } else this.#link.report(isTrack ? this.#withErrors(read) : read);
  }

  /**
   * Fills in the standard deviations that a fusion node left out. Values that an operator declared for the sensor come
   * before the defaults.
   */
  #withErrors(read: Observation): Observation {
    this.#link.deps.sensors.complete(read);
    addErrors(read);
    return read;
  }

  #takeAlert({ alert_id, alert_type = 'UNSPECIFIED', status, description }: Alert, arrival: Arrival): void {
    const { node, from, atMs } = arrival;
    this.#alerts ??= new Bucket(ALERTS_PER_S, atMs);
    if (!this.#alerts.take(atMs)) {
      this.#link.overRate++;
      return;
    }
    const text = visible(description, MOST_TEXT) || 'an alert without a description';
    const word = status === undefined ? '' : (statusWords[status] ?? '');
    this.#link.deps.alerted?.(node.sensorId, severityOf[alert_type], `${text}${word}`);
    this.#send((answers) => answers.alertAck(node.id, alert_id), from);
  }

  /** Accepts tasks of registered nodes only, at a limited rate, because answers are longer than requests. */
  #takeTask(task: Task, read: SapientMessage, connection: SapientConnection, from: string, atMs: number): void {
    if (!connection.nodes.has(read.nodeId)) this.#link.notAllowed++;
    else if (connection.mayAnswer(atMs)) this.#answerTask(task, read, connection, from);
    else this.#link.overRate++;
  }

  /**
   * Answers a task. Only requests for the registration and status of this box are accepted. The status is sent without
   * its reasons, because the reasons name sensors that do not belong to the asking node.
   */
  #answerTask(
    { task_id, command }: Task,
    { nodeId, message }: SapientMessage,
    connection: SapientConnection,
    from: string,
  ): void {
    const { destination_id } = message;
    const own = this.#answers?.nodeId;
    // A middleware also forwards tasks for other nodes.
    if (own === undefined || (destination_id !== undefined && destination_id !== own)) return;
    const request = command?.request;
    const isTaken = request === 'Registration' || request === 'Status';
    this.#send(
      (answers) => answers.taskAck(nodeId, task_id, isTaken ? null : 'this box accepts no tasks of this kind'),
      from,
    );
    if (request === 'Registration') {
      const registration = boxRegistration(null, ownNames(own), [...connection.nodes.keys()]);
      this.#send((answers) => answers.registration(nodeId, registration), from);
    } else if (request === 'Status') {
      const status = boxStatus(this.#link.deps.replies?.health() ?? noHealth, null);
      this.#send((answers) => answers.statusReport(nodeId, statusReport({ ...status, unwell: [] })), from);
    }
  }

  #noteError(messages: readonly string[] | undefined, from: string, atMs: number): void {
    const text = visible(messages?.join('; '), MOST_TEXT) || 'no reason given';
    this.#trouble = { sentence: `${from} reports an error: ${text}`, atMs };
  }

  #send(make: (answers: SapientAnswers) => Uint8Array, to: string): void {
    if (this.#answers !== null) this.#link.deps.replies?.send(make(this.#answers), to);
  }
}
