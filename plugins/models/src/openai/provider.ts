import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { JsonObject, ModelCallOptions, ModelProvider, ModelRequest, ModelResponse, ModelResult, PluginContext } from '@kit-run/kit/plugin';
import { failed } from '../shared/answer.js';
import { finalBody, reservedKey } from './body.js';
import type { ServerConfig } from './config.js';
import { type FailureContext, type Phase, toFailure } from './failure.js';
import { toPrompt } from './messages.js';
import { isStrictSchema, wireSchema, withSchemaPrompt } from './output-schema.js';
import { priceOf } from './price.js';
import { toFinish, toolCallPart, toUsage } from './response.js';
import { readStream } from './stream.js';

/** The two libraries behind the provider, loaded when the first provider is created. */
export interface Libraries {
  readonly wire: typeof import('@ai-sdk/openai-compatible');
  readonly prices: typeof import('@pydantic/genai-prices');
}

/** Namespace of our own options within the wire library; never seen on the wire. */
const NAME = 'kit';

/** One OpenAI-compatible server. A call is one request: who retries is the engine. */
export function createProvider(config: ServerConfig, context: PluginContext, libraries: Libraries): ModelProvider {
  return {
    generate: (request, options) => generate({ config, context, libraries, request, options }),
    price: (model, usage) => priceOf(libraries.prices, config.baseUrl, context.clock.now(), model, usage),
  };
}

interface Call {
  readonly config: ServerConfig;
  readonly context: PluginContext;
  readonly libraries: Libraries;
  readonly request: ModelRequest;
  readonly options: ModelCallOptions;
}

async function generate(call: Call): Promise<ModelResult> {
  const { config, context, request, options } = call;
  const refusal = refusalOf(config, request);
  if (refusal !== null) return failed('bad_request', refusal);
  // Resolved for each call: a key that was rotated counts at once, and none is kept.
  const key = config.apiKeyEnv === null ? null : context.secrets.env(config.apiKeyEnv);
  if (config.apiKeyEnv !== null && key === null) return failed('auth', `the environment variable ${config.apiKeyEnv} is not set`);

  const signal = AbortSignal.any([context.signal, options.signal]);
  let phase: Phase = 'request';
  try {
    const response = await ask(call, key, signal, () => {
      phase = 'stream';
    });
    return { ok: true, response };
  } catch (error) {
    const secrets = [...(key === null ? [] : [key]), ...Object.values(config.headers)];
    const failureContext: FailureContext = { phase, signal, nowMs: context.clock.now(), secrets };
    return { ok: false, failure: toFailure(error, failureContext) };
  }
}

/** What this server cannot be asked, in a sentence; null = nothing stands in the way. */
function refusalOf(config: ServerConfig, request: ModelRequest): string | null {
  const reserved = reservedKey(config, request.options);
  if (reserved !== null) return `the option \`${reserved}\` is decided by kit; remove it from options and extra_body`;
  if (request.tools.length > 0 && !config.capabilities.tools) return 'the provider is declared without tools, and the agent has some';
  const hasImage = request.messages.some((message) => message.parts.some((part) => part.type === 'image'));
  return hasImage && !config.capabilities.images ? 'the provider is declared without images, and the run has an attachment' : null;
}

async function ask(call: Call, key: string | null, signal: AbortSignal, onStream: () => void): Promise<ModelResponse> {
  const { config, request, options } = call;
  const model = languageModel(call, key);
  const callOptions = toCallOptions(config, request, options.stepId, signal);
  const { onText } = options;
  if (onText !== undefined && config.capabilities.streaming) {
    const { stream } = await model.doStream(callOptions);
    onStream();
    return readStream(stream, request.model, onText);
  }
  const result = await model.doGenerate(callOptions);
  const text = result.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  if (text !== '') onText?.(text);
  return {
    parts: [
      ...(text === '' ? [] : [{ type: 'text' as const, text }]),
      ...result.content.flatMap((part) => (part.type === 'tool-call' ? [toolCallPart(part)] : [])),
    ],
    finish: toFinish(result.finishReason),
    usage: toUsage(result.usage),
    model: result.response?.modelId ?? request.model,
  };
}

function languageModel({ config, context, libraries, request }: Call, key: string | null) {
  const auth = key === null ? {} : { [config.header]: config.scheme === '' ? key : `${config.scheme} ${key}` };
  return libraries.wire
    .createOpenAICompatible({
      name: NAME,
      baseURL: config.baseUrl,
      headers: { ...auth, ...config.headers },
      // A redirect would carry a key in a header of its own to wherever the server points.
      fetch: (input, init) => context.fetch(input, { ...init, redirect: 'manual' }),
      includeUsage: true,
      supportsStructuredOutputs: config.capabilities.structuredOutput,
      transformRequestBody: (body) => finalBody(body, config, request.options),
    })
    .chatModel(request.model);
}

function toCallOptions(config: ServerConfig, request: ModelRequest, stepId: string, signal: AbortSignal): LanguageModelV4CallOptions {
  const { outputSchema } = request;
  const inPrompt = outputSchema !== null && !config.capabilities.structuredOutput;
  return {
    prompt: toPrompt(inPrompt ? withSchemaPrompt(request.messages, outputSchema) : request.messages),
    abortSignal: signal,
    headers: { 'Idempotency-Key': stepId },
    tools: request.tools.map((tool) => ({
      type: 'function',
      name: tool.name,
      description: tool.description,
      inputSchema: tool.inputSchema as JsonObject,
    })),
    ...(request.temperature === null ? {} : { temperature: request.temperature }),
    ...(request.maxTokens === null ? {} : { maxOutputTokens: request.maxTokens }),
    ...(outputSchema === null || inPrompt ? {} : { responseFormat: { type: 'json', schema: wireSchema(outputSchema) } }),
    ...(outputSchema === null ? {} : { providerOptions: { [NAME]: { strictJsonSchema: isStrictSchema(wireSchema(outputSchema)) } } }),
  };
}
