import type { AgentNode } from '../../../src/domain/agent-node.js';
import type { StoredEvent } from '../../../src/domain/events.js';
import { foldUsage } from '../../../src/domain/fold-usage.js';
import type { StepOutcome } from '../../../src/domain/journal.js';
import type { Json, JsonObject } from '../../../src/domain/json.js';
import type { Executor } from '../../../src/domain/ports/executor.js';
import type { MessagePart } from '../../../src/domain/ports/model.js';
import type { RunSnapshot } from '../../../src/domain/snapshot.js';
import { readWorkerHost } from '../../../src/system/worker-host.js';
import { createWorktrees } from '../../../src/system/worktrees/worktrees.js';
import { lastText } from '../../support/deciding.js';
import type { TestRepository } from '../../support/repository.js';
import { agent, call, type Turn, type World, type WorldOptions } from '../../support/run-world.js';

/** Every way in which an agent comes to run: who starts it, and what carries it out. */
export const WAYS = [
  { name: 'by a model, as the root', place: 'root', executor: 'model' },
  { name: 'by a model, inside its parent', place: 'inline', executor: 'model' },
  { name: 'by a model, parallel to a sibling', place: 'parallel', executor: 'model' },
  { name: 'by a model, in a wave of siblings', place: 'wave', executor: 'model' },
  { name: 'by a model, as a task of a plan', place: 'planned', executor: 'model' },
  { name: 'by a harness, as the root', place: 'root', executor: 'harness' },
  { name: 'by a harness, as a task of a plan', place: 'planned', executor: 'harness' },
] as const;

export type Way = (typeof WAYS)[number];

/** The agent that is compared, and what it says to what it is told. */
export interface Subject {
  readonly node?: Partial<AgentNode>;
  readonly says: (reported: string) => string | typeof BROKEN;
}

/** The agent's provider, or its harness, fails. */
export const BROKEN = Symbol('broken');

export const SUBJECT = 'subject';
/** The input of every world. */
const TASK = 'the task';

const USAGE = { inputTokens: 10, outputTokens: 5, cachedInputTokens: 0, reasoningTokens: 0, costUsd: 0.001 };

/** Told by a session that failed: one that tells nothing costs an unknown amount. */
const NOTHING = { ...USAGE, inputTokens: 0, outputTokens: 0, costUsd: 0 };

/** The same topology, one way or the other. */
export function worldOf(
  way: Way,
  subject: Subject,
  more: Partial<WorldOptions> & { readonly repository: TestRepository },
): WorldOptions {
  const { repository, script, facilities, snapshot, ...options } = more;
  const node = agent(SUBJECT, { role: 'worker', ...executorOf(way), ...subject.node });
  const root = rootOf(way, node);
  return {
    root,
    executor: harnessOf(subject),
    ...options,
    script: (turn) => {
      if (turn.agent === SUBJECT) return said(subject.says(allText(turn)));
      if (turn.agent === 'boss') return bossSays(way, turn);
      return turn.agent === 'sibling' ? 'The sibling is done.' : (script?.(turn) ?? 'nothing');
    },
    // A judge is asked on the model of the first agent that has one; a harness alone has none.
    snapshot: { ...(way.place === 'planned' ? { planning: PLANNING } : {}), models: modelsOf(root), ...snapshot },
    facilities: (base) => ({
      workspaceRoot: repository.root,
      childEnv: repository.env,
      worktrees: createWorktrees({ env: repository.env, owner: readWorkerHost(), tempRoot: repository.temp }),
      ...facilities?.(base),
    }),
  };
}

const PLANNING = { scopeRequired: false, twoPhase: false, synthesisRoles: ['self'], synthesizerRole: 'synthesizer' };

const executorOf = ({ executor }: Way): Partial<AgentNode> =>
  executor === 'model' ? {} : { executor: { kind: 'plugin', ref: 'scripted', config: {}, onInDoubt: 'repeat' } };

function rootOf({ place }: Way, subject: AgentNode): AgentNode {
  const sibling = (dependsOn: readonly string[] = []) => agent('sibling', { dependsOn });
  const boss = (...children: readonly AgentNode[]) => agent('boss', { role: 'root', children });
  switch (place) {
    case 'root':
      return subject;
    case 'inline':
      return boss(subject);
    case 'parallel':
    case 'planned':
      return boss(subject, sibling());
    case 'wave':
      return boss(subject, sibling([SUBJECT]));
  }
}

function modelsOf(root: AgentNode): RunSnapshot['models'] {
  const ids = ['judge:judge', root.id, ...root.children.map(({ id }) => id)];
  return Object.fromEntries(
    ids.map((id) => [id, { provider: 'fake', model: 'fake-1', toolProvider: 'fake', toolModel: 'fake-1' }]),
  );
}

function bossSays({ place }: Way, { turn, request }: Turn): readonly MessagePart[] | string {
  if (turn > 0) return `The boss is done: ${lastText(request)}`;
  const subject = call(`delegate_to_${SUBJECT}`, { task: TASK }, 'c0');
  const tasks = [SUBJECT, 'sibling'].map((id) => ({ id, agent: id, instruction: TASK }));
  if (place === 'planned') return [call('create-task-plan', { tasks })];
  return place === 'parallel' ? [subject, call('delegate_to_sibling', { task: TASK }, 'c1')] : [subject];
}

const said = (text: string | typeof BROKEN) =>
  text === BROKEN
    ? { ok: false as const, failure: { kind: 'server' as const, message: 'HTTP 500', status: 500, retryAfterMs: null } }
    : text;

/**
 * All that a model sees that it is to answer now: what stands before its last own words is done
 * with.
 */
function allText({ request }: Turn): string {
  const last = request.messages.findLastIndex(({ role }) => role === 'assistant');
  const parts = request.messages.slice(last + 1).flatMap(({ role, parts }) => (role === 'user' ? parts : []));
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
}

function harnessOf({ says }: Subject): Executor {
  return {
    run: async ({ statement }) => {
      const text = says(statement);
      const rest = {
        message: 'HTTP 500',
        exitCode: 0,
        signal: null,
        stderrTail: '',
        usage: text === BROKEN ? NOTHING : USAGE,
      };
      return text === BROKEN
        ? { status: 'failure', reason: 'server', output: '', ...rest }
        : { status: 'success', reason: null, output: text, ...rest };
    },
  };
}

/**
 * What is left of an agent's run when only the agent, and not the way it came to run, is looked at.
 */
export interface Facts {
  /** Its events in order, without those of its carrier. */
  readonly events: readonly { readonly type: string; readonly payload: JsonObject }[];
  readonly outcome: Json;
  readonly tokens: readonly [number, number];
  readonly costUsd: number | null;
}

export async function factsOf(world: World): Promise<Facts> {
  const events = await world.events();
  const rows = await world.stores.runs.load(world.job.id);
  const row = rows.find(({ kind, agentId }) => kind === 'activation' && agentId === SUBJECT);
  if (row === undefined) throw new Error('the agent did not run');
  const isOwn = (key: string | null): boolean =>
    key !== null && (key === row.key || (key.startsWith(`${row.key}/`) && !key.startsWith(`${row.key}/memory`)));
  // What people decided stands at no step.
  const isOwnEvent = ({ stepKey, agentId }: StoredEvent): boolean =>
    isOwn(stepKey) || (stepKey === null && agentId === SUBJECT);
  const usage = foldUsage(rows.filter(({ key }) => isOwn(key)));
  return {
    events: events
      .filter((event) => isOwnEvent(event) && !CARRIERS.includes(event.type))
      .map((event) => shown(event, { key: row.key, jobId: world.job.id })),
    outcome: outcomeOf(row.outcome),
    tokens: [usage.inputTokens, usage.outputTokens],
    costUsd: usage.costUsd,
  };
}

/**
 * What may differ, and why. Nothing else may.
 * - Events of a carrier: a model call, or a session with its messages. Each way has its own, and
 *   both tell what was used.
 */
export const CARRIERS: readonly string[] = [
  'model.called',
  'executor.started',
  'executor.message',
  'executor.tool_call',
  'executor.result',
];

/**
 * - Where the agent hangs (`activation`, `parent_key`), what carries it (`executor`), how long it
 *   took, and the random id of a decision.
 */
const PLACE: readonly string[] = ['activation', 'parent_key', 'executor', 'duration_ms', 'decision_id'];

/**
 * - The reason of a failed carrier names the carrier: `provider.server` of a model,
 *   `executor.server` of a harness.
 */
export const carried = (reason: string): string => reason.replace(/^(provider|executor)\./, '<carrier>.');

function shown(
  { type, payload }: StoredEvent,
  at: { readonly key: string; readonly jobId: string },
): Facts['events'][number] {
  const entries = Object.entries(payload as unknown as JsonObject).filter(([name]) => !PLACE.includes(name));
  // The key of the agent is where it hangs as well, and its run is another one.
  const text = JSON.stringify(Object.fromEntries(entries)).replaceAll(at.key, '<agent>').replaceAll(at.jobId, '<run>');
  const plain = JSON.parse(text) as JsonObject;
  return { type, payload: typeof plain.reason === 'string' ? { ...plain, reason: carried(plain.reason) } : plain };
}

/**
 * - Where nothing but harnesses runs there is no model that could look for memories, and the run of
 *   a plan goes on when a task of it failed: `runEnd` of the test says so.
 */
function outcomeOf(outcome: StepOutcome<Json> | null): Json {
  if (outcome === null) return null;
  if (outcome.status === 'ok') return { status: 'ok', value: outcome.value };
  const isCarrier = carried(outcome.reason) !== outcome.reason;
  return {
    status: 'failed',
    reason: carried(outcome.reason),
    ...(isCarrier ? {} : { message: outcome.message, data: outcome.data ?? null }),
  };
}
