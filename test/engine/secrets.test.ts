import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/domain/json.js';
import type { ModelRequest } from '../../src/domain/ports/model.js';
import { Masker } from '../../src/lib/masker.js';
import { agent, call, commandSkill, type World } from '../support/run-world.js';
import { lawfulWorlds } from './laws.js';

const open = lawfulWorlds();
const SECRET = 's3cr3t/valu3+with=signs';
const FORMS = [SECRET, Buffer.from(SECRET).toString('base64'), encodeURIComponent(SECRET)];

/** Every byte below the state directory: the database, its log of writes, the blobs. */
function stateOf(world: World): readonly { readonly path: string; readonly bytes: Buffer }[] {
  const visit = (path: string): { path: string; bytes: Buffer }[] =>
    statSync(path).isDirectory()
      ? readdirSync(path).flatMap((name) => visit(join(path, name)))
      : [{ path, bytes: readFileSync(path) }];
  return visit(join(world.dir, '.kit'));
}

function leaksOf(world: World, requests: readonly ModelRequest[]): readonly string[] {
  const places = [...stateOf(world), { path: 'requests', bytes: Buffer.from(JSON.stringify(requests)) }];
  return places.flatMap(({ path, bytes }) =>
    FORMS.filter((form) => bytes.includes(form)).map((form) => `${form} in ${path}`),
  );
}

const masked = () => {
  const masker = new Masker([SECRET]);
  return <T extends Json>(value: T): T => masker.maskJson(value);
};

describe('a secret', () => {
  it('is found by this check where nothing masks it', async () => {
    const requests: ModelRequest[] = [];
    const world = await open({
      root: agent('root', { role: 'root' }),
      script: ({ request }) => {
        requests.push(request);
        return `I know ${SECRET}`;
      },
      snapshot: {
        topology: {
          name: 'test',
          version: '1.0.0',
          root: agent('root', { role: 'root', systemPrompt: `You are root. ${SECRET}` }),
        },
      },
    });

    await world.run();

    const leaks = leaksOf(world, requests);
    expect(leaks).toContain(`${SECRET} in requests`);
    expect(leaks.some((leak) => leak.includes('.kit'))).toBe(true);
  });

  it.each([
    { name: 'in the output of a tool', argv: ['printenv', 'TOKEN'] },
    { name: 'in base64', argv: ['sh', '-c', 'printf %s "$TOKEN" | base64'] },
    {
      name: 'in a result of 100 KB, which is a blob',
      argv: [process.execPath, '-e', 'process.stdout.write("x".repeat(100000) + process.env.TOKEN)'],
    },
    { name: 'on stderr of a tool that fails', argv: ['sh', '-c', 'echo "bad $TOKEN" >&2; exit 4'] },
    { name: 'as an argument that a shell repeats in an error', argv: ['sh', '-c', '"$TOKEN"'] },
  ])('$name reaches no journal, no event, no blob and no request', async ({ argv }) => {
    const requests: ModelRequest[] = [];
    const mask = masked();
    const world = await open({
      root: agent('root', { role: 'root', skills: ['leak'], children: [agent('child')] }),
      skills: [commandSkill('leak', argv)],
      facilities: () => ({
        mask,
        commandEnv: async () => ({ TOKEN: SECRET }),
        redactCall: async (_skill, shown) => mask(shown as unknown as Json) as never,
      }),
      script: ({ agent: id, turn, request }) => {
        requests.push(request);
        const last = request.messages.at(-1)?.parts[0];
        if (id === 'child') return `heard ${last?.type === 'text' ? last.text : ''}`;
        if (turn === 0) return [call('leak', { input: '' })];
        if (turn === 1)
          return [
            call('delegate_to_child', {
              task: `pass on ${last?.type === 'tool_result' ? JSON.stringify(last.output).slice(-200) : ''}`,
            }),
          ];
        return 'done';
      },
    });

    await world.run();

    expect((await world.row()).status).toBe('completed');
    expect(JSON.stringify(requests)).toContain('[MASKED]');
    expect(leaksOf(world, requests)).toEqual([]);
  });

  it('that a model or a provider repeats is masked before it is stored and before it goes on', async () => {
    const requests: ModelRequest[] = [];
    const world = await open({
      root: agent('root', { role: 'root', children: [agent('child')] }),
      facilities: () => ({ mask: masked() }),
      script: ({ agent: id, turn, request }) => {
        requests.push(request);
        if (id === 'child')
          return {
            ok: false,
            failure: { kind: 'auth', message: `the key ${SECRET} is wrong`, status: 401, retryAfterMs: null },
          };
        return turn === 0
          ? [call('delegate_to_child', { task: `use ${SECRET}`, [SECRET]: 1 }, SECRET)]
          : `I know ${SECRET}`;
      },
    });

    await world.run();

    expect(await world.row()).toMatchObject({
      status: 'failed',
      reason: 'provider.auth',
      error: expect.stringContaining('[MASKED]'),
    });
    expect(leaksOf(world, requests)).toEqual([]);
  });

  it('in the last answer is masked in the output of the run', async () => {
    const world = await open({
      root: agent('root', { role: 'root' }),
      facilities: () => ({ mask: masked() }),
      script: () => `I know ${SECRET}`,
    });

    await world.run();

    expect((await world.row()).output).toBe('I know [MASKED]');
    expect(leaksOf(world, [])).toEqual([]);
  });

  it('in what a step throws, or governance says, is masked too', async () => {
    const thrown = await open({
      root: agent('root', { role: 'root' }),
      script: () => '',
      facilities: () => ({ mask: masked(), provider: () => Promise.reject(new Error(`cannot log in with ${SECRET}`)) }),
    });
    const denied = await open({
      root: agent('root', { role: 'root' }),
      script: () => '',
      facilities: () => ({ mask: masked() }),
      decide: async () => ({ verdict: 'deny', reason: `${SECRET} is not allowed`, needs: [SECRET] }),
    });

    await thrown.run();
    await denied.run();

    expect(await thrown.row()).toMatchObject({
      status: 'failed',
      reason: 'internal_error',
      error: 'cannot log in with [MASKED]',
    });
    expect(await denied.row()).toMatchObject({ status: 'failed', reason: 'denied' });
    expect([...leaksOf(thrown, []), ...leaksOf(denied, [])]).toEqual([]);
  });
});
