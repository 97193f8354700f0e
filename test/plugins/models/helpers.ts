import type {
  JsonObject,
  MessagePart,
  ModelCallOptions,
  ModelMessage,
  ModelProvider,
  ModelRequest,
  ModelResponse,
  ModelResult,
  ToolSpec,
} from '@kit-run/kit/plugin';
import { createTestContext, type TestContextOptions } from '@kit-run/kit/testing';
import { contribution as anthropic } from '../../../plugins/models/src/anthropic.js';
import { contribution as google } from '../../../plugins/models/src/google.js';
import { contribution as mock } from '../../../plugins/models/src/mock.js';
import { contribution as ollama } from '../../../plugins/models/src/ollama.js';
import { contribution as openaiService } from '../../../plugins/models/src/openai.js';
import { contribution as openai } from '../../../plugins/models/src/openai-compatible.js';
import { contribution as rules } from '../../../plugins/models/src/rules.js';

/** A context with the machine's own fetch and a clock that stands at the beginning of 2025. */
export const NOW_MS = Date.parse('2025-01-01T00:00:00Z');

export function testContext(options: TestContextOptions = {}) {
  return createTestContext({
    fetch: globalThis.fetch,
    clock: { now: () => NOW_MS, sleep: async () => {} },
    ...options,
  });
}

export async function openaiProvider(config: JsonObject, options: TestContextOptions = {}): Promise<ModelProvider> {
  return openai.create(config, testContext(options));
}

const FAMILIES = { 'openai-compatible': openai, openai: openaiService, anthropic, google, ollama };

/** The provider of a family, by the name of its contribution. */
export async function familyProvider(
  name: string,
  config: JsonObject,
  options: TestContextOptions = {},
): Promise<ModelProvider> {
  const family = Object.entries(FAMILIES).find(([key]) => key === name);
  if (family === undefined) throw new Error(`no family is called ${name}`);
  return family[1].create(config, testContext(options));
}

export async function mockProvider(config: JsonObject = {}, options: TestContextOptions = {}): Promise<ModelProvider> {
  return mock.create(config, testContext(options));
}

export async function rulesProvider(): Promise<ModelProvider> {
  return rules.create({}, testContext());
}

export function request(overrides: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: 'test-model',
    messages: [user('hello')],
    tools: [],
    outputSchema: null,
    temperature: null,
    maxTokens: null,
    options: {},
    ...overrides,
  };
}

export function callOptions(overrides: Partial<ModelCallOptions> = {}): ModelCallOptions {
  return { signal: new AbortController().signal, stepId: 'step-1', ...overrides };
}

export function user(text: string): ModelMessage {
  return { role: 'user', parts: [{ type: 'text', text }] };
}

export function message(role: ModelMessage['role'], ...parts: readonly MessagePart[]): ModelMessage {
  return { role, parts };
}

export function tool(name: string): ToolSpec {
  return {
    name,
    description: `calls ${name}`,
    inputSchema: { type: 'object', properties: { task: { type: 'string' } }, required: ['task'] },
  };
}

/** The response, or a failed test that shows the failure. */
export function good(result: ModelResult): ModelResponse {
  if (!result.ok) throw new Error(`the call failed: ${JSON.stringify(result.failure)}`);
  return result.response;
}

export function bad(result: ModelResult) {
  if (result.ok) throw new Error(`the call succeeded: ${JSON.stringify(result.response)}`);
  return result.failure;
}

export function textOf(response: ModelResponse): string {
  return response.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
}
