import type { AgentNode } from '../../domain/agent-node.js';
import { isLeftTo } from '../../domain/approvers.js';
import type { Exactness, HarnessCall, HarnessPermission } from '../../domain/harness-call.js';
import type { JsonObject } from '../../domain/json.js';
import type { ExecutorGate, GateAnswer } from '../../domain/ports/executor.js';
import { type CallVerdict, decideCall } from '../../govern/harness/decide-call.js';
import { canonicalJson } from '../../lib/canonical-json.js';
import { sha256Hex } from '../../lib/sha256.js';
import { ONE_AT_A_TIME, questionRejected, rejectedCall, SUBAGENT_WAITS } from '../../prompts/harness.js';
import { authorizeHarnessCall } from '../authorize.js';
import type { NewEvent } from '../new-event.js';
import type { RunServices } from '../services.js';
import type { StepContext } from '../step-types.js';
import type { Gateway } from './gateway.js';
import type { Decided, DeferredCall } from './launch-value.js';
import { withAnswers } from './questions.js';

export interface CallGateOf {
  readonly node: AgentNode;
  readonly permissions: readonly HarnessPermission[];
  readonly exactness: Exactness;
  readonly context: StepContext;
  /** What people decided about the call of the launch before; null: they were asked nothing. */
  readonly decided: Decided | null;
  /** SHA-256 of the diff as this launch begins; null: nothing was decided about it. */
  readonly worktreeSha256: string | null;
  /** Kit's own tools; null: the program has none. */
  readonly gateway: Pick<Gateway, 'mayCall' | 'approve'> | null;
}

type Answered = GateAnswer & {
  readonly event?: { readonly answer: 'granted' | 'deferred' | 'denied'; readonly reason: string };
  readonly notes?: JsonObject;
  /** What is carried out in the place of what was announced. */
  readonly made?: HarnessCall;
};

const MAX_SUBJECT_CHARS = 500;

/** SHA-256 over a call as it would be carried out. */
export const callDigest = ({ tool, input }: Pick<HarnessCall, 'tool' | 'input'>): string =>
  sha256Hex(canonicalJson({ tool, input }));

/**
 * The gate of one launch (docs/design/decisions.md#harness-calls). One call at a time is looked at.
 * What people approved is granted once: the grant is durable before the program hears of it. One
 * call a launch can be put off; whatever else would have to be asked is refused until then.
 */
export class CallGate implements ExecutorGate {
  readonly exactness: Exactness;
  readonly #services: RunServices;
  readonly #of: CallGateOf;
  #queue: Promise<unknown> = Promise.resolve();
  #isGrantTaken = false;
  #deferred: DeferredCall | null = null;

  constructor(services: RunServices, of: CallGateOf) {
    this.#services = services;
    this.#of = of;
    this.exactness = of.exactness;
  }

  /** The call that waits for people; null: none does. */
  get deferred(): DeferredCall | null {
    return this.#deferred;
  }

  ask(call: HarnessCall): Promise<GateAnswer> {
    const answered = this.#queue.then(() => this.#answer(call));
    this.#queue = answered.catch(() => undefined);
    return answered.catch(() => ({ verdict: 'deny', reason: 'kit could not decide about this call' }));
  }

  async #answer(call: HarnessCall): Promise<GateAnswer> {
    const { event, notes, made = call, ...answer } = await this.#decide(call);
    if (event !== undefined) await this.#of.context.note(notes ?? {}, [this.#eventOf(made, event)]);
    return answer;
  }

  async #decide(call: HarnessCall): Promise<Answered> {
    const sha256 = callDigest(call);
    const { decided } = this.#of;
    if (call.isMade === true) return this.#judge(call);
    if (decided !== null && this.#isDecided(decided, call, sha256)) return this.#asDecided(decided, call, sha256);
    const verdict = await this.#rules(call);
    if (verdict.answer === 'allow') return { verdict: 'allow' };
    return verdict.answer === 'deny' ? denied(verdict.reason) : this.#putOff(call, sha256, verdict);
  }

  /** What was made without a question is only right where nobody had to be asked. */
  async #judge(call: HarnessCall): Promise<Answered> {
    const verdict = await this.#rules(call);
    return verdict.answer === 'allow'
      ? { verdict: 'allow' }
      : denied(`it was made without asking whether it may: ${verdict.reason}`);
  }

  /** By its id where the program keeps ids; else the model repeats what it asked for. */
  #isDecided({ asked }: Decided, call: HarnessCall, sha256: string): boolean {
    if (this.exactness === 'exact') return asked.call.call_id === call.callId;
    return asked.call.sha256 === sha256 && !this.#isGrantTaken;
  }

  async #asDecided(decided: Decided, call: HarnessCall, sha256: string): Promise<Answered> {
    const { asked, answer, comment } = decided;
    if (asked.call.sha256 !== sha256)
      return denied('this is not the call that was decided about: its tool or its input has changed');
    if (answer === 'rejected' && call.kind === 'question') return denied(questionRejected(comment));
    if (answer === 'rejected') return denied(rejectedCall(comment));
    if (this.#isGrantTaken) return denied('this call was allowed once, and it is made once');
    if (call.kind === 'question') return this.#answered(call, comment);
    if (decided.input !== undefined && call.withInput === undefined)
      return denied('people approved it with another input, and its program takes none');
    const { input } = decided;
    const made = input === undefined ? call : { ...call, input, ...(await call.withInput?.(input)) };
    const verdict = await this.#rules(made);
    if (verdict.answer === 'deny') return denied(verdict.reason);
    if (asked.worktree_sha256 !== this.#of.worktreeSha256)
      return this.#putOff(call, sha256, { ...verdict, reason: 'the worktree changed after it was approved' });
    if (!isLeftTo(asked.call.approvers, verdict.approvers ?? []))
      return this.#putOff(call, sha256, { ...verdict, reason: 'it was approved, and is left to others by now' });
    this.#isGrantTaken = true;
    if (call.skill !== undefined) this.#of.gateway?.approve(call.skill, call.input);
    const notes = { granted: { call_id: call.callId, sha256: callDigest(made) } };
    if (input === undefined)
      return { verdict: 'allow', event: { answer: 'granted', reason: 'a person approved this call' }, notes };
    const reason = `a person approved it with another input than that of ${sha256}`;
    return { verdict: 'allow', input, made, event: { answer: 'granted', reason }, notes };
  }

  /** Nothing is carried out: the model is told what people said. */
  #answered(call: HarnessCall, answer: string): Answered {
    this.#isGrantTaken = true;
    return {
      verdict: 'allow',
      input: withAnswers(call.input, answer),
      event: { answer: 'granted', reason: 'a person answered this question' },
    };
  }

  #putOff(call: HarnessCall, sha256: string, by: Ruling): Answered {
    if (call.isSubagent) return denied(SUBAGENT_WAITS);
    // The same question again has the same answer: an answer may be lost on its way.
    if (this.#deferred?.call_id === call.callId && this.#deferred.sha256 === sha256) return { verdict: 'defer' };
    if (this.#deferred !== null) return denied(ONE_AT_A_TIME);
    const { callId, tool, kind, subject, place } = call;
    this.#deferred = {
      call_id: callId,
      tool,
      kind,
      subject,
      place,
      input: this.#services.steps.deps.mask(call.input),
      sha256,
      reason: by.reason,
      approvers: by.approvers ?? [],
    };
    return { verdict: 'defer', event: { answer: 'deferred', reason: by.reason } };
  }

  /** Governance first: its no holds, its question is asked, its yes says nothing. */
  async #rules(call: HarnessCall): Promise<Ruling> {
    const { node, permissions } = this.#of;
    const own = decideCall(permissions, call);
    if (call.kind === 'inner' || call.kind === 'question' || own.answer === 'deny') return own;
    if (call.skill !== undefined) return this.#skillRules(call.skill, own);
    const said = await authorizeHarnessCall(this.#services, { node, ...call });
    switch (said.verdict) {
      case 'deny':
        return { answer: 'deny', reason: said.reason };
      case 'ask':
        return { answer: 'ask', reason: said.reason, approvers: said.approvers ?? [] };
      case 'allow':
        return own;
    }
  }

  /**
   * One of kit's own tools: its tier and its policies decide, and entries of `permissions` may ask
   * for more. What they deny its step denies, and says so.
   */
  async #skillRules(name: string, own: CallVerdict): Promise<Ruling> {
    const said = (await this.#of.gateway?.mayCall(name)) ?? null;
    if (said?.verdict === 'ask') return { answer: 'ask', reason: said.reason, approvers: said.approvers ?? [] };
    return own.byEntry === true && own.answer === 'ask'
      ? own
      : { answer: 'allow', reason: 'it is a tool call of the run' };
  }

  #eventOf(call: HarnessCall, { answer, reason }: NonNullable<Answered['event']>): NewEvent {
    return {
      type: 'executor.permission',
      agentId: this.#of.node.id,
      skillId: null,
      payload: {
        call_id: call.callId,
        tool: call.tool,
        kind: call.kind,
        subject: call.subject.slice(0, MAX_SUBJECT_CHARS),
        input_sha256: callDigest(call),
        answer,
        reason,
      },
    };
  }
}

type Ruling = ReturnType<typeof decideCall> & { readonly approvers?: readonly string[] };

const denied = (reason: string): Answered => ({ verdict: 'deny', reason, event: { answer: 'denied', reason } });
