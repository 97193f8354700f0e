import type { ModelFailure, ModelRequest, ModelResult, ModelUsage } from '../../domain/ports/model.js';
import { isObject } from '../../lib/json.js';
import { frozen, must, resultOf } from './case.js';
import { conformanceOf, openIn, type Subject } from './common.js';
import { survivesJson, usageProblem } from './executor-result.js';
import { answering, type ContractFixtures, type Network, SILENT, UNREACHABLE, type World } from './world.js';

const FINISHES: readonly unknown[] = ['stop', 'tool_calls', 'length', 'content_filter', 'other'];
const KINDS: Readonly<Record<ModelFailure['kind'], true>> = {
  timeout: true,
  rate_limited: true,
  overloaded: true,
  server: true,
  network: true,
  cut_stream: true,
  malformed: true,
  auth: true,
  bad_request: true,
  quota: true,
  context_overflow: true,
  unfilled: true,
};

const isCountOrNull = (value: unknown): boolean =>
  value === null || (typeof value === 'number' && Number.isFinite(value) && value >= 0);

function partProblem(part: unknown): string | null {
  if (!isObject(part)) return 'a part that is not an object';
  if (part.type === 'text') return typeof part.text === 'string' ? null : 'a text part without text';
  if (part.type !== 'tool_call')
    return `a part of the type ${JSON.stringify(part.type)}; an answer holds text and tool_call`;
  if (typeof part.id !== 'string' || part.id === '') return 'a tool call without an id';
  if (typeof part.name !== 'string' || part.name === '') return 'a tool call without a name';
  return isObject(part.input) && survivesJson(part.input) ? null : 'a tool call whose input is not a JSON object';
}

function failureProblem(failure: unknown): string | null {
  if (!isObject(failure)) return 'a failure that is not an object';
  if (typeof failure.kind !== 'string' || !Object.hasOwn(KINDS, failure.kind))
    return `a failure of the unknown kind ${JSON.stringify(failure.kind)}`;
  if (typeof failure.message !== 'string' || failure.message === '') return 'a failure without a message';
  if (!isCountOrNull(failure.status)) return 'a failure whose status is neither null nor a number';
  return isCountOrNull(failure.retryAfterMs) ? null : 'a failure whose retryAfterMs is neither null nor a number';
}

/** What is wrong with the result of a model provider, in words; null = nothing. */
function modelResultProblem(result: ModelResult): string | null {
  const value: unknown = result; // the types say what the contribution promised, not what it gave
  if (!isObject(value) || typeof value.ok !== 'boolean') return 'no result';
  if (!value.ok) return failureProblem(value.failure);
  const { response } = value;
  if (!isObject(response) || !Array.isArray(response.parts)) return 'an answer without parts';
  const part = response.parts.map(partProblem).find((problem) => problem !== null);
  if (part !== undefined) return part;
  if (!FINISHES.includes(response.finish)) return `the unknown finish ${JSON.stringify(response.finish)}`;
  if (typeof response.model !== 'string') return 'an answer that does not name its model';
  return usageProblem(response.usage);
}

/** What the suite asks of a model provider, and what its server answers. */
export interface ModelProviderFixtures extends ContractFixtures {
  /** A model that the provider knows; default 'contract-model'. */
  readonly model?: string;
  /**
   * What the server answers to a request without tools. Without it a provider that asks a server is
   * not tried with an answer.
   */
  readonly answer?: {
    readonly status?: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body: string;
  };
}

type Sub = Subject<'modelProviders', ModelProviderFixtures>;

const requestFor = ({ model = 'contract-model' }: ModelProviderFixtures): ModelRequest => ({
  model,
  messages: [
    { role: 'system', parts: [{ type: 'text', text: 'You answer in one word.' }] },
    { role: 'user', parts: [{ type: 'text', text: 'hello' }] },
  ],
  tools: [],
  outputSchema: null,
  temperature: null,
  maxTokens: null,
  options: {},
});

interface Probe {
  readonly world: World;
  readonly result: ModelResult;
}

type Stop = 'before' | 'during' | null;

async function ask(subject: Sub, network: Network, stop: Stop = null): Promise<Probe> {
  const { world, instance: provider } = await openIn(subject, network);
  const controller = new AbortController();
  if (stop === 'before') controller.abort();
  if (stop === 'during') void world.asked.then(() => controller.abort());
  const generate = () =>
    provider.generate(frozen(requestFor(subject.fixtures)), { signal: controller.signal, stepId: 'contract-step' });
  const result = await resultOf<ModelResult>(generate, world.deadlineMs, 'generate');
  const problem = modelResultProblem(result);
  must(problem === null, `generate answered with ${problem}`);
  return { world, result };
}

const NO_SERVER = 'it asked no server';

const failing =
  (network: Network, ...kinds: readonly ModelFailure['kind'][]) =>
  async (subject: Sub): Promise<string | null> => {
    const { world, result } = await ask(subject, network);
    if (world.requests.length === 0) return NO_SERVER;
    must(!result.ok, 'it gave an answer although its server gave none');
    must(kinds.includes(result.failure.kind), `it calls it ${result.failure.kind}, not ${kinds.join(' or ')}`);
    return null;
  };

async function answersWell(subject: Sub): Promise<string | null> {
  const { answer } = subject.fixtures;
  const network =
    answer === undefined
      ? UNREACHABLE
      : answering(answer.status ?? 200, answer.body, { headers: answer.headers ?? {} });
  const { world, result } = await ask(subject, network);
  if (answer === undefined && world.requests.length > 0) return 'no `answer` of its server was given';
  must(result.ok, `it failed: ${result.ok ? '' : `${result.failure.kind}, ${result.failure.message}`}`);
  return null;
}

async function isStopped(subject: Sub, stop: Stop): Promise<string | null> {
  const { world, result } = await ask(subject, SILENT, stop);
  if (world.requests.length === 0 && result.ok) return 'it answers without waiting for anything';
  must(!result.ok, 'it gave an answer although it was stopped');
  must(result.failure.kind === 'timeout', `it calls a stop ${result.failure.kind}, not timeout`);
  return null;
}

async function hidesSecrets(subject: Sub): Promise<string | null> {
  const echoes = [
    UNREACHABLE,
    answering(401, '{"error":{"message":"bad key"}}', { echo: true }),
    answering(500, 'oops ', { echo: true }),
  ];
  let asked = 0;
  for (const network of echoes) {
    const { world, result } = await ask(subject, network);
    asked += world.requests.length;
    world.mustHideSecrets({ 'its result': result });
  }
  return asked === 0 ? NO_SERVER : null;
}

const USAGES: readonly ModelUsage[] = [
  { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0, costUsd: null },
  { inputTokens: 1000, outputTokens: 50, cachedInputTokens: 400, reasoningTokens: 10, costUsd: null },
];

async function pricesAlike(subject: Sub): Promise<string | null> {
  const { model = 'contract-model' } = subject.fixtures;
  const { world, instance: provider } = await openIn(subject);
  for (const usage of USAGES) {
    const [one, two]: readonly unknown[] = [provider.price(model, frozen(usage)), provider.price(model, frozen(usage))];
    const isPrice = one === null || (typeof one === 'number' && Number.isFinite(one) && one >= 0);
    must(isPrice, `price gave ${String(one)}; it is USD, at once, or null for unknown`);
    must(one === two, `price gave ${String(one)}, then ${String(two)} for the same usage`);
  }
  // spread of a tuple member: the field set is complete
  const unknown = { ...USAGES[0], unreported: true } as ModelUsage;
  const price = provider.price(model, frozen(unknown));
  must(price === null || price === 0, `price gave ${price} for a usage that nobody reported`);
  must(world.requests.length === 0, 'price asked the network');
  return null;
}

/**
 * The contract of `modelProviders`: what the engine relies on for each model call. Cases run one
 * after the other.
 */
export const modelProviderConformance = conformanceOf<'modelProviders', ModelProviderFixtures>('modelProviders', {
  'answers with a result of the known shape': answersWell,
  'answers with a failure when its server cannot be reached': failing(UNREACHABLE, 'network'),
  'answers with a failure when its server refuses the key': failing(
    answering(401, '{"error":{"message":"no"}}'),
    'auth',
  ),
  'answers with a failure when its server has had too many requests': failing(
    answering(429, '{"error":{"message":"slow"}}', { headers: { 'retry-after': '7' } }),
    'rate_limited',
  ),
  'answers with a failure when its server is broken': failing(
    answering(500, '{"error":{"message":"oops"}}'),
    'server',
    'overloaded',
  ),
  'answers with a failure when its server answers with something else': failing(
    answering(200, '<html>hello</html>'),
    'malformed',
    'cut_stream',
    'server',
  ),
  'answers with the failure timeout when it was stopped before': (subject) => isStopped(subject, 'before'),
  'answers with the failure timeout when it is stopped while its server is silent': (subject) =>
    isStopped(subject, 'during'),
  'shows no secret in a failure, although its server repeats what it was sent': hidesSecrets,
  'prices the same usage alike, at once and without the network': pricesAlike,
});
