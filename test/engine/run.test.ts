import { afterEach, describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../src/domain/ports/model.js';
import { lastText } from '../support/deciding.js';
import { agent, call, commandSkill, openWorld, type World, type WorldOptions } from '../support/run-world.js';

let world: World;
afterEach(() => world.close());

async function finished(options: WorldOptions) {
  world = await openWorld(options);
  const result = await world.run();
  if (result.kind !== 'ended') throw new Error(`the run was ${result.kind}`);
  const before = await world.events();
  const replayed = await world.replay();
  expect(await world.events()).toEqual(before);
  return {
    end: result.end,
    events: before,
    types: before.map((event) => event.type),
    replayed,
    row: await world.row(),
  };
}

describe('a run', () => {
  it('completes with the text of a single agent and leaves one run.ended', async () => {
    const { end, types, replayed, row } = await finished({
      root: agent('root', { role: 'root' }),
      script: () => 'hello',
    });

    expect(end).toMatchObject({
      status: 'completed',
      output: 'hello',
      usage: { inputTokens: 10, outputTokens: 5, costUsd: 0.001 },
      diffs: null,
    });
    expect(types).toEqual(['run.started', 'agent.started', 'model.called', 'agent.completed', 'run.ended']);
    expect(replayed).toEqual({ kind: 'completed', output: 'hello' });
    expect(row).toMatchObject({ status: 'completed', output: 'hello', diffLength: null });
  });

  it('delegates to two children in parallel and merges their results in call order', async () => {
    const { end, events, replayed } = await finished({
      root: agent('root', { role: 'root', children: [agent('slow'), agent('fast')] }),
      script: async ({ agent: id, turn, request }) => {
        if (id === 'root' && turn === 0)
          return [call('delegate_to_slow', { task: 'a' }), call('delegate_to_fast', { task: 'b' })];
        if (id === 'root')
          return JSON.stringify(
            request.messages
              .at(-1)
              ?.parts.map((part) => (part.type === 'tool_result' ? [part.name, part.output] : null)),
          );
        if (id === 'slow') await new Promise((resolve) => setTimeout(resolve, 30));
        return `${id} did ${request.messages.at(-1)?.parts[0]?.type === 'text' ? 'its task' : '?'}`;
      },
    });

    expect(end.output).toBe('[["delegate_to_slow","slow did its task"],["delegate_to_fast","fast did its task"]]');
    expect(replayed).toEqual({ kind: 'completed', output: end.output });
    const keys = events.flatMap((event) => (event.type === 'agent.started' ? [event.payload.activation] : []));
    expect(keys).toEqual(['root', 'root/d0/t0/c0:slow', 'root/d0/t0/c1:fast']);
  });

  it('runs children that depend on each other in waves and hands results on as data', async () => {
    const seen: Record<string, string> = {};
    const { end } = await finished({
      root: agent('root', { role: 'root', children: [agent('first'), agent('second', { dependsOn: ['first'] })] }),
      script: ({ agent: id, turn, request }) => {
        const last = request.messages.at(-1)?.parts[0];
        if (id !== 'root') seen[id] = last?.type === 'text' ? last.text : '';
        if (id === 'root') return turn === 0 ? [call('delegate_to_second', { task: 'both' })] : 'done';
        return `${id}-result`;
      },
    });

    expect(end.status).toBe('completed');
    expect(seen.second).toContain('{"first":"first-result"}');
    expect(seen.first).toBe('both');
  });

  it('runs a command skill as one step with its step id and reports it once', async () => {
    const { end, events } = await finished({
      root: agent('root', { role: 'root', skills: ['say'] }),
      skills: [
        commandSkill('say', ['sh', '-c', 'echo "$0 $KIT_STEP_ID"', '{word}'], {
          inputs: { type: 'object', required: ['word'], properties: { word: { type: 'string' } } },
        }),
      ],
      script: ({ turn, request }) => {
        if (turn === 0) return [call('say', { word: 'a b; c' })];
        const last = request.messages.at(-1)?.parts[0];
        return last?.type === 'tool_result' ? String(last.output) : '?';
      },
    });

    expect(end.output).toMatch(/^a b; c [0-9a-f]{32}$/);
    const executed = events.filter((event) => event.type === 'skill.executed');
    expect(executed).toHaveLength(1);
    expect(executed[0]?.payload).toMatchObject({
      tool: 'say',
      status: 'ok',
      policy_decision: 'allow',
      inputs: { word: 'a b; c' },
    });
  });

  it('answers unknown tools, bad arguments and failing commands as data, each with its event', async () => {
    const outputs: unknown[] = [];
    const { end, types } = await finished({
      root: agent('root', { role: 'root', skills: ['boom'] }),
      skills: [commandSkill('boom', ['sh', '-c', 'echo oops >&2; exit 3'])],
      script: ({ turn, request }) => {
        if (turn === 0)
          return [call('nope', {}), call('boom', { __invalid: '{' }, 'bad'), call('boom', { input: 'x' }, 'good')];
        for (const part of request.messages.at(-1)?.parts ?? [])
          if (part.type === 'tool_result') outputs.push(part.isError, part.output);
        return 'ok';
      },
    });

    expect(end.status).toBe('completed');
    expect(outputs).toMatchObject([
      true,
      { status: 'refused', reason: 'unknown_tool' },
      true,
      { status: 'refused', reason: 'invalid_arguments' },
      true,
      { status: 'failed', reason: 'exit_code', data: { exit_code: 3, stderr_tail: 'oops' } },
    ]);
    expect(
      types.filter((type) => type === 'skill.gap' || type === 'tool.refused' || type === 'skill.executed').sort(),
    ).toEqual(['skill.executed', 'skill.gap', 'tool.refused']);
  });

  it('offers the schema of the answer as a tool beside the others, and corrects what does not fit', async () => {
    const requests: ModelRequest[] = [];
    const { end, types } = await finished({
      root: agent('root', {
        role: 'root',
        children: [agent('child')],
        outputSchema: { type: 'object', required: ['n'], properties: { n: { type: 'number' } } },
      }),
      script: ({ agent: id, turn, request }) => {
        if (id === 'child') return 'seven';
        requests.push(request);
        if (turn === 0) return [call('delegate_to_child', { task: 'count' })];
        if (turn === 1) return 'it is seven';
        return [call('answer', { n: turn === 2 ? 'seven' : 7 })];
      },
    });

    expect(end).toMatchObject({ status: 'completed', output: '{"n":7}' });
    expect(types.filter((type) => type === 'output.validated')).toHaveLength(2);
    expect(requests).toHaveLength(4);
    for (const one of requests) {
      expect(one.tools.map(({ name }) => name)).toEqual(['delegate_to_child', 'answer']);
      expect(one.outputSchema).toBeNull();
    }
    const forced = { type: 'tool', name: 'answer' };
    expect(requests.map(({ toolChoice }) => toolChoice)).toEqual([undefined, undefined, forced, forced]);
    expect(lastText(requests[2] as ModelRequest)).toMatch(/^Now give the final answer/);
    expect(lastText(requests[3] as ModelRequest)).toContain('Correct only these places');
  });

  it('fails with output_invalid when the corrections are spent', async () => {
    const { end, types } = await finished({
      root: agent('root', { role: 'root', outputSchema: { type: 'object', required: ['n'] } }),
      script: () => '{}',
    });

    expect(end).toMatchObject({ status: 'failed', reason: 'output_invalid' });
    expect(types.filter((type) => type === 'output.validation_failed')).toHaveLength(1);
    expect(types.filter((type) => type === 'model.called')).toHaveLength(3);
  });

  it('fails the run with the reason of a failed child and stops what its siblings were doing', async () => {
    const { end, replayed } = await finished({
      root: agent('root', { role: 'root', children: [agent('sleeper', { skills: ['nap'] }), agent('broken')] }),
      skills: [commandSkill('nap', ['sleep', '60'])],
      script: async ({ agent: id, turn }) => {
        if (id === 'root')
          return [call('delegate_to_sleeper', { task: 'a' }), call('delegate_to_broken', { task: 'b' })];
        if (id === 'sleeper' && turn === 0) return [call('nap', { input: '' })];
        await new Promise((resolve) => setTimeout(resolve, 200));
        return { ok: false, failure: { kind: 'server', message: 'HTTP 500', status: 500, retryAfterMs: null } };
      },
    });

    expect(end).toMatchObject({ status: 'failed', reason: 'provider.server' });
    expect(end.error).toContain('broken');
    expect(replayed).toMatchObject({ kind: 'failed', reason: 'provider.server' });
  });

  it('ends at the step limit with the limit, its value and what it would have been', async () => {
    const { end, types } = await finished({
      root: agent('root', { role: 'root', skills: ['ls'] }),
      skills: [commandSkill('ls', ['true'])],
      limits: { maxStepsPerRun: 3 },
      script: ({ turn }) => [call('ls', { input: String(turn) })],
    });

    expect(end).toMatchObject({ status: 'failed', reason: 'limit.max_steps_per_run' });
    expect(types.filter((type) => type === 'limit.breached')).toHaveLength(1);
    expect(types.filter((type) => type === 'model.called')).toHaveLength(3);
  });

  it('ends when a call has made the run cost more than it may', async () => {
    const { end } = await finished({
      root: agent('root', { role: 'root' }),
      limits: { maxCostPerRunUsd: 0.0005 },
      script: () => 'x',
    });

    expect(end).toMatchObject({ status: 'failed', reason: 'limit.max_cost_per_run_usd', usage: { costUsd: 0.001 } });
  });

  it('answers a denied agent as data and records the denial', async () => {
    const { end, types } = await finished({
      root: agent('root', { role: 'root' }),
      decide: async () => ({ verdict: 'deny', reason: 'not today', needs: ['a:b'] }),
      script: () => 'x',
    });

    expect(end).toMatchObject({ status: 'failed', reason: 'denied' });
    expect(types).toEqual(['run.started', 'policy.denied', 'run.ended']);
  });

  it('fails with timeout, and nothing of it runs any more', async () => {
    const { end } = await finished({
      root: agent('root', { role: 'root', skills: ['nap'] }),
      skills: [commandSkill('nap', ['sleep', '60'])],
      timeoutMs: 1500,
      script: () => [call('nap', { input: '' })],
    });

    expect(end).toMatchObject({ status: 'failed', reason: 'timeout' });
  });
});
