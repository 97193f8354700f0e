import { describe, expect, it } from 'vitest';
import type { LinkedSkill } from '../../src/domain/linked-skill.js';
import type { MessagePart, ModelRequest } from '../../src/domain/ports/model.js';
import { agent, call, commandSkill, type Script, type World, type WorldOptions } from '../support/run-world.js';
import { failedSteps, lawfulWorlds, overriding, payloadsOf } from './laws.js';

const open = lawfulWorlds();

async function run(options: WorldOptions): Promise<World> {
  const world = await open(options);
  await world.run();
  return world;
}

const results = (request: ModelRequest): readonly Extract<MessagePart, { type: 'tool_result' }>[] =>
  (request.messages.at(-1)?.parts ?? []).flatMap((part) => (part.type === 'tool_result' ? [part] : []));
const text = (request: ModelRequest): string =>
  (request.messages.at(-1)?.parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('');

const delegate = (child: string, task = 'x', id = `id-${child}-${task}`): MessagePart =>
  call(`delegate_to_${child}`, { task }, id);

/**
 * Resolves for all when `count` have come: what waits here proves that they run at the same time.
 */
function meeting(count: number): () => Promise<void> {
  const all = Promise.withResolvers<void>();
  let here = 0;
  return () => {
    here += 1;
    if (here === count) all.resolve();
    return all.promise;
  };
}

describe('several calls in one response', () => {
  it('children and tools run at the same time, and are answered in the order of the calls', async () => {
    const meet = meeting(3);
    const answers: unknown[] = [];
    // The tool too takes part: it waits for a file that the last child to come writes.
    const world = await run({
      root: agent('root', { role: 'root', skills: ['say'], children: [agent('a'), agent('b'), agent('c')] }),
      skills: [commandSkill('say', ['echo', 'hi'])],
      script: async ({ agent: id, turn, request }) => {
        if (id === 'root' && turn === 0)
          return [delegate('c'), call('say', { input: '' }), delegate('a'), delegate('b')];
        if (id === 'root') {
          answers.push(...results(request).map((part) => part.output));
          return 'done';
        }
        await meet();
        return `${id} was there`;
      },
    });

    expect((await world.row()).status).toBe('completed');
    expect(answers).toEqual(['c was there', 'hi', 'a was there', 'b was there']);
  });

  it('the same child twice is two activations, each with its key, its task and its result', async () => {
    const meet = meeting(2);
    const answers: unknown[] = [];
    const world = await run({
      root: agent('root', { role: 'root', children: [agent('a')] }),
      script: async ({ agent: id, turn, request }) => {
        if (id === 'root' && turn === 0) return [delegate('a', 'first', 'same'), delegate('a', 'second', 'same')];
        if (id === 'root') {
          answers.push(...results(request).map((part) => part.output));
          return 'done';
        }
        await meet();
        return `did ${text(request)}`;
      },
    });

    expect(answers).toEqual(['did first', 'did second']);
    expect(
      payloadsOf(await world.events(), 'agent.started').map((payload) => [payload.activation, payload.parent_key]),
    ).toEqual([
      ['root', null],
      ['root/d0/t0/c0:a', 'root'],
      ['root/d0/t0/c1:a', 'root'],
    ]);
  });

  it('the failure that counts is the first by call site when several fail', async () => {
    const meet = meeting(2);
    const fail = (kind: 'auth' | 'bad_request') =>
      ({ ok: false, failure: { kind, message: 'no', status: null, retryAfterMs: null } }) as const;
    const world = await run({
      root: agent('root', { role: 'root', children: [agent('a'), agent('b')] }),
      script: async ({ agent: id }) => {
        if (id === 'root') return [delegate('a'), delegate('b')];
        await meet();
        return fail(id === 'a' ? 'auth' : 'bad_request');
      },
    });

    // Both answers are there in the same turn of the event loop: the first call site decides,
    // however they arrive.
    expect(await world.row()).toMatchObject({ status: 'failed', reason: 'provider.auth' });
  });
});

describe('leaders below leaders', () => {
  it('three levels deep have keys that spell the path, and pass results up as data', async () => {
    const script: Script = ({ agent: id, turn, request }) => {
      const below: Record<string, string> = { root: 'one', one: 'two', two: 'three' };
      const child = below[id];
      if (child === undefined) return '{"deep": true}';
      return turn === 0
        ? [delegate(child, `${id} asks`)]
        : JSON.stringify({ [id]: results(request)[0]?.output ?? null });
    };
    const three = agent('three', { outputSchema: { type: 'object', required: ['deep'] } });
    const root = agent('root', {
      role: 'root',
      children: [agent('one', { children: [agent('two', { children: [three] })] })],
    });

    const world = await run({ root, script });

    expect(JSON.parse((await world.row()).output ?? '')).toEqual({ root: '{"one":"{\\"two\\":{\\"deep\\":true}}"}' });
    expect(payloadsOf(await world.events(), 'agent.started').at(-1)?.activation).toBe(
      'root/d0/t0/c0:one/d0/t0/c0:two/d0/t0/c0:three',
    );
  });

  it('a failure at the bottom fails every leader above it with the same reason', async () => {
    const script: Script = ({ agent: id }) => {
      if (id === 'two')
        return { ok: false, failure: { kind: 'auth', message: 'telltale', status: 401, retryAfterMs: null } };
      return [delegate(id === 'root' ? 'one' : 'two')];
    };

    const world = await run({
      root: agent('root', { role: 'root', children: [agent('one', { children: [agent('two')] })] }),
      script,
    });

    expect(await world.row()).toMatchObject({
      status: 'failed',
      reason: 'provider.auth',
      error: expect.stringMatching(/^one: two: /),
    });
    expect(Object.values(await failedSteps(world))).toEqual(Array(4).fill('provider.auth'));
  });
});

describe('waves', () => {
  const children = [agent('a'), agent('b'), agent('c', { dependsOn: ['a', 'b'] }), agent('d', { dependsOn: ['c'] })];

  it('run side by side inside, one after another between, and hand on only what they depend on', async () => {
    const meet = meeting(2);
    const tasks: Record<string, string> = {};
    const order: string[] = [];
    let reported = '';
    const world = await run({
      root: agent('root', { role: 'root', children }),
      script: async ({ agent: id, turn, request }) => {
        if (id === 'root' && turn === 0)
          return [delegate('d', 'do d'), delegate('a', 'do a'), delegate('a', 'and more')];
        if (id === 'root') {
          reported = JSON.stringify(request.messages.slice(-2));
          return 'done';
        }
        order.push(id);
        tasks[id] = text(request);
        if (id === 'a' || id === 'b') await meet();
        return `${id}-result`;
      },
    });

    expect((await world.row()).status).toBe('completed');
    expect(order.slice(2)).toEqual(['c', 'd']);
    expect(tasks.a).toBe('do a\n\nand more');
    expect(tasks.b).toBe('do d');
    expect(tasks.c).toContain('{"a":"a-result","b":"b-result"}');
    expect(tasks.d).toContain('{"c":"c-result"}');
    expect(tasks.d).not.toContain('a-result');
    for (const id of ['a', 'b', 'c', 'd']) expect(reported).toContain(`${id}-result`);
  });

  it('a failing child ends the waves: nothing that depends on it starts', async () => {
    const started: string[] = [];
    const world = await run({
      root: agent('root', { role: 'root', children }),
      script: ({ agent: id }) => {
        if (id === 'root') return [delegate('d')];
        started.push(id);
        return id === 'b'
          ? { ok: false, failure: { kind: 'auth', message: 'no', status: 401, retryAfterMs: null } }
          : 'fine';
      },
    });

    expect(await world.row()).toMatchObject({ status: 'failed', reason: 'provider.auth' });
    expect(started).not.toContain('c');
    expect(started).not.toContain('d');
  });

  it('a denied child is skipped with those that depend on it, each answered as denied', async () => {
    const barred = [
      agent('a', { baseScope: ['iam:modify'] }),
      agent('b', { dependsOn: ['a'] }),
      agent('c', { dependsOn: ['b'] }),
      agent('d'),
    ];
    const seen: unknown[] = [];
    const world = await run({
      root: agent('root', { role: 'root', children: barred }),
      script: ({ agent: id, turn, request }) => {
        if (id !== 'root') return `${id} ran`;
        if (turn === 0) return ['a', 'b', 'c', 'd'].map((child) => delegate(child));
        seen.push(
          ...results(request).map((part) => (part.isError ? Reflect.get(Object(part.output), 'status') : part.output)),
        );
        return 'done';
      },
    });

    expect((await world.row()).status).toBe('completed');
    expect(seen).toEqual(['denied', 'denied', 'denied', 'd ran']);
  });
});

describe('schemas', () => {
  const schema = { type: 'object', required: ['n'], properties: { n: { type: 'number' } } };

  it.each(['root', 'child'])(
    'of the %s: an answer that does not fit is corrected twice at most, then fails the run',
    async (place) => {
      const calls: string[] = [];
      const outputSchema = { outputSchema: schema };
      const world = await run({
        root: agent('root', {
          role: 'root',
          children: [agent('child', place === 'child' ? outputSchema : {})],
          ...(place === 'root' ? outputSchema : {}),
        }),
        script: ({ agent: id, turn }) => {
          calls.push(id);
          if (id === 'root' && turn === 0) return [delegate('child')];
          return '{"n": "seven"}';
        },
      });

      expect(await world.row()).toMatchObject({ status: 'failed', reason: 'output_invalid', output: null });
      expect(calls.filter((id) => id === place)).toHaveLength(place === 'child' ? 3 : 5);
      expect(payloadsOf(await world.events(), 'output.validation_failed')).toMatchObject([{ attempts: 3 }]);
    },
  );

  it('a child hands its parent the value itself, not its wording', async () => {
    let seen: unknown;
    await run({
      root: agent('root', { role: 'root', children: [agent('child', { outputSchema: schema })] }),
      script: ({ agent: id, turn, request }) => {
        if (id === 'child') return 'Here you are:\n```json\n{"n": 7}\n```';
        if (turn === 0) return [delegate('child')];
        seen = results(request)[0]?.output;
        return 'done';
      },
    });

    expect(seen).toEqual({ n: 7 });
  });
});

describe('a skill that is a prompt', () => {
  const prompt = (over: Partial<LinkedSkill> = {}): LinkedSkill => ({
    ...commandSkill('summarise', ['true']),
    effects: 'none',
    implementation: { type: 'llm_prompt', prompt: 'You are summarise.', model: agent('x').model },
    outputs: { type: 'object', required: ['n'], properties: { n: { type: 'number' } } },
    ...over,
  });
  const asks = (answers: readonly string[], seen: unknown[], requests: ModelRequest[] = []): Script => {
    let next = 0;
    return ({ agent: id, turn, request }) => {
      if (id === 'summarise') {
        requests.push(request);
        return answers[next++] ?? '';
      }
      if (turn === 0) return [call('summarise', { text: 'long' })];
      seen.push(...results(request).flatMap((part) => [part.isError, part.output]));
      return 'done';
    };
  };
  const root = agent('root', { role: 'root', skills: ['summarise'] });

  it('sees its arguments and nothing of the conversation, and its outputs are enforced by correction', async () => {
    const seen: unknown[] = [];
    const requests: ModelRequest[] = [];
    const world = await run({ root, skills: [prompt()], script: asks(['{"n": "x"}', '{"n": 3}'], seen, requests) });

    expect(seen).toEqual([false, { n: 3 }]);
    expect(requests[0]?.messages.map((message) => message.role)).toEqual(['system', 'user']);
    expect(requests.every((request) => request.tools.length === 0 && request.outputSchema !== null)).toBe(true);
    expect(payloadsOf(await world.events(), 'skill.executed')).toMatchObject([{ status: 'ok', tool: 'summarise' }]);
  });

  it.each([
    { name: 'never fits', answers: ['1', '2', '3'], outputs: prompt().outputs, reason: 'output_invalid' },
    { name: 'is empty', answers: [''], outputs: null, reason: 'empty_answer' },
  ])('answers the call with an error when its result $name', async ({ answers, outputs, reason }) => {
    const seen: unknown[] = [];
    const world = await run({ root, skills: [prompt({ outputs })], script: asks(answers, seen) });

    expect(seen).toMatchObject([true, { status: 'failed', reason }]);
    expect((await world.row()).status).toBe('completed');
    expect(payloadsOf(await world.events(), 'skill.executed')).toMatchObject([{ status: 'failed', reason }]);
  });
});

describe('requires', () => {
  const skills = ['first', 'second'].map((id) => commandSkill(id, ['sh', '-c', `echo ${id} >> order; echo ok`]));
  const root = agent('root', { role: 'root', skills: ['first', 'second'], requires: { second: ['first'] } });
  const answered = async (
    turns: readonly (readonly MessagePart[])[],
    list: readonly LinkedSkill[] = skills,
  ): Promise<string[][]> => {
    const seen: string[][] = [];
    await run({
      root,
      skills: list,
      script: ({ turn, request }) => {
        if (turn > 0)
          seen.push(
            results(request).map((part) => (part.isError ? String(Reflect.get(Object(part.output), 'reason')) : 'ok')),
          );
        return turns[turn] ?? 'done';
      },
    });
    return seen;
  };
  const one = (name: string): MessagePart => call(name, { input: '' }, name);

  it('refuses a call whose prerequisite has not run, and allows it in the order of one response', async () => {
    expect(await answered([[one('second'), one('first')], [one('second')]])).toEqual([['requires', 'ok'], ['ok']]);
    expect(await answered([[one('first'), one('second')]])).toEqual([['ok', 'ok']]);
  });

  it('is not satisfied by a prerequisite that failed', async () => {
    const failing = [commandSkill('first', ['false']), ...skills.slice(1)];

    expect(await answered([[one('first'), one('second')]], failing)).toEqual([['exit_code', 'requires']]);
  });
});

describe('attachments', () => {
  it('reach the first message of the entry agent and no other', async () => {
    const images: string[] = [];
    const bytes = Buffer.from('not really a picture');
    const attachment = {
      name: 'p.png',
      mediaType: 'image/png',
      sizeBytes: bytes.length,
      sha256: '',
      sourcePath: null,
      handling: 'native',
    } as const;
    const world = await open({
      root: agent('root', { role: 'root', children: [agent('child')] }),
      attachments: [attachment],
      wrap: (stores) =>
        overriding(stores, {
          blobs: overriding(stores.blobs, { get: async (sha) => (sha === '' ? bytes : stores.blobs.get(sha)) }),
        }),
      script: ({ agent: id, turn, request }) => {
        request.messages.forEach((message, at) => {
          for (const part of message.parts)
            if (part.type === 'image') images.push(`${id}/${turn}/${message.role}${at}`);
        });
        return id === 'root' && turn === 0 ? [delegate('child')] : 'done';
      },
    });
    await world.run();

    expect((await world.row()).status).toBe('completed');
    expect(images).toEqual(['root/0/user1', 'root/1/user1']);
    const rows = JSON.stringify(await world.stores.runs.load(world.job.id));
    expect(rows).not.toContain(bytes.toString('base64'));
  });
});
