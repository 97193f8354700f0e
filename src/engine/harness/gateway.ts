import { heldSkills } from '../../compile/link/held-skills.js';
import { isLoginOver } from '../../domain/consent.js';
import type { JsonObject } from '../../domain/json.js';
import type { ExecutorTools, ToolReply } from '../../domain/ports/executor.js';
import type { Decision } from '../../domain/ports/governance.js';
import type { ToolSpec } from '../../domain/ports/model.js';
import { numberOf } from '../../domain/snapshot.js';
import { canonicalJson } from '../../lib/canonical-json.js';
import { NO_MORE_GATEWAY_CALLS, notNow, WAITS_FOR_OTHERS } from '../../prompts/harness.js';
import type { Activate, Activation } from '../activation-call.js';
import { authorizeSkill } from '../authorize.js';
import { describer, type OfferedTools } from '../describe-tools.js';
import { outputText } from '../results.js';
import { withoutAbort } from '../scopes.js';
import type { RunServices } from '../services.js';
import type { StepContext } from '../step-types.js';
import type { CallAnswer, Dispatched, ToolLedger } from '../tool-call.js';
import { dispatchCalls } from '../tool-calls.js';
import { newLedger, toolsOf } from '../tools.js';
import { Unfinished } from '../unfinished.js';
import { abandonSteps } from './abandon-steps.js';
import { isSameCall, type LeftCall, readPast } from './left-calls.js';
import type { WaitingCall } from './waiting-call.js';

export interface GatewayOf {
  readonly activation: Activation;
  readonly activate: Activate;
  /** Key of the draft, and of this launch of it. */
  readonly draft: string;
  readonly key: string;
  readonly context: StepContext;
  /** The launch before this one died at work. */
  readonly hasDied: boolean;
  /** Calls that waited for others, and have an answer now or wait on. */
  readonly known: readonly WaitingCall[];
}

interface Known {
  readonly turn: string;
  readonly isSame: (name: string, input: JsonObject) => boolean;
  isTaken: boolean;
}

/** The agent as its gateway offers it: skills alone, for a harness delegates to nobody. */
export const withoutChildren = (activation: Activation): Activation => ({
  ...activation,
  node: { ...activation.node, children: [] },
});

/**
 * A result may be shortened; then the whole of it can be asked for, by a name that is always there.
 */
export function gatewayLedger(satisfied: readonly string[] = []): ToolLedger {
  const ledger = newLedger();
  for (const skill of satisfied) ledger.satisfied.add(skill);
  ledger.isCut = true;
  return ledger;
}

/**
 * The skills of an agent whose work a harness does (docs/design/execution.md#gateway). Each call is
 * a turn with one call, `<launch>/g<n>/c0:<name>`, through the very pipeline of a model's calls.
 *
 * A program does not say which call of an earlier launch it repeats. So a call with the name and
 * arguments of one that was left by a launch that died, or that waited for people, is that one, and
 * is answered by its step; any other is new. The same call without such a past is made anew.
 */
export class Gateway implements ExecutorTools {
  readonly offered: readonly ToolSpec[];
  /** A call found that a login is over: the run ends with the session. Null: none did. */
  over: Unfinished | null = null;
  readonly #services: RunServices;
  readonly #of: GatewayOf;
  readonly #reads: readonly string[];
  readonly #ledger: ToolLedger;
  readonly #known: Known[];
  readonly #left: readonly LeftCall[];
  readonly #waiting = new Map<string, WaitingCall>();
  readonly #approved: string[] = [];
  readonly #running = new Set<Promise<unknown>>();
  #next: number;
  #made: number;

  constructor(services: RunServices, of: GatewayOf, described: OfferedTools) {
    // A skill that fails ends nothing beside it: what becomes of it is for the program's model to
    // say.
    this.#services = withoutAbort(services);
    this.#of = { ...of, activation: withoutChildren(of.activation) };
    this.offered = described.tools;
    this.#reads = described.reads;
    const past = readPast(services.steps.deps.session.all(), { draft: of.draft, hasDied: of.hasDied });
    this.#next = past.next;
    this.#made = past.next;
    this.#left = past.left;
    this.#ledger = gatewayLedger(past.satisfied);
    const skills = heldSkills(services.snapshot, of.activation.node);
    this.#known = [
      ...of.known.map((call) => ({ turn: call.turn, isTaken: false, isSame: sameAs(call) })),
      ...past.left.map((left) => ({
        turn: left.turn,
        isTaken: false,
        isSame: (name: string, input: JsonObject) => {
          const skill = skills.find(({ id }) => id === name);
          return skill !== undefined && isSameCall(left, skill, input);
        },
      })),
    ];
  }

  /** Calls that wait for others, whatever the session did after it was told so. */
  get waiting(): readonly WaitingCall[] {
    return [...this.#waiting.values()];
  }

  /**
   * What a model that made this call would be told by those who decide; null: there is no such
   * skill.
   */
  async mayCall(name: string): Promise<Decision | null> {
    const { node } = this.#of.activation;
    const skill = heldSkills(this.#services.snapshot, node).find(({ id }) => id === name);
    return skill === undefined ? null : authorizeSkill(this.#services, { node, skill });
  }

  /** People have approved the next call with this name and these arguments, before it was made. */
  approve(name: string, input: JsonObject): void {
    this.#approved.push(canonicalJson({ name, input }));
  }

  call(name: string, input: JsonObject): Promise<ToolReply> {
    const answer = this.#answer(name, input);
    this.#running.add(answer);
    return answer.finally(() => this.#running.delete(answer));
  }

  /** The program is gone: waits for calls that are under way. */
  async close(): Promise<void> {
    await Promise.all([...this.#running]);
  }

  /** Says by name of which calls of a launch that died nobody will know what became. */
  settle(): void {
    for (const { turn, isOpen } of this.#left) {
      const isTaken = this.#known.some((one) => one.turn === turn && one.isTaken);
      if (isOpen && !isTaken && !this.#waiting.has(turn)) abandonSteps(this.#services, `${turn}/`);
    }
  }

  async #answer(name: string, given: JsonObject): Promise<ToolReply> {
    const { snapshot, steps, signal } = this.#services;
    const digest = canonicalJson({ name, input: given });
    const at = this.#approved.indexOf(digest);
    if (at >= 0) this.#approved.splice(at, 1);
    // As with the calls of a model: what is carried out is what is on record.
    const input = steps.deps.mask(given);
    const known = this.#known.find((one) => !one.isTaken && one.isSame(name, input));
    if (known !== undefined) known.isTaken = true;
    const turn = known?.turn ?? `${this.#of.key}/g${this.#next++}`;
    const isSpent = known === undefined && ++this.#made > mostCalls(snapshot);
    try {
      const done = await dispatchCalls(this.#services, {
        ...{ activation: this.#of.activation, activate: this.#of.activate, ledger: this.#ledger, turnKey: turn },
        calls: [{ type: 'tool_call', id: turn, name, input }],
        reads: this.#reads,
        isCutOff: false,
        closed: isSpent ? NO_MORE_GATEWAY_CALLS : null,
        ...(at >= 0 ? { isApproved: true } : {}),
      });
      if (done.kind !== 'parked') this.#waiting.delete(turn);
      else await this.#wait({ turn, name, input });
      return replyOf(done);
    } catch (error) {
      if (!(error instanceof Unfinished)) throw error;
      if (isLoginOver(error.reason)) this.over = error;
      // It was not done: the same call comes to the same step.
      this.#known.push({ turn, isTaken: false, isSame: sameAs({ turn, name, input }) });
      return failedReply(notNow(signal.aborted ? null : error.detail));
    }
  }

  /** Durable, so that a launch after this one comes back to the same question. */
  async #wait(call: WaitingCall): Promise<void> {
    this.#waiting.set(call.turn, call);
    this.#known.push({ turn: call.turn, isTaken: false, isSame: sameAs(call) });
    await this.#of.context.note({ waiting: this.waiting.map((one) => ({ ...one })) });
  }
}

const sameAs =
  (call: WaitingCall) =>
  (name: string, input: JsonObject): boolean =>
    name === call.name && canonicalJson(input) === canonicalJson(call.input);

/**
 * As many as a model could make in one draft: a turn of a harness is not to be seen from outside.
 */
const mostCalls = (snapshot: RunServices['snapshot']): number =>
  numberOf(snapshot, 'KIT_MAX_TOOL_TURNS') * numberOf(snapshot, 'KIT_MAX_TOOLS');

const failedReply = (text: string): ToolReply => ({ text, isError: true, images: [] });

function replyOf(done: Dispatched): ToolReply {
  switch (done.kind) {
    case 'parked':
      return failedReply(WAITS_FOR_OTHERS);
    case 'failed':
      return failedReply(done.message);
    case 'answered':
      return done.answers[0] === undefined ? failedReply('') : replyWith(done.answers[0]);
  }
}

const replyWith = ({ output, isError, images = [] }: CallAnswer): ToolReply => ({
  text: outputText(output),
  isError,
  images: images.map(({ mediaType, data }) => ({ mediaType, data })),
});

/**
 * Opens the gateway of one launch: its servers are asked what their tools take, so that one that
 * cannot be had fails the launch before its program is started.
 */
export async function openGateway(services: RunServices, of: GatewayOf): Promise<Gateway> {
  const { node } = withoutChildren(of.activation);
  const tools = toolsOf(services.snapshot, node, gatewayLedger());
  const describe = describer(services, node, { key: of.key, tools });
  const described = describe === null ? { tools, reads: [] } : await describe();
  return new Gateway(services, of, described);
}
