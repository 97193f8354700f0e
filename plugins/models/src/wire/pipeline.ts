import type { LanguageModelV4CallOptions, SharedV4ProviderOptions, SharedV4Warning } from '@ai-sdk/provider';
import {
  type JsonObject,
  type JsonSchema,
  type ModelCallOptions,
  type ModelProvider,
  type ModelRequest,
  type ModelResponse,
  type ModelResult,
  type PluginContext,
  statedPriceOf,
} from '@kit-run/kit/plugin';
import { failed } from '../shared/answer.js';
import { reservedKey } from './body.js';
import { collectContent, createCollector } from './collect.js';
import type { ServerConfig } from './config.js';
import { embed } from './embed.js';
import { type Phase, toFailure } from './failure.js';
import type { Family } from './family.js';
import { callFetch } from './fetch.js';
import { flatSchema } from './flat-schema.js';
import { limitsOf, reportedLimit } from './limits.js';
import { toPrompt } from './messages.js';
import { wireSchema, withSchemaPrompt } from './output-schema.js';
import { type Prices, priceOf, windowOf } from './price.js';
import { readStream } from './stream.js';
import { strictSchema } from './strict-schema.js';

/** One server of one family. A call is one request: who retries is the engine. */
export function createWireProvider(
  family: Family,
  config: ServerConfig,
  context: PluginContext,
  prices: Prices,
): ModelProvider {
  return {
    generate: (request, options) => generate({ family, config, context, request, options }),
    ...(family.embedding === undefined
      ? {}
      : { embed: (request, options) => embed({ family, config, context, request, options }) }),
    ...(family.documents === true && config.capabilities.images ? { documents: true as const } : {}),
    limits: limitsOf(config),
    contextWindow: (model) => config.contextWindow ?? windowOf(prices, config.baseUrl, context.clock.now(), model),
    price: (model, usage) =>
      statedPriceOf(config.prices, model, usage) ?? priceOf(prices, config.baseUrl, context.clock.now(), model, usage),
  };
}

interface Call {
  readonly family: Family;
  readonly config: ServerConfig;
  readonly context: PluginContext;
  readonly request: ModelRequest;
  readonly options: ModelCallOptions;
}

async function generate(call: Call): Promise<ModelResult> {
  const { family, config, context, request, options } = call;
  const refusal = refusalOf(call);
  if (refusal !== null) return failed('bad_request', refusal);
  // Resolved for each call: a key that was rotated counts at once, and none is kept.
  const key = config.apiKeyEnv === null ? null : context.secrets.env(config.apiKeyEnv);
  if (config.apiKeyEnv !== null && key === null)
    return failed('auth', `the environment variable ${config.apiKeyEnv} is not set`);

  const ignored = family.ignored(config).filter((name) => Object.hasOwn(request.options, name));
  if (ignored.length > 0) context.log.debug(`${request.model}: options of another provider are left out`, { ignored });
  const signal = AbortSignal.any([context.signal, options.signal]);
  let phase: Phase = 'request';
  try {
    const response = await ask(call, { key, signal, onAnswer: () => (phase = 'answer') });
    return { ok: true, response };
  } catch (error) {
    const secrets = [...(key === null ? [] : [key]), ...Object.values(config.headers)];
    return { ok: false, failure: toFailure(error, { phase, signal, nowMs: context.clock.now(), secrets }) };
  }
}

/** What this server cannot be asked, in a sentence; null = nothing stands in the way. */
function refusalOf({ family, config, request }: Call): string | null {
  const reserved = reservedKey(family, config, request.options);
  if (reserved !== null) return `the option \`${reserved}\` is decided by kit; remove it from options and extra_body`;
  if (request.tools.length > 0 && !config.capabilities.tools)
    return 'the provider is declared without tools, and the agent has some';
  const forced =
    request.toolChoice?.type === 'tool' && request.toolChoice.must === true ? request.toolChoice.name : null;
  if (forced !== null && request.tools.every(({ name }) => name !== forced))
    return `\`tool_choice\` names the tool ${forced}, and the agent has ${request.tools.map(({ name }) => name).join(', ')}`;
  const hasImage = request.messages.some((message) => message.parts.some((part) => part.type === 'image'));
  return hasImage && !config.capabilities.images
    ? 'the provider is declared without images, and the conversation has some'
    : null;
}

interface Asking {
  readonly key: string | null;
  readonly signal: AbortSignal;
  readonly onAnswer: () => void;
}

async function ask(call: Call, { key, signal, onAnswer }: Asking): Promise<ModelResponse> {
  const { family, config, context, request, options } = call;
  const { stepId, traceParent, onText } = options;
  const isStreamed = onText !== undefined && config.capabilities.streaming;
  const fetch = callFetch({
    family,
    config,
    key,
    stepId,
    traceParent,
    request,
    fetch: context.fetch,
    onAnswer,
    onSign: isStreamed ? options.onSign : undefined,
    onHeaders: (headers) => {
      const limit = reportedLimit(headers, context.clock.now());
      if (limit !== null) options.onLimit?.(limit);
    },
  });
  const model = family.model({ config, model: request.model, fetch });
  const plain = toCallOptions(call, signal);
  const callOptions = family.adorned?.(plain, request) ?? plain;
  const collector = createCollector(family.name);
  const onWarnings = (warnings: readonly SharedV4Warning[]): void => {
    for (const warning of warnings) context.log.debug(`${request.model}: a setting was changed`, { ...warning });
  };
  if (isStreamed) {
    const { stream } = await model.doStream(callOptions);
    return readStream(stream, {
      collector,
      requestedModel: request.model,
      onText,
      onWarnings,
      returned: family.returned,
    });
  }
  const { content, finishReason, usage, response, warnings, providerMetadata } = await model.doGenerate(callOptions);
  onWarnings(warnings);
  collectContent(collector, content);
  const message = family.returned?.(providerMetadata) ?? null;
  const whole = collector.response({ finish: finishReason, usage, model: response?.modelId ?? request.model, message });
  for (const part of whole.parts) if (part.type === 'text' && part.text !== '') onText?.(part.text);
  return whole;
}

function toCallOptions({ family, config, request }: Call, signal: AbortSignal): LanguageModelV4CallOptions {
  const { outputSchema } = request;
  const isInPrompt = outputSchema !== null && family.schemaWay(request, config) === 'prompt';
  return {
    prompt: toPrompt(family.name, isInPrompt ? withSchemaPrompt(request.messages, outputSchema) : request.messages),
    abortSignal: signal,
    tools: request.tools.map((tool) => ({
      type: 'function',
      name: tool.name,
      description: tool.description,
      ...schemaOf(family.flatTools === true ? flatSchema(tool.inputSchema) : tool.inputSchema, request),
    })),
    ...toolChoiceOf(request),
    ...(request.temperature === null ? {} : { temperature: request.temperature }),
    ...(request.maxTokens === null ? {} : { maxOutputTokens: request.maxTokens }),
    ...(request.effort === undefined ? {} : { reasoning: request.effort }),
    ...(outputSchema === null || isInPrompt
      ? {}
      : { responseFormat: { type: 'json', schema: wireSchema(outputSchema) } }),
    // Options of ours are JSON of theirs: theirs differs in that it is not readonly.
    providerOptions: { [family.name]: family.libraryOptions(request) } as SharedV4ProviderOptions,
  };
}

/** Strict where that is asked for and the schema allows it; kit's own check finds the rest. */
function schemaOf(inputSchema: JsonSchema, { strict }: ModelRequest) {
  const kept = strict === true ? strictSchema(inputSchema) : null;
  return kept === null
    ? { inputSchema: wireSchema(inputSchema) as JsonObject }
    : { inputSchema: kept as JsonObject, strict: true };
}

/** What the library is told of the choice; nothing where it is the usual one. */
function toolChoiceOf({ tools, toolChoice }: ModelRequest): Pick<LanguageModelV4CallOptions, 'toolChoice'> {
  if (tools.length === 0 || toolChoice === undefined || toolChoice.type === 'auto') return {};
  if (toolChoice.type === 'tool') return { toolChoice: { type: 'tool', toolName: toolChoice.name } };
  return { toolChoice: { type: toolChoice.type === 'required' ? 'required' : 'none' } };
}
