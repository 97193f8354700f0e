import type { AgentNode, ModelChoice } from '../../domain/agent-node.js';
import type { Json } from '../../domain/json.js';
import type { MemoryCandidate, MemoryWritten } from '../../domain/ports/memory.js';
import { MEMORY_MODEL, ruleSetOf } from '../../domain/snapshot.js';
import { candidatesOf } from '../../govern/memory/candidates.js';
import { reconcileMemory } from '../../govern/memory/reconcile.js';
import {
  CURATOR_SCHEMA,
  curatorPrompt,
  extractionBefore,
  type FinishedWork,
  SCHEMA_BEFORE,
} from '../../prompts/memory.js';
import { textTask } from '../activation-call.js';
import { answerCheck } from '../answer-check.js';
import { authorizeRemember, policyDenied, REMEMBER } from '../authorize.js';
import { callModel } from '../model-call.js';
import type { NewEvent } from '../new-event.js';
import type { RunMemory } from '../services/run-stores.js';
import type { RunServices } from '../services.js';
import { finishedWork } from './finished-work.js';
import { lookUp } from './recall.js';

/** Providers that stand in for a model: they would copy the question back. */
const NO_MODEL: ReadonlySet<string> = new Set(['kit.mock', 'kit.rules']);
const [MAX_ANSWER_TOKENS, TOKENS_BEFORE] = [4_000, 1_000];
/** Characters of the request that are looked at. */
const MAX_REQUEST_CHARS = 4_000;
/** Characters of the work by which known entries are looked up. */
const LOOKED_UP_CHARS = 2_000;

/**
 * Remembers what a completed run found out. It stands at the end of the run, not of a draft: a
 * draft may still be sent back by its own gate or by one above it, and nothing of failed or
 * rejected work is remembered. One model call for the whole run, as a step: its tokens and cost are
 * the run's, it takes none of the step budget, and a run in which no model answers makes none.
 * Nothing that goes wrong here changes the result of the run.
 */
export async function remember(services: RunServices, request: string): Promise<void> {
  const { memory, snapshot, steps } = services;
  const settings = snapshot.memory;
  if (memory === undefined || settings === undefined) return;
  const { root } = snapshot.topology;
  const works = finishedWork(steps.deps.session.all(), { root, minLength: settings.minOutputLength });
  const node = works.length === 0 ? null : nodeWithModel(services, root);
  if (node === null) return;
  const candidates = await extract(services, { memory, works, node, request });
  if (candidates.length > 0) await write(services, { memory, candidates, node });
}

/** The first agent of the tree that a model answers for; with a model of its own, the root. */
function nodeWithModel(services: RunServices, node: AgentNode): AgentNode | null {
  const { models, providers } = services.snapshot;
  const own = models[MEMORY_MODEL]?.provider;
  const provider = own ?? (node.executor.kind === 'model' ? models[node.id]?.provider : undefined);
  const contribution = provider === undefined ? undefined : providers[provider]?.contribution;
  if (contribution !== undefined && !NO_MODEL.has(contribution)) return node;
  for (const child of node.children) {
    const found = nodeWithModel(services, child);
    if (found !== null) return found;
  }
  return null;
}

interface Extraction {
  readonly memory: RunMemory;
  readonly works: readonly FinishedWork[];
  readonly node: AgentNode;
  readonly request: string;
}

async function extract(
  services: RunServices,
  { memory, works, node, request }: Extraction,
): Promise<readonly MemoryCandidate[]> {
  const key = 'memory/t0';
  const { models } = services.snapshot;
  const choice = models[MEMORY_MODEL] ?? models[node.id];
  if (choice === undefined) return [];
  const isDone = services.steps.rowOf(key)?.outcome != null;
  const text = works.map(({ output }) => output).join('\n');
  const known = isDone
    ? []
    : await lookUp(services, memory, { question: text.slice(0, LOOKED_UP_CHARS), stepKey: key });
  const isOfBefore = ruleSetOf(services.snapshot) < 5;
  const about = { request: request.slice(0, MAX_REQUEST_CHARS).toWellFormed(), works, known };
  const { system, user } = isOfBefore ? extractionBefore(about) : curatorPrompt(about);
  const outcome = await callModel(services, {
    key,
    agentId: node.id,
    skillId: 'memory-writer',
    purpose: 'skill',
    units: 0,
    provider: choice.provider,
    model: choice.model,
    choice: isOfBefore ? settingsBefore(node) : SETTINGS,
    messages: [
      { role: 'system', parts: textTask(system) },
      { role: 'user', parts: textTask(user) },
    ],
    tools: [],
    outputSchema: isOfBefore ? SCHEMA_BEFORE : CURATOR_SCHEMA,
    // One entry that lacks something takes none of the others with it.
    check: answerCheck(services, SCHEMA_BEFORE),
    checkIsFinal: false,
    attempt: 0,
    corrections: 0,
    activation: 'memory',
  });
  if (outcome.status === 'failed' || outcome.value.check?.valid !== true) return [];
  return candidatesOf(outcome.value.check.value, works[0]?.agent ?? node.id);
}

/** Nothing of the agent: its options may not go with this call, or with this model. */
const SETTINGS: ModelChoice = {
  ...{ provider: null, name: null, toolProvider: null, toolModel: null },
  temperature: null,
  maxTokens: MAX_ANSWER_TOKENS,
  options: {},
};

function settingsBefore({ model }: AgentNode): ModelChoice {
  const { effort: _, ...own } = model;
  return { ...own, temperature: null, maxTokens: TOKENS_BEFORE };
}

interface Write {
  readonly memory: RunMemory;
  readonly candidates: readonly MemoryCandidate[];
  readonly node: AgentNode;
}

async function write(services: RunServices, { memory, candidates, node }: Write): Promise<void> {
  const { jobId, correlationId: session } = services;
  const key = 'memory/w';
  const keys = candidates.map(({ subject, attribute }) => `${subject}/${attribute}`);
  await services.steps.run<{ readonly written: Json }>(
    // Written under an id of the run: once more after a crash is once.
    {
      key,
      kind: 'memory',
      identity: { what: 'remember' },
      effects: 'write',
      onInDoubt: 'repeat',
      agentId: null,
      units: 0,
      authorize: () => authorizeRemember(services, { node, keys }),
      onDenied: (decision) => [policyDenied(REMEMBER, decision, { agentId: node.id, skillId: null })],
    },
    async () => {
      const { owner } = memory;
      const run = { origin: 'automatic', owner, session, jobId, writeId: `run/${jobId}` } as const;
      const written = await memory.write({ ...run, candidates, decide: reconcileMemory }, key);
      return {
        outcome: { status: 'ok', value: { written: written.map(({ op, key }) => ({ op, key })) } },
        events: written.map((one, index) => writtenEvent(one, candidates[index])),
      };
    },
  );
}

const writtenEvent = ({ op, key }: MemoryWritten, candidate: MemoryCandidate | undefined): NewEvent => ({
  type: 'memory.written',
  agentId: null,
  skillId: null,
  payload: { op, key, origin: 'automatic', source: candidate?.source ?? '', confidence: candidate?.confidence ?? 0 },
});
