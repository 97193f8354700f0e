import { messageOf } from '../../domain/errors.js';
import type { MemoryHit } from '../../domain/ports/memory.js';
import type { EmbedResult, ModelProvider } from '../../domain/ports/model.js';
import { CallTimeout } from '../../domain/ports/system.js';
import { EMBEDDING_MODEL, numberOf } from '../../domain/snapshot.js';
import { cosine } from '../../lib/ngram-embedding.js';
import { inTime } from '../in-time.js';
import { calledEvent, priced } from '../model-ends.js';
import type { NewEvent } from '../new-event.js';
import { ABORTED } from '../race-abort.js';
import type { RunServices } from '../services.js';
import { StepFailure } from '../step-failure.js';
import type { StepContext, StepEnd } from '../step-types.js';
import { Unfinished } from '../unfinished.js';

/**
 * Characters of a text that is compared: models for embeddings take some thousand tokens, and
 * refuse more.
 */
const MAX_CHARS = 4_000;

export interface Nearness {
  /** By the id of the entry, -1..1; null = the wording counts. */
  readonly near: ReadonlyMap<string, number> | null;
  readonly usage: StepEnd<never>['usage'];
  /** What the event says: who was asked, and why the wording counts instead. */
  readonly embedding: { readonly provider: string; readonly model: string; readonly reason: string | null };
  /** What the log says of the call itself: it is paid for like any call of a model. */
  readonly called: NewEvent;
}

/**
 * How near each entry is to a question, by a provider's embeddings. Question and entries go in one
 * call, so vectors of two models or two settings are never compared, and none is kept. A provider
 * that is down is waited for as for any call of a model. Where it fails the wording counts, and the
 * event and the log say so: what is remembered helps a run, and does not stop it.
 */
export async function nearnessOf(
  services: RunServices,
  of: {
    readonly key: string;
    readonly agentId: string;
    readonly context: StepContext;
    readonly question: string;
    readonly hits: readonly MemoryHit[];
  },
): Promise<Nearness> {
  const chosen = services.snapshot.models[EMBEDDING_MODEL];
  if (chosen === undefined) throw new Error('nobody makes embeddings in this run');
  const { provider: id, model } = chosen;
  const binding = services.snapshot.providers[id];
  if (binding === undefined) throw new Error(`snapshot holds no provider ${id}`);
  const opened = await openProvider(() => services.provider(binding, of.key));
  const texts = [
    of.question,
    ...of.hits.map(({ memory }) => `${memory.subject} ${memory.attribute}: ${memory.value}`),
  ].map((text) => text.slice(0, MAX_CHARS));
  const startedAt = services.clock.now();
  const { stepId } = of.context;
  const result =
    'ok' in opened
      ? opened
      : await admitted(services, { ...of, provider: opened }, () =>
          answerInTime(services, (signal) => embed(opened, { model, texts, signal, stepId })),
        );
  if (services.signal.aborted) throw new Unfinished('abort');
  if (services.stops?.signal.aborted === true && !result.ok)
    return (await import('../lost-usage.js')).giveUp(of.context, null);
  const asked = { agentId: of.agentId, skillId: null, provider: id, model, purpose: 'embedding' } as const;
  const called = {
    toolCalls: 0,
    finish: null,
    facts: { retries: 0, durationMs: Math.max(0, services.clock.now() - startedAt) },
  };
  if (!result.ok) {
    const { outagesOf, providerDown } = await import('../outage-patience.js');
    const asking = { key: of.key, agentId: of.agentId, skillId: null, isAwaited: true };
    await outagesOf(services, asking, of.context).waitFor(providerDown({ provider: id, failure: result.failure }));
    const { kind, message } = result.failure;
    services.log.warn('no embeddings for memory: the wording counts', { provider: id, model, reason: kind, message });
    const reason = `provider.${kind}`;
    const event = calledEvent(asked, { ...called, status: 'failed', reason, usage: null });
    return { near: null, usage: null, embedding: { provider: id, model, reason }, called: event };
  }
  const { vectors, usage } = result.response;
  const [question, ...entries] = vectors;
  const near = new Map(of.hits.map(({ memory }, index) => [memory.id, cosine(question ?? [], entries[index] ?? [])]));
  const paid = priced(usage, 'ok' in opened ? null : opened.price(model, usage));
  const event = calledEvent(asked, { ...called, status: 'ok', reason: null, usage: paid });
  return { near, usage: paid, embedding: { provider: id, model, reason: null }, called: event };
}

/** A provider that cannot be opened is an answer too. */
const openProvider = (open: () => Promise<ModelProvider>): Promise<ModelProvider | EmbedResult> =>
  open().catch(malformed);

/**
 * One request more of its account, once that takes one: time that is waited is none of the call.
 */
async function admitted(
  services: RunServices,
  of: {
    readonly key: string;
    readonly agentId: string;
    readonly context: StepContext;
    readonly provider: ModelProvider;
  },
  ask: () => Promise<EmbedResult>,
): Promise<EmbedResult> {
  const { key, agentId, context, provider } = of;
  const { limits } = provider;
  if (limits === undefined || services.limiter === undefined) return ask();
  const { onceAdmitted } = await import('../permit.js');
  return onceAdmitted(services, { call: { key, agentId, skillId: null }, context, limits, tries: 1 }, ask);
}

const failed = (kind: 'bad_request' | 'malformed' | 'timeout', message: string): EmbedResult => ({
  ok: false,
  failure: { kind, message, status: null, retryAfterMs: null },
});

interface Embedding {
  readonly model: string;
  readonly texts: readonly string[];
  readonly signal: AbortSignal;
  readonly stepId: string;
}

/**
 * What comes back of somebody else's code, checked: a vector too few would compare an entry with
 * its neighbour's.
 */
async function embed(provider: ModelProvider, { model, texts, ...options }: Embedding): Promise<EmbedResult> {
  try {
    if (provider.embed === undefined) return failed('bad_request', 'this provider makes no embeddings');
    const result = await provider.embed({ model, texts }, options);
    if (!result.ok) return result;
    const { vectors } = result.response;
    const isWhole =
      vectors.length === texts.length && vectors.every((one) => one.length > 0 && one.length === vectors[0]?.length);
    return isWhole
      ? result
      : failed('malformed', `${vectors.length} embeddings for ${texts.length} texts, or of different lengths`);
  } catch (error) {
    return malformed(error);
  }
}

function malformed(error: unknown): EmbedResult {
  if (error instanceof StepFailure || error instanceof Unfinished) throw error;
  return failed('malformed', messageOf(error));
}

/** Vectors come in one piece, and soon. */
const LONGEST_EMBEDDING_MS = 300_000;

async function answerInTime(
  services: RunServices,
  ask: (signal: AbortSignal) => Promise<EmbedResult>,
): Promise<EmbedResult> {
  const timeoutMs = Math.min(1000 * numberOf(services.snapshot, 'KIT_MODEL_TIMEOUT'), LONGEST_EMBEDDING_MS);
  const message = `no answer within ${timeoutMs} ms`;
  const answer = await inTime(services, { ms: timeoutMs, late: () => new CallTimeout(message) }, ask);
  return answer === ABORTED ? failed('timeout', message) : answer;
}
