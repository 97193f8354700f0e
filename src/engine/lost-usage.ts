import { addUsage } from '../domain/fold-usage.js';
import type { Usage } from '../domain/job.js';
import type { Json } from '../domain/json.js';
import type { MessagePart, ModelFailure, ModelProvider, ModelRequest, ModelUsage } from '../domain/ports/model.js';
import { isReportedCount } from '../domain/reported-numbers.js';
import type { CallSigns } from './call-times.js';
import { documentTokens } from './context/room.js';
import { priced } from './model-ends.js';
import type { StepContext } from './step-types.js';
import { Unfinished } from './unfinished.js';

/** Characters of a token, about; for what no provider counted. */
const CHARS_A_TOKEN = 4;
/** Tokens of a picture, about: providers bill from a few hundred to some thousand. */
const IMAGE_TOKENS = 1_000;

/** The other side may have worked, and bills for that, though nobody has its answer. */
const MAY_BE_BILLED: ReadonlySet<ModelFailure['kind']> = new Set(['timeout', 'cut_stream', 'malformed']);

/** An attempt that came to nothing. */
interface LostAttempt {
  readonly request: ModelRequest;
  readonly failure: Pick<ModelFailure, 'kind' | 'partial'>;
  readonly progress: Pick<CallSigns, 'heard' | 'chars'>;
  readonly provider: Pick<ModelProvider, 'price'>;
}

/** What attempts used without an answer, and one more; null = nothing. */
export function lostWith(before: Usage | null, attempt: LostAttempt): Usage | null {
  const lost = lostUsage(attempt);
  return lost === null || before === null ? (lost ?? before) : addUsage(before, lost);
}

/** An answer that a provider withheld is billed, and counted as it was told. */
export const withheldWith = (before: Usage | null, used: Usage): Usage =>
  before === null ? used : addUsage(before, used);

/**
 * What an attempt without an answer used: an estimate, marked as one, from the length of what was
 * sent and of what came; null where nothing is billed, for the request was refused or never
 * arrived. Providers report usage with the end of an answer alone.
 */
export function lostUsage({ request, failure, progress, provider }: LostAttempt): Usage | null {
  const reportedChars = failure.partial?.chars;
  const came = isReportedCount(reportedChars) ? reportedChars : progress.heard === 'piece' ? progress.chars : null;
  if (came === null && !MAY_BE_BILLED.has(failure.kind)) return null;
  const usage: ModelUsage = {
    inputTokens: tokensOf(request),
    outputTokens: Math.ceil((came ?? 0) / CHARS_A_TOKEN),
    cachedInputTokens: 0,
    reasoningTokens: 0,
    costUsd: null,
  };
  return { ...priced(usage, provider.price(request.model, usage)), estimated: true };
}

function tokensOf({ messages, tools, outputSchema }: ModelRequest): number {
  const parts = messages.flatMap((message) => message.parts);
  const chars =
    parts.reduce((sum, part) => sum + charsOf(part), 0) + jsonChars([tools, outputSchema] as unknown as Json);
  const documents = parts.flatMap((part) => (part.type === 'document' ? [documentTokens(part.data.length)] : []));
  const ofDocuments = documents.reduce((sum, tokens) => sum + tokens, 0);
  return (
    Math.ceil(chars / CHARS_A_TOKEN) + ofDocuments + IMAGE_TOKENS * parts.filter(({ type }) => type === 'image').length
  );
}

function charsOf(part: MessagePart): number {
  switch (part.type) {
    case 'text':
      return part.text.length;
    case 'image':
    case 'document':
      return 0;
    case 'tool_call':
      return part.name.length + jsonChars(part.input);
    case 'tool_result':
      return jsonChars(part.output);
  }
}

const jsonChars = (value: Json): number => JSON.stringify(value).length;

/** Leaves the step to whoever takes it up, who finds in its row what its attempts used. */
export async function giveUp(context: Pick<StepContext, 'note'>, lost: Usage | null): Promise<never> {
  if (lost !== null) await context.note({ lost });
  throw new Unfinished('stop');
}
