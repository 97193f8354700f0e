import { isKitError, type KitError } from '../../domain/errors.js';
import { DEFAULTS } from '../../domain/generated/defaults.js';
import type { Json } from '../../domain/json.js';
import type { AgentTask } from '../../domain/ports/agent-transport.js';
import type { RemoteAgent, RemoteAgents, RemoteMessage } from '../../domain/ports/remote-agents.js';
import { isParked, type Parked } from '../park.js';
import { pauseFor } from '../pause-for.js';
import type { RunServices } from '../services.js';
import { failedEnd } from '../step-ends.js';
import type { StepContext, StepEnd } from '../step-types.js';
import { inputOf } from './child-run.js';
import { allowanceOf } from './remote-budget.js';
import { endpointOf, isPassing, lookMs, type RemoteNote, remoteNoteOf, watchedMs } from './remote-note.js';
import { factsOf, withUsage } from './remote-usage.js';
import type { AgentCall } from './skill-call.js';

type Answer = StepEnd<{ output: Json }>;

/** Looks at a task just sent, before the run lets go of its slot: most answers are short. */
const FIRST_LOOKS_MS: readonly number[] = [200, 400, 800];

/** One call in this claim, with what is known of it. */
interface Calling extends AgentCall {
  readonly services: RunServices;
  readonly agents: RemoteAgents;
  readonly remote: RemoteAgent;
}

/**
 * A message to an agent that runs elsewhere, and the task that comes of it. The message is the same
 * on each attempt, and the id of the task is in the row before anything waits for it: after a crash
 * the task that there is is found again. Until it has come to an end the call is parked, and the
 * run holds no slot (docs/a2a.md#remote-agents).
 */
export async function callRemote(services: RunServices, called: AgentCall): Promise<Answer | Parked> {
  const { remoteAgents: agents, signal } = services;
  const { agent, call, context } = called;
  if (agents === undefined || agent.cardUrl === null)
    return failedEnd(
      'remote_agents_unavailable',
      `${call.skill.id} calls an agent that runs elsewhere, and nothing here can`,
    );
  const { cardUrl, skillId, credentialsRef } = agent;
  const calling = { ...called, services, agents, remote: { cardUrl, skillId, credentialsRef, signal } };
  const known = remoteNoteOf(context.notes);
  return known?.task == null ? send(calling, known) : look(calling, known);
}

async function send(calling: Calling, known: RemoteNote | null): Promise<Answer | Parked> {
  const { services, agents, remote, call, context } = calling;
  if (known?.isSending === true && !known.deduplicates && call.skill.onInDoubt !== 'repeat')
    return failedEnd(
      'remote_in_doubt',
      'the message may have arrived before a crash, and the agent does not recognise one that it has had',
    );
  const { cardUrl, skillId, credentialsRef } = remote;
  const before: RemoteNote = known ?? {
    agent: { cardUrl, skillId, credentialsRef },
    ...{ task: null, isSending: false, deduplicates: true, looks: 0, workedMs: 0, at: now(calling) },
  };
  let note = before;
  const early = allowanceOf(services, calling, note);
  if (early.kind === 'over') return failedEnd('remote_budget', early.why);
  try {
    const card = await agents.card(remote);
    const { url, version, name, deduplicates, streaming, honorsBudget, returnsUsage = false } = card;
    note = { ...before, url, version, name, deduplicates, streaming, honorsBudget, returnsUsage };
    const allowed = allowanceOf(services, calling, note);
    if (allowed.kind === 'over') return failedEnd('remote_budget', allowed.why);
    if (allowed.kind === 'held') return parkedFor(calling, { ...note, at: now(calling) }, allowed.why);
    // In the turn in which it was counted: another call of the run finds it reserved.
    note = { ...note, budget: allowed.budget, isSending: true };
    await keep(context, note);
    const task = await agents.send(remote, { url, version }, messageOf(calling, note.budget));
    const { id, state, gateUrl } = task;
    note = { ...note, isSending: false, task: id, state, gateUrl, looks: 0, at: now(calling) };
    await keep(context, note);
    return await cameTo(calling, note, task);
  } catch (error) {
    if (!isKitError(error) || !isPassing(error) || services.signal.aborted) throw error;
    // Not a byte of it can have arrived: nothing is in doubt.
    const isSending = note.isSending && error.data?.isSent !== false;
    if (isSending && !note.deduplicates && call.skill.onInDoubt !== 'repeat')
      return failedEnd('remote_in_doubt', `the message may have arrived: ${error.message}`);
    return again(calling, { ...note, isSending }, error);
  }
}

const messageOf = ({ call, context }: Calling, budget: RemoteMessage['budget'] = NO_BUDGET): RemoteMessage => ({
  messageId: context.stepId,
  input: inputOf(call),
  budget,
});

const NO_BUDGET: RemoteMessage['budget'] = { usd: null, turns: null, wallClockMs: null };

async function look(calling: Calling, known: RemoteNote): Promise<Answer | Parked> {
  const { services, agents, remote } = calling;
  try {
    return await cameTo(calling, known, await agents.get(remote, endpointOf(known), known.task ?? ''), true);
  } catch (error) {
    if (!isKitError(error) || !isPassing(error) || services.signal.aborted) throw error;
    return again(calling, known, error);
  }
}

const now = ({ services }: Calling): number => services.clock.now();

const keep = (context: StepContext, note: RemoteNote): Promise<void> => context.note({ remote: note });

/** What a task is at this look. `isLate`: the run came back for it. */
async function cameTo(calling: Calling, known: RemoteNote, task: AgentTask, isLate = false): Promise<Answer | Parked> {
  const at = now(calling);
  const hasMoved = isLate && (task.state !== known.state || task.gateUrl !== (known.gateUrl ?? null));
  const moved = hasMoved ? { moves: (known.moves ?? 0) + 1, movedAt: at } : {};
  let note: RemoteNote = { ...worked(calling, known), ...moved, state: task.state, gateUrl: task.gateUrl };
  let seen = task;
  for (const ms of isLate ? [] : FIRST_LOOKS_MS) {
    if (seen.state !== 'working') break;
    await pauseFor(calling.services, ms);
    if (calling.services.signal.aborted) break;
    seen = await calling.agents.get(calling.remote, endpointOf(note), note.task ?? '');
    note = { ...worked(calling, note), state: seen.state, gateUrl: seen.gateUrl };
  }
  switch (seen.state) {
    case 'completed':
      return withUsage(calling, note, seen, { outcome: { status: 'ok', value: { output: seen.output } } });
    case 'failed':
      return withUsage(calling, note, seen, failedEnd('remote_failed', seen.text ?? 'the agent failed', factsOf(note)));
    case 'canceled':
      return withUsage(calling, note, seen, failedEnd('remote_canceled', 'the task was canceled', factsOf(note)));
    case 'input-required':
      return seen.gateUrl === null
        ? asked(calling, { ...note, contextId: seen.contextId }, seen)
        : parkedFor(calling, note);
    case 'working':
      return parkedFor(calling, note);
  }
}

/** The agent asks something, and names no place where people of its own answer. */
async function asked(calling: Calling, known: RemoteNote, task: AgentTask): Promise<Answer | Parked> {
  const { services, agents, remote, agent, call, context } = calling;
  const { on_unanswerable, max_agent_answers } = DEFAULTS.AgentImplementation;
  const { onUnanswerable: policy = on_unanswerable, maxAgentAnswers = max_agent_answers } = agent;
  const question = task.text ?? 'it does not say what';
  const n = (known.answered ?? 0) + 1;
  const unanswerable = async (why: string): Promise<Answer> => {
    await cancel(calling, known);
    const message = `the agent asks: ${question}${why === '' ? '' : `; ${why}`}`;
    return withUsage(calling, known, task, failedEnd('remote_unanswerable', message, factsOf(known)));
  };
  if (policy === 'abort') return unanswerable('');
  if (policy === 'agent' && n > maxAgentAnswers) return unanswerable(`it had ${maxAgentAnswers} answers`);
  if (known.isAnswering === true && !known.deduplicates && call.skill.onInDoubt !== 'repeat')
    return failedEnd('remote_in_doubt', 'an answer may have arrived before a crash', factsOf(known));
  const { answerAsAgent, relayQuestion } = await import('./remote-question.js');
  const of = { call, agent: known.name ?? call.skill.id, question, n };
  const said = await (policy === 'agent' ? answerAsAgent : relayQuestion)(services, of);
  if (isParked(said)) return said;
  if (said.answer === null || said.answer === '') return unanswerable(said.why);
  const taskId = known.task ?? '';
  await keep(context, { ...known, isAnswering: true });
  const answers = { taskId, contextId: known.contextId ?? null };
  const message = {
    ...messageOf(calling, known.budget),
    messageId: `${context.stepId}-${n}`,
    answers,
    input: said.answer,
  };
  let sent: AgentTask;
  try {
    sent = await agents.send(remote, endpointOf(known), message);
  } catch (error) {
    if (!isKitError(error) || !isPassing(error) || services.signal.aborted) throw error;
    return again(calling, { ...known, isAnswering: error.data?.isSent !== false }, error);
  }
  const note = {
    ...known,
    isAnswering: false,
    answered: n,
    state: sent.state,
    gateUrl: sent.gateUrl,
    at: now(calling),
  };
  await keep(context, note);
  return cameTo(calling, note, sent);
}

/** Time counts while the other side works, never while it waits for people. */
function worked(calling: Calling, note: RemoteNote): RemoteNote {
  const at = now(calling);
  const isWorking = note.state !== 'input-required';
  return { ...note, at, workedMs: note.workedMs + (isWorking ? Math.max(0, at - note.at) : 0) };
}

/** A side that cannot be asked uses up the time of the call as one that works. */
async function again(calling: Calling, known: RemoteNote, error: KitError): Promise<Answer | Parked> {
  const note = worked(calling, known);
  return parkedFor(calling, note, error.message);
}

async function parkedFor(calling: Calling, note: RemoteNote, trouble?: string): Promise<Answer | Parked> {
  const { agent, call, context } = calling;
  if (note.state !== 'input-required' && note.workedMs >= agent.timeoutMs) {
    await cancel(calling, note);
    return failedEnd(
      'remote_timeout',
      `the agent did not come to an end in ${agent.timeoutMs / 1000} s`,
      factsOf(note),
    );
  }
  await keepAndReport(calling, { ...note, looks: note.looks + 1 });
  const who = note.name ?? call.skill.id;
  const what =
    trouble ??
    (note.state === 'input-required' ? `waits for people: ${note.gateUrl ?? ''}` : `works on task ${note.task ?? ''}`);
  const wait = { id: `remote:${call.key}`, text: `agent ${who} ${what}`, isUnderWay: true } as const;
  // Whoever watches the task wakes the run before.
  const watched = { remote: context.key, wakeAfterMs: watchedMs(note, agent.timeoutMs) };
  // A message that did not arrive is sent again.
  const isUnsent = note.task === null || (note.state === 'input-required' && note.gateUrl === null);
  return { parked: [{ ...wait, ...(isUnsent ? { wakeAfterMs: lookMs(note.looks) } : watched) }] };
}

/** A wait is reported when it begins and when it becomes another one. */
async function keepAndReport({ call, context }: Calling, note: RemoteNote): Promise<void> {
  const gateUrl = note.state === 'input-required' ? (note.gateUrl ?? null) : null;
  const reported = `${note.task ?? ''} ${gateUrl ?? ''}`;
  if (note.task === null || reported === note.told) return keep(context, note);
  const reason = gateUrl === null ? 'remote.working' : 'remote.people';
  const payload = {
    key: context.key,
    reason,
    tries: 1,
    until: null,
    agent: note.name ?? call.skill.id,
    gate_url: gateUrl,
  };
  const from = { agentId: call.activation.node.id, skillId: call.skill.id };
  await context.note({ remote: { ...note, told: reported } }, [{ type: 'step.waiting', ...from, payload }]);
}

/** Whoever does not answer ends by its own limits. */
async function cancel({ agents, remote }: Calling, note: RemoteNote): Promise<void> {
  if (note.task === null) return;
  await agents.cancel(remote, endpointOf(note), note.task).catch(() => undefined);
}
