import { afterDenials, isObject, type JsonObject } from '@kit-run/kit/plugin';
import type { OpenGate } from '../gate/open-gate.js';
import type { OpenTools } from '../gateway/open-tools.js';
import { callStatus } from '../interpret/fields.js';
import type { MappedEvent } from '../interpret/mapped-event.js';
import { type AcpCall, callIn } from './calls.js';
import { isOwnCall, named, skillOf } from './own-tools.js';
import { announcedOf, canAllow, chosen, requestedOf, unannouncedOf } from './permission.js';
import { PromptUsage } from './prompt-usage.js';
import { GONE, type Incoming, type RpcAnswer, RpcLines } from './rpc.js';
import { callEvent, costEvent, costOf, failed, failureEvent, messageOf, outputOf, resultEvent } from './updates.js';
import { sessionGone } from './words.js';

export interface AcpTask {
  readonly statement: string;
  /** Session to go on with; null = a new one. */
  readonly session: string | null;
  /** What a new session is told where the one to go on with is gone; null: that is a failure. */
  readonly anew: string | null;
  readonly cwd: string;
  readonly mcpServers: readonly JsonObject[];
  /** Null: whatever is asked for is refused. */
  readonly gate: OpenGate | null;
  /** Kit's own tools; null: the program has none. */
  readonly tools: OpenTools | null;
}

/** What the conversation needs of who runs the program. */
export interface AcpHost {
  /** Records what happened; durable when it resolves. */
  report(event: MappedEvent): Promise<void>;
  /** Ends the program: a call waits for people, or was made without having been asked about. */
  stop(why: 'deferred' | 'ungoverned'): void;
  /** Everything is said and done: the program may go. */
  over(): void;
}

const PROTOCOL = 1;
/** Prompts that tell the model what was not allowed; then its silence is its answer. */
const MAX_FOLLOW_UPS = 10;

/**
 * One session of the Agent Client Protocol, from `initialize` to the end of its prompt. Lines are
 * taken one after the other; what they ask is answered before the next is looked at.
 */
export class Conversation {
  readonly #rpc = new RpcLines();
  readonly #task: AcpTask;
  readonly #host: AcpHost;
  readonly #calls = new Map<string, AcpCall>();
  readonly #ended = new Set<string>();
  #session = '';
  /** While an earlier session is read, what it did then is told again, and counts for nothing. */
  #isReplay = false;
  /** What the session had cost before this process; null: nobody knows. */
  #costBefore: number | null = 0;
  #denials: string[] = [];
  readonly #usage = new PromptUsage();
  #hasSpoken = false;
  #isOver = false;
  /** Called when the script has done what an answer let it do. */
  #hasGoneOn: () => void = () => {};

  constructor(task: AcpTask, host: AcpHost) {
    this.#task = task;
    this.#host = host;
  }

  get outgoing(): AsyncIterable<string> {
    return this.#rpc.outgoing();
  }

  /** Speaks with the program until its lines end. Never throws for what it says. */
  async speak(lines: AsyncIterable<string>): Promise<void> {
    const script = this.#script().finally(() => this.#hasGoneOn());
    script.catch(() => {});
    for await (const line of lines) {
      // An answer is acted upon before the line after it is looked at.
      const goneOn = new Promise<void>((resolve) => {
        this.#hasGoneOn = resolve;
      });
      const incoming = this.#rpc.take(line);
      if (incoming === 'answer') await goneOn;
      else if (incoming !== null) await this.#handle(incoming);
    }
    this.#rpc.end();
    await script;
  }

  #ask(method: string, params: JsonObject): Promise<RpcAnswer> {
    this.#hasGoneOn();
    return this.#rpc.request(method, params);
  }

  async #script(): Promise<void> {
    const failure = await this.#begin();
    if (failure === null) await this.#prompt();
    else if (!(failure.type === 'result' && failure.message === GONE)) await this.#finish([failure]);
  }

  async #finish(events: readonly MappedEvent[]): Promise<void> {
    for (const event of events) await this.#host.report(event);
    this.#isOver = true;
    this.#rpc.close();
    this.#host.over();
  }

  /** Null: the session is open. */
  async #begin(): Promise<MappedEvent | null> {
    const hello = await this.#ask('initialize', {
      protocolVersion: PROTOCOL,
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
      clientInfo: { name: 'kit', version: '1' },
    });
    if (!hello.ok) return failed('acp_initialize', hello);
    const { protocolVersion, agentInfo, agentCapabilities } = hello.result;
    if (protocolVersion !== PROTOCOL)
      return failureEvent('acp_version', `the program does not support version ${PROTOCOL} of the protocol`);
    const version = isObject(agentInfo) && typeof agentInfo.version === 'string' ? agentInfo.version : null;
    await this.#host.report({ type: 'started', version, model: null });
    const { session } = this.#task;
    if (session === null) return this.#new();
    const loaded = await this.#load(session, isObject(agentCapabilities) && agentCapabilities.loadSession === true);
    if (loaded === null) return null;
    if (this.#task.anew === null || loaded === GONE) return failureEvent('session_gone', sessionGone(loaded));
    await this.#host.report({ type: 'message', role: 'warning', text: `a new session: ${loaded}`, delta: false });
    return this.#new();
  }

  async #new(): Promise<MappedEvent | null> {
    const opened = await this.#ask('session/new', this.#place());
    if (!opened.ok) return failed('acp_session', opened);
    const { sessionId, models } = opened.result;
    if (typeof sessionId !== 'string' || sessionId === '')
      return failureEvent('acp_session', 'the program opened a session without an id');
    await this.#open(sessionId);
    const model = isObject(models) && typeof models.currentModelId === 'string' ? models.currentModelId : null;
    if (model !== null) await this.#host.report({ type: 'started', version: null, model });
    return null;
  }

  /** Null: the session goes on; else why it does not. */
  async #load(session: string, canLoad: boolean): Promise<string | null> {
    if (!canLoad) return 'the program loads no sessions';
    this.#isReplay = true;
    this.#costBefore = null;
    const loaded = await this.#ask('session/load', { sessionId: session, ...this.#place() });
    this.#isReplay = false;
    this.#calls.clear();
    if (!loaded.ok) return loaded.message;
    await this.#open(session);
    return null;
  }

  #place(): JsonObject {
    return { cwd: this.#task.cwd, mcpServers: [...this.#task.mcpServers] };
  }

  async #open(session: string): Promise<void> {
    this.#session = session;
    await this.#host.report({ type: 'session', sessionId: session });
  }

  async #prompt(): Promise<void> {
    const isResumed = this.#task.session !== null && this.#session === this.#task.session;
    let text = isResumed ? this.#task.statement : (this.#task.anew ?? this.#task.statement);
    for (let follow = 0; ; follow += 1) {
      this.#denials = [];
      this.#hasSpoken = false;
      this.#usage.begin();
      const ended = await this.#ask('session/prompt', {
        sessionId: this.#session,
        prompt: [{ type: 'text', text }],
      });
      if (!ended.ok) {
        if (ended.message !== GONE) await this.#finish([failed('acp_prompt', ended)]);
        return;
      }
      for (const event of this.#usage.end(ended.result)) await this.#host.report(event);
      // Some agents end their turn when something is refused, and their model never hears of it.
      const isCut = this.#denials.length > 0 && !this.#hasSpoken && ended.result.stopReason === 'end_turn';
      if (!isCut || follow >= MAX_FOLLOW_UPS) return this.#finish([resultEvent(ended.result)]);
      text = afterDenials(this.#denials);
    }
  }

  async #handle({ method, params, id }: Incoming): Promise<void> {
    if (this.#isOver) return;
    if (method === 'session/update' && isObject(params.update)) return this.#update(params.update);
    if (id === null) return;
    if (method !== 'session/request_permission') return this.#rpc.refuse(id, method);
    return this.#permit(id, params);
  }

  async #update(update: JsonObject): Promise<void> {
    const cost = costOf(update);
    if (this.#isReplay) {
      if (cost !== null) this.#costBefore = cost;
      return;
    }
    if (cost !== null && this.#costBefore !== null)
      await this.#host.report(costEvent(Math.max(0, cost - this.#costBefore)));
    const used = this.#usage.take(update);
    if (used !== null) await this.#host.report(used);
    const message = messageOf(update);
    if (message !== null) {
      this.#hasSpoken = true;
      await this.#host.report(message);
    }
    if (update.sessionUpdate === 'tool_call' || update.sessionUpdate === 'tool_call_update') await this.#called(update);
  }

  /** Reported twice of each call: when it begins, and when it has ended. */
  async #called(update: JsonObject): Promise<void> {
    const call = callIn(update, this.#calls);
    if (call === null || this.#ended.has(call.id)) return;
    const isKnown = this.#calls.has(call.id);
    this.#calls.set(call.id, call);
    const isEnd = callStatus(call.status) !== '';
    const reported = named(this.#task.tools, call);
    if (!isKnown && isEnd) await this.#host.report(callEvent({ ...reported, status: '' }, null));
    if (!isKnown || isEnd) await this.#host.report(callEvent(reported, isEnd ? outputOf(update.content) : null));
    if (!isEnd) return;
    this.#ended.add(call.id);
    await this.#judge(call);
  }

  /** A call that was made without having been asked about is only let pass if nobody had to be. */
  async #judge(call: AcpCall): Promise<void> {
    const { gate, tools } = this.#task;
    const isOwn = isOwnCall(tools, call);
    if (isOwn || gate === null || gate.answers.has(call.id)) return;
    const { verdict } = await gate.ask({ ...(announcedOf(call) ?? unannouncedOf(call)), isMade: true });
    if (verdict !== 'allow') this.#host.stop('ungoverned');
  }

  async #permit(id: string | number, params: JsonObject): Promise<void> {
    const call = callIn(params.toolCall, this.#calls);
    if (call !== null) {
      if (!this.#calls.has(call.id))
        await this.#host.report(callEvent({ ...named(this.#task.tools, call), status: '' }, null));
      this.#calls.set(call.id, call);
    }
    const answer = await this.#decide(call, params);
    if (answer === 'defer') return this.#host.stop('deferred');
    this.#rpc.answer(id, chosen(params, answer === 'allow' ? 'allow_once' : 'reject_once'));
  }

  async #decide(call: AcpCall | null, params: JsonObject): Promise<'allow' | 'deny' | 'defer'> {
    const { gate } = this.#task;
    if (gate === null) {
      if (call !== null && canAllow(params) && skillOf(this.#task.tools, call) !== null) return 'allow';
      const rationale = call === null ? '' : call.input === null ? call.title : JSON.stringify(call.input);
      await this.#host.report({ type: 'approval', id: call?.id ?? null, capability: call?.kind ?? '', rationale });
      return 'deny';
    }
    const announced = call === null ? null : requestedOf(call, params);
    if (announced === null || !canAllow(params)) {
      const what = call === null ? 'a call without an id' : `${call.kind} ${call.title}`.slice(0, 200);
      this.#denials.push(`${what}: the request does not say what would be carried out, so nobody can decide about it`);
      if (call !== null) gate.refused(call.id);
      return 'deny';
    }
    const skill = call === null ? null : skillOf(this.#task.tools, call);
    const answer = await gate.ask(skill === null ? announced : { ...announced, skill });
    if (answer.verdict === 'deny') this.#denials.push(`${announced.tool}: ${answer.reason}`);
    return answer.verdict;
  }
}
