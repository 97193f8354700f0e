import type { ModelRequest, ModelResult } from '../../src/sdk/plugin.js';

/** What docs/plugins/modelProviders.md shows, held to the types. */
const request = {
  model: 'small',
  messages: [
    { role: 'system', parts: [{ type: 'text', text: 'You look after a shop.' }] },
    { role: 'user', parts: [{ type: 'text', text: 'How many cups are there?' }] },
    { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'count', input: { item: 'cup' } }] },
    { role: 'tool', parts: [{ type: 'tool_result', id: 'c1', name: 'count', output: '7 pieces', isError: false }] },
  ],
  tools: [{ name: 'count', description: 'Counts an item.', inputSchema: { type: 'object' } }],
  toolChoice: { type: 'auto' },
  outputSchema: null,
  temperature: null,
  maxTokens: null,
  options: {},
} satisfies ModelRequest;

const usage = { inputTokens: 50, outputTokens: 9, cachedInputTokens: 0, reasoningTokens: 0, costUsd: null };
const answered = {
  ok: true,
  response: { parts: [{ type: 'text', text: 'Seven.' }], finish: 'stop', usage, model: 'small' },
} satisfies ModelResult;
const refused = {
  ok: false,
  failure: { kind: 'rate_limited', message: 'too many requests', status: 429, retryAfterMs: 2000 },
} satisfies ModelResult;

export const SHAPES = { request, answered, refused };
