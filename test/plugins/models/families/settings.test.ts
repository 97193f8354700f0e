import { afterEach, describe, expect, test } from 'vitest';
import type { ModelRequest, ToolSpec } from '../../../../src/domain/ports/model.js';
import { type ProviderServer, startProviderServer } from '../../../support/components/provider-servers/server.js';
import { bad, callOptions, familyProvider, good, request } from '../helpers.js';
import { bundledConfig, contributionOf, FAMILIES, KEY, KEY_VARIABLE } from './family-cases.js';

let servers: ProviderServer[] = [];
afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
});

async function opened(id: string, model?: string) {
  const family = FAMILIES.find((one) => one.id === id);
  if (family === undefined) throw new Error(`no case for ${id}`);
  const server = await startProviderServer(family.protocol, { do: 'answer', text: '{}' });
  servers.push(server);
  const provider = await familyProvider(contributionOf(id), bundledConfig(id, server.url), {
    env: { [KEY_VARIABLE]: KEY },
  });
  const ask = (more: Partial<ModelRequest>) =>
    provider.generate(request({ model: model ?? family.model, tools: TOOLS, ...more }), callOptions());
  return { server, ask, body: () => server.requests.at(-1)?.body };
}

const TOOLS: readonly ToolSpec[] = [
  {
    name: 'look',
    description: 'Looks.',
    inputSchema: {
      type: 'object',
      additionalProperties: false,
      required: ['at'],
      properties: { at: { type: 'string', minLength: 1 }, pattern: { type: 'string' } },
    },
  },
  {
    name: 'tell',
    description: 'Tells.',
    inputSchema: {
      type: 'object',
      additionalProperties: false,
      required: ['text'],
      properties: { text: { type: 'string', minLength: 1, description: 'What to tell.' } },
    },
  },
];

const MUST_TELL = { type: 'tool', name: 'tell', must: true } as const;
const SAYS = {
  openai: { any: { tool_choice: 'required' }, tell: { tool_choice: { type: 'function', name: 'tell' } } },
  groq: {
    any: { tool_choice: 'required' },
    tell: { tool_choice: { type: 'function', function: { name: 'tell' } } },
  },
  anthropic: { any: { tool_choice: { type: 'any' } }, tell: { tool_choice: { type: 'tool', name: 'tell' } } },
  google: {
    any: { toolConfig: { functionCallingConfig: { mode: 'ANY' } } },
    tell: { toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['tell'] } } },
  },
};

describe.each(Object.entries(SAYS))('%s', (id, says) => {
  test('is told that some tool has to be called, or which', async () => {
    const { ask, body, server } = await opened(id);

    good(await ask({ toolChoice: { type: 'required' } }));
    expect(body()).toMatchObject(says.any);
    good(await ask({ toolChoice: MUST_TELL }));
    expect(body()).toMatchObject(says.tell);
    expect(server.problems).toEqual([]);
  });

  test('is not sent the name of a tool that there is not', async () => {
    const { ask, server } = await opened(id);

    const failure = bad(await ask({ toolChoice: { type: 'tool', name: 'sing', must: true } }));

    expect(failure).toMatchObject({ kind: 'bad_request', message: expect.stringContaining('sing') });
    expect(failure.message).toContain('look, tell');
    expect(server.requests).toHaveLength(0);
  });
});

describe('strict', () => {
  const strictOf = (tools: readonly { strict?: boolean; function?: { strict?: boolean } }[]) =>
    tools.map((tool) => tool.strict ?? tool.function?.strict ?? false);

  test.each(['openai', 'groq', 'anthropic'])('is said to %s of the tools whose schema allows it', async (id) => {
    const { ask, body, server } = await opened(id);

    good(await ask({}));
    expect(strictOf(body().tools)).toEqual([false, false]);
    good(await ask({ strict: true }));

    // The first tool has an optional property; no service takes that of a strict one.
    expect(strictOf(body().tools)).toEqual([false, true]);
    expect(JSON.stringify(body().tools[0])).toContain('minLength');
    expect(JSON.stringify(body().tools[1])).not.toContain('minLength');
    expect(JSON.stringify(body().tools[1])).toContain('What to tell.');
    expect(server.problems).toEqual([]);
  });

  test('holds all calls of a Gemini to their schemas', async () => {
    const { ask, body } = await opened('google');
    good(await ask({ strict: true }));
    expect(body().toolConfig.functionCallingConfig.mode).toBe('VALIDATED');
  });
});

test.each([
  { id: 'ollama', asked: { toolChoice: { type: 'required' } }, names: '`tool_choice`' },
  { id: 'ollama', asked: { strict: true }, names: '`strict`' },
  { id: 'anthropic', asked: { toolChoice: { type: 'required' }, effort: 'high' }, names: '`tool_choice`' },
  { id: 'anthropic', asked: { toolChoice: MUST_TELL, effort: 'high' }, names: '`tool_choice`' },
  { id: 'anthropic', model: 'claude-3-haiku-20240307', asked: { strict: true }, names: '`strict`' },
] as const)('what $id cannot be told is refused by name, and not sent', async ({ id, asked, names, ...more }) => {
  const { ask, server } = await opened(id, 'model' in more ? more.model : undefined);

  const failure = bad(await ask(asked));

  expect(failure).toMatchObject({ kind: 'bad_request', message: expect.stringContaining(names), retryAfterMs: null });
  expect(server.requests).toHaveLength(0);
});
