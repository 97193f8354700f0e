import { describe, expect, it } from 'vitest';
import { KitError } from '../../../src/domain/errors.js';
import type { Json, JsonObject } from '../../../src/domain/json.js';
import type { ModelRequest } from '../../../src/domain/ports/model.js';
import { Masker } from '../../../src/lib/masker.js';
import { createClock } from '../../../src/system/clock.js';
import { type Answer, type FakeServer, fakeServer, saying, serverTool, toolSkill } from '../../support/fake-tools.js';
import { agent, call, type Script, type World, type WorldOptions } from '../../support/run-world.js';
import { failedSteps, lawfulWorlds, payloadsOf } from '../laws.js';
import { withTools } from './tool-world.js';

const open = lawfulWorlds();
const READS = { readOnly: true, destructive: null, idempotent: null };

interface Reported {
  readonly world: World;
  readonly requests: ModelRequest[];
  readonly server: FakeServer;
}

interface Scene extends Partial<Omit<WorldOptions, 'root' | 'script'>> {
  readonly server?: FakeServer;
  readonly linked?: Parameters<typeof withTools>[2];
  /** Calls of each turn; the last answer is `told`. */
  readonly turns: readonly (readonly JsonObject[])[];
  readonly requires?: Readonly<Record<string, readonly string[]>>;
}

/** One agent with every skill that calls `say` with each argument in turn. */
async function report({
  server = fakeServer([serverTool('say')]),
  linked,
  turns,
  requires = {},
  ...options
}: Scene): Promise<Reported> {
  const requests: ModelRequest[] = [];
  const skills = options.skills ?? [toolSkill('say')];
  const script: Script = ({ turn, request }) => {
    requests.push(request);
    return turns[turn]?.map((input, index) => call('say', input, `c${turn}.${index}`)) ?? 'told';
  };
  const root = agent('root', { role: 'root', skills: skills.map(({ id }) => id), requires });
  const world = await open(withTools(server.source, { ...options, root, skills, script }, linked));
  await world.run();
  return { world, requests, server };
}

const resultsOf = (request: ModelRequest | undefined) =>
  (request?.messages ?? []).flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'tool_result' ? [part] : [])),
  );

describe('a server that went with the lease of its run', () => {
  it.each([
    ['when a turn offers its tools', 1],
    ['when a call is prepared', 2],
  ] as const)('%s is asked again when the run goes on, and nothing of it is told', async (_when, fails) => {
    // The process stood still until its lease was over; nobody took the run over meanwhile.
    let aheadMs = 0;
    let lists = 0;
    const server = fakeServer([serverTool('say')]);
    const { open: openServer } = server.source;
    const stoodStill: FakeServer = {
      ...server,
      source: {
        ...server.source,
        open: async (...asked) => {
          const opened = await openServer(...asked);
          return {
            ...opened,
            tools: async () => {
              lists += 1;
              if (lists !== fails) return opened.tools();
              aheadMs += 600_000;
              throw new KitError('KIT_TOOL_SERVER_FAILED', 'files: ended before it answered (aborted)', {
                data: { reason: 'exited' },
              });
            },
          };
        },
      },
    };
    const clock = createClock();

    const { world } = await report({
      server: stoodStill,
      turns: [[{ text: 'hello' }]],
      leaseMs: 60_000,
      clock: { ...clock, now: () => clock.now() + aheadMs },
    });

    expect(await world.row()).toMatchObject({ status: 'completed' });
    expect(server.calls).toHaveLength(1);
    expect(payloadsOf(await world.events(), 'skill.executed')).toMatchObject([{ status: 'ok' }]);
  });
});

describe('a tool of a server', () => {
  it('is called with its step, a trace and its bound, and its answer comes back with where it is from', async () => {
    const { world, requests, server } = await report({ turns: [[{ text: 'hello' }]], env: { KIT_MCP_TIMEOUT: 7 } });

    expect(server.calls).toMatchObject([
      { tool: 'say', input: { text: 'hello' }, timeoutMs: 7000, traceParent: expect.stringMatching(/^00-/) },
    ]);
    const rows = await world.stores.runs.load(world.job.id);
    expect(server.calls[0]?.stepId).toBe(rows.find(({ key }) => key === 'root/d0/t0/c0:say')?.stepId);
    expect(resultsOf(requests[1])).toMatchObject([{ output: 'said hello\n[from files/say]', isError: false }]);
    expect(payloadsOf(await world.events(), 'skill.executed')).toMatchObject([
      { tool: 'say', server: 'files', cached: false, status: 'ok', effects: 'unknown', policy_decision: 'allow' },
    ]);
    expect(server.log).toEqual(['opened files', 'closed']);
  });

  it.each([
    { name: "the server's own schema", skill: toolSkill('say'), schema: { properties: { text: { type: 'string' } } } },
    {
      name: 'the inputs of the skill',
      skill: toolSkill('say', { inputs: { type: 'object' } }),
      schema: { type: 'object' },
    },
    {
      name: 'no argument that is fixed',
      skill: toolSkill('say', { fixed: { text: 'mine' } }),
      schema: { properties: {} },
    },
  ])('is offered with $name', async ({ skill, schema }) => {
    const { requests } = await report({ skills: [skill], turns: [] });

    expect(requests[0]?.tools).toMatchObject([
      { name: 'say', description: 'Calls say for a test.', inputSchema: schema },
    ]);
    if (skill.implementation.type === 'mcp_tool' && 'text' in skill.implementation.arguments)
      expect(requests[0]?.tools[0]?.inputSchema.properties).toEqual({});
  });

  it.each([300, 50_000])(
    'that answers with %i levels has failed that one call, and the run goes on',
    async (levels) => {
      const nested: JsonObject = JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);
      const answered = fakeServer([serverTool('say', { hints: READS, inputSchema: nested })], () => ({
        parts: [],
        structured: nested,
        isError: false,
      }));
      const { world, requests } = await report({ server: answered, turns: [[{ text: 'hello' }]] });

      expect((await world.stores.jobs.get(world.job.id))?.status).toBe('completed');
      expect(resultsOf(requests[1])).toMatchObject([
        { output: { status: 'failed', reason: 'malformed_output' }, isError: true },
      ]);
      expect(requests[0]?.tools).toMatchObject([{ inputSchema: { type: 'object' } }]);
    },
  );

  it.each([300, 50_000])('is not called with arguments of %i levels', async (levels) => {
    const nested: JsonObject = { text: JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`) };
    const { world, requests, server } = await report({ turns: [[nested]] });

    expect((await world.stores.jobs.get(world.job.id))?.status).toBe('completed');
    expect(server.calls).toEqual([]);
    expect(resultsOf(requests[1])).toMatchObject([
      { output: { status: 'refused', reason: 'invalid_arguments' }, isError: true },
    ]);
  });

  it('is offered without a secret that its server repeats in the schema', async () => {
    const secret = 'sk-planted-0123456789';
    const inputSchema = {
      type: 'object',
      properties: { text: { type: 'string', default: secret, description: `use ${secret}` }, [secret]: {} },
    };
    const mask = <T extends Json>(value: T): T => new Masker([secret]).maskJson(value);
    const { requests } = await report({
      server: fakeServer([serverTool('say', { inputSchema })]),
      turns: [],
      facilities: () => ({ mask }),
    });

    expect(requests[0]?.tools).toMatchObject([{ inputSchema: { properties: { text: { default: '[MASKED]' } } } }]);
    expect(JSON.stringify(requests)).not.toContain(secret);
  });

  it('is sent the fixed arguments, whatever the model says of them', async () => {
    const skill = toolSkill('say', { fixed: { text: 'mine' } });
    const { server, world } = await report({ skills: [skill], turns: [[{ text: 'yours', more: 1 }]] });

    expect(server.calls[0]?.input).toEqual({ text: 'mine', more: 1 });
    expect(payloadsOf(await world.events(), 'skill.executed')[0]?.inputs).toEqual({ text: 'yours', more: 1 });
  });

  it('gives its structured value where there is no text, its pictures after the results, and names the rest', async () => {
    const parts = [
      { type: 'image', mediaType: 'image/png', data: 'AAAA' },
      { type: 'other', kind: 'resource_link', uri: 'file:///a', text: null },
    ] as const;
    const answers: ReturnType<typeof saying>[] = [
      { parts: [], structured: { count: 3 }, isError: false },
      { parts: [...parts], structured: null, isError: false },
      { parts: [], structured: null, isError: false },
    ];
    const server = fakeServer([serverTool('say')], () => answers.shift() ?? saying(''));
    const { requests } = await report({ server, turns: [[{ text: '1' }], [{ text: '2' }], [{ text: '3' }]] });

    expect(resultsOf(requests[3]).map(({ output }) => output)).toEqual([
      '{"count":3}\n[from files/say]',
      '[resource_link file:///a]\n[from files/say]',
      '(the tool answered nothing)\n[from files/say]',
    ]);
    expect(requests[2]?.messages.at(-1)).toEqual({
      role: 'user',
      parts: [
        { type: 'text', text: 'Images that say answered:' },
        { type: 'image', mediaType: 'image/png', data: 'AAAA' },
      ],
    });
  });

  it('that says it failed is an error result, and satisfies nothing', async () => {
    const server = fakeServer([serverTool('say')], () => ({ ...saying('no such file'), isError: true }));
    const { requests, world } = await report({ server, turns: [[{ text: 'x' }]] });

    expect(resultsOf(requests[1])).toMatchObject([
      { isError: true, output: { status: 'failed', reason: 'tool_error', message: 'no such file' } },
    ]);
    expect(server.calls).toHaveLength(1);
    expect(await world.row()).toMatchObject({ status: 'completed' });
  });
});

describe('a server that fails', () => {
  const failing = (data: JsonObject): Answer => {
    return () => {
      throw new KitError('KIT_TOOL_CALL_FAILED', 'it died', { data });
    };
  };

  it.each([
    { name: 'a read is tried three times', hints: READS, data: { sent: true }, calls: 3 },
    { name: 'a write is tried once', hints: { ...READS, readOnly: false }, data: { sent: true }, calls: 1 },
    {
      name: 'a write that was not sent is tried three times',
      hints: { ...READS, readOnly: false },
      data: { sent: false },
      calls: 3,
    },
    {
      name: 'an idempotent write is tried three times',
      hints: { ...READS, readOnly: false, idempotent: true },
      data: { sent: true },
      calls: 3,
    },
    {
      name: 'an answer that is too large is not asked for again',
      hints: READS,
      data: { sent: true, reason: 'too_large' },
      calls: 1,
    },
  ])('$name', async ({ hints, data, calls }) => {
    const server = fakeServer([serverTool('say', { hints })], failing(data));
    const { requests } = await report({ server, turns: [[{ text: 'x' }]] });

    expect(server.calls).toHaveLength(calls);
    expect(new Set(server.calls.map(({ stepId }) => stepId)).size).toBe(1);
    expect(resultsOf(requests[1])).toMatchObject([
      { isError: true, output: { reason: 'KIT_TOOL_CALL_FAILED', message: 'it died' } },
    ]);
  });

  it('KIT_MCP_RETRIES=0 asks once', async () => {
    const server = fakeServer([serverTool('say', { hints: READS })], failing({ sent: false }));
    await report({ server, turns: [[{ text: 'x' }]], env: { KIT_MCP_RETRIES: 0 } });

    expect(server.calls).toHaveLength(1);
  });

  it('does not hold the run when it never answers, not even to an abort', async () => {
    const server = fakeServer([serverTool('say')], () => new Promise(() => {}));
    const { requests } = await report({ server, turns: [[{ text: 'x' }]], env: { KIT_MCP_TIMEOUT: 1 } });

    expect(resultsOf(requests[1])).toMatchObject([{ isError: true, output: { reason: 'timeout' } }]);
  }, 20_000);

  it('fails the run that needs it, by name, with what it wrote', async () => {
    const source = {
      open: async () => {
        throw new KitError('KIT_TOOL_SERVER_FAILED', 'it exited with 3', { data: { stderr: 'no such token\n' } });
      },
    };
    const { world } = await report({ server: { ...fakeServer([]), source }, turns: [] });

    expect(await world.row()).toMatchObject({ status: 'failed', reason: 'KIT_TOOL_SERVER_FAILED' });
    expect((await world.row()).error).toMatch(/files.*it exited with 3.*no such token/s);
    expect(await failedSteps(world)).not.toEqual([]);
  });

  it('fails the run when it does not have the tool, and names those it has', async () => {
    const { world } = await report({ server: fakeServer([serverTool('speak')]), turns: [] });

    expect(await world.row()).toMatchObject({
      status: 'failed',
      reason: 'tool_unknown',
      error: expect.stringContaining('speak'),
    });
  });
});

describe('the cache of a run', () => {
  const twice = [[{ text: 'a' }], [{ text: 'a' }]];

  it('answers a read that was asked before, and says so', async () => {
    const server = fakeServer([serverTool('say', { hints: READS })]);
    const { requests, world } = await report({ server, turns: [...twice, [{ text: 'b' }]] });

    expect(server.calls.map(({ input }) => input.text)).toEqual(['a', 'b']);
    expect(payloadsOf(await world.events(), 'skill.executed').map(({ cached }) => cached)).toEqual([
      false,
      true,
      false,
    ]);
    expect(resultsOf(requests[3]).map(({ output }) => output)).toEqual([
      'said a\n[from files/say]',
      'said a\n[from files/say]',
      'said b\n[from files/say]',
    ]);
  });

  it.each([
    { name: 'nothing is known of it', hints: { ...READS, readOnly: null } },
    { name: 'it writes', hints: { ...READS, readOnly: false } },
  ])('is not asked where $name', async ({ hints }) => {
    const server = fakeServer([serverTool('say', { hints })]);
    await report({ server, turns: twice });

    expect(server.calls).toHaveLength(2);
  });

  it('forgets what a server answered when something is written to it, and keeps no failure', async () => {
    let isFirst = true;
    const server = fakeServer([serverTool('say', { hints: READS }), serverTool('put')], () => {
      const answer = { ...saying('x'), isError: isFirst };
      isFirst = false;
      return answer;
    });
    const requests: string[] = [];
    const script: Script = ({ turn }) => {
      const names = ['say', 'say', 'say', 'put', 'say'];
      const name = names[turn];
      if (name === undefined) return 'told';
      requests.push(name);
      return [call(name, { text: 'a' }, `c${turn}`)];
    };
    const world = await open(
      withTools(server.source, {
        root: agent('root', { role: 'root', skills: ['say', 'put'] }),
        skills: [toolSkill('say'), toolSkill('put')],
        script,
      }),
    );
    await world.run();

    expect(server.calls.map(({ tool }) => tool)).toEqual(['say', 'say', 'put', 'say']);
    expect(payloadsOf(await world.events(), 'skill.executed').map(({ cached }) => cached)).toEqual([
      false,
      false,
      true,
      false,
      false,
    ]);
  });
});

it('a secret that a server writes before it dies is in no row and no event', async () => {
  const source = {
    open: async () => {
      throw new KitError('KIT_TOOL_SERVER_FAILED', 'it exited', { data: { stderr: 'token s3cr3t-value is wrong' } });
    },
  };
  const mask = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll('s3cr3t-value', '***'));
  const { world } = await report({ server: { ...fakeServer([]), source }, turns: [], mask });

  const rows = await world.stores.runs.load(world.job.id);
  const row = await world.row();
  expect(row.error).toContain('token *** is wrong');
  expect(JSON.stringify([rows, row, await world.events()])).not.toContain('s3cr3t-value');
});
