import { describe, expect, it } from 'vitest';
import type { CompressionPolicy } from '../../../src/domain/compression.js';
import { KitError } from '../../../src/domain/errors.js';
import type { RunWrite } from '../../../src/domain/journal.js';
import type { Json, JsonObject } from '../../../src/domain/json.js';
import type { PolicyRequest } from '../../../src/domain/ports/governance.js';
import type { MessagePart } from '../../../src/domain/ports/model.js';
import { fenceOf } from '../../../src/worker/fence-of.js';
import { agent, call, commandSkill, type Script, type World, type WorldOptions } from '../../support/run-world.js';
import { committing, lawfulWorlds, payloadsOf } from '../laws.js';

const open = lawfulWorlds();

const compression: CompressionPolicy = { backend: 'headtail', backendClass: null, minBytes: 100, overrides: [] };
const text = Array.from({ length: 2000 }, (_, line) => `line ${line} 😀`).join('\n');
const print = commandSkill('print', ['printf', '%s', text], { effects: 'read' });
const root = agent('root', { role: 'root', skills: ['print'] });
const retrieve = (input: JsonObject, id = 'again'): MessagePart => call('context_retrieve', input, id);

const open1 = (script: Script, over: Partial<WorldOptions> = {}): Promise<World> =>
  open({ root, skills: [print], snapshot: { compression }, script, ...over });

/** A model that makes one call, then those that `after` makes of the reference it was shown. */
function asking(after: (ref: string) => readonly (readonly MessagePart[])[]): {
  script: Script;
  results: Json[][];
  refs: string[];
} {
  const results: Json[][] = [];
  const refs: string[] = [];
  const script: Script = ({ turn, request }) => {
    if (turn === 0) return [call('print', {})];
    const shown = resultsOf(request.messages.at(-1)?.parts ?? []);
    if (turn === 1) refs.push(/context_retrieve \{"ref": "([^"]+)"/.exec(String(shown[0]))?.[1] ?? '');
    else results.push(shown);
    return after(refs.at(-1) ?? '')[turn - 1] ?? 'done';
  };
  return { script, results, refs };
}

const resultsOf = (parts: readonly MessagePart[]): Json[] =>
  parts.flatMap((part) => (part.type === 'tool_result' ? [part.output] : []));

const ran = async (script: Script, over: Partial<WorldOptions> = {}): Promise<World> => {
  const world = await open1(script, over);
  await world.run();
  expect(await world.row()).toMatchObject({ status: 'completed' });
  return world;
};

/** The text between the line that says which part it is and the line that says how to go on. */
const windowIn = (result: Json | undefined): string =>
  String(result)
    .replace(/^.*\n/, '')
    .replace(/\n\.\.\. \(\d+ more characters; .*\) \.\.\.$/, '');

describe('context_retrieve', () => {
  it('gives the whole original, window by window', async () => {
    let read = '';
    const script: Script = ({ turn, request }) => {
      if (turn === 0) return [call('print', {})];
      const [shown] = resultsOf(request.messages.at(-1)?.parts ?? []);
      const ref =
        /"ref": "(print-[0-9a-f]{12})"/.exec(JSON.stringify(request.messages).replaceAll('\\"', '"'))?.[1] ?? '';
      if (turn === 1) return [retrieve({ ref })];
      read += windowIn(shown);
      const next = /go on with "offset": (\d+)/.exec(String(shown))?.[1];
      return next === undefined ? 'done' : [retrieve({ ref, offset: Number(next), limit: 7001 })];
    };

    const world = await ran(script);

    expect(read).toBe(text);
    const events = payloadsOf(await world.events(), 'skill.executed').filter(({ tool }) => tool === 'context_retrieve');
    expect(events[0]).toMatchObject({ status: 'ok', policy_decision: 'allow', effects: 'read' });
    expect(events[0]).not.toHaveProperty('outputs');
    expect(events[0]).not.toHaveProperty('compression');
  });

  it('begins with what the shortened result says is missing', async () => {
    const { script, results, refs } = asking((ref) => [[retrieve({ ref, offset: 1500, limit: 100 })]]);

    await ran(script);

    expect(results[0]?.[0]).toBe(
      `${refs[0]}: characters 1500 to 1600 of ${text.length}\n${text.slice(1500, 1600)}\n... (${text.length - 1600} more characters; go on with "offset": 1600) ...`,
    );
  });

  it.each<[string, string, (ref: string) => JsonObject]>([
    ['names no result', 'unknown_ref', () => ({ ref: 'print-000000000000' })],
    ['is not there', 'invalid_arguments', () => ({})],
    ['is not text', 'invalid_arguments', () => ({ ref: 7 })],
    ['has an offset beyond the end', 'invalid_arguments', (ref) => ({ ref, offset: text.length })],
    ['has a negative offset', 'invalid_arguments', (ref) => ({ ref, offset: -1 })],
    ['asks for too much', 'invalid_arguments', (ref) => ({ ref, limit: 20_001 })],
    ['has an argument more', 'invalid_arguments', (ref) => ({ ref, whole: true })],
  ])('is answered with an error result where the reference %s: %s', async (_what, reason, input) => {
    const { script, results } = asking((ref) => [[retrieve(input(ref))]]);

    const world = await ran(script);

    expect(results[0]?.[0]).toMatchObject({ status: 'failed', reason });
    expect(payloadsOf(await world.events(), 'skill.executed').at(-1)).toMatchObject({
      tool: 'context_retrieve',
      status: 'failed',
      reason,
    });
  });

  it('is put before governance by its reference, and a denial is data', async () => {
    const asked: PolicyRequest[] = [];
    const { script, results, refs } = asking((ref) => [[retrieve({ ref })]]);
    const decide = async (request: PolicyRequest) => {
      asked.push(request);
      return request.action.startsWith('context:')
        ? ({ verdict: 'deny', reason: 'not this one', needs: [] } as const)
        : ({ verdict: 'allow' } as const);
    };

    const world = await ran(script, { facilities: () => ({ decide }) });

    expect(asked.find(({ action }) => action.startsWith('context:'))).toMatchObject({
      agentId: 'root',
      action: `context:retrieve:${refs[0]}`,
      scopesRequired: [],
    });
    expect(results[0]?.[0]).toEqual({ status: 'denied', reason: 'not this one', needs: [] });
    expect(payloadsOf(await world.events(), 'skill.executed').at(-1)).toMatchObject({
      tool: 'context_retrieve',
      status: 'denied',
      policy_decision: 'deny',
    });
    expect(payloadsOf(await world.events(), 'policy.denied')).toEqual([
      { action: `context:retrieve:${refs[0]}`, reason: 'not this one', needs: [] },
    ]);
  });

  it('counts as a read tool', async () => {
    const { script, results } = asking((ref) => [
      [retrieve({ ref }, 'a'), retrieve({ ref }, 'b'), retrieve({ ref }, 'c')],
    ]);

    await ran(script, { env: { KIT_MAX_PER_TOOL: 1, KIT_MAX_PER_READ_TOOL: 2 } });

    expect(results[0]?.map((result) => (typeof result === 'string' ? 'ok' : result))).toEqual([
      'ok',
      'ok',
      expect.objectContaining({ reason: 'call_limit' }),
    ]);
  });

  it('gives an agent nothing of what another one called', async () => {
    const refs: string[] = [];
    const seen: Json[] = [];
    const child = agent('child', { skills: ['print'] });
    const script: Script = ({ agent: id, turn, request }) => {
      const [shown] = resultsOf(request.messages.at(-1)?.parts ?? []);
      if (id === 'child') {
        if (turn === 0) return [retrieve({ ref: refs[0] ?? '' })];
        seen.push(shown ?? null);
        return 'done';
      }
      if (turn === 0) return [call('print', {})];
      if (turn === 1) refs.push(/"ref": "([^"]+)"/.exec(String(shown))?.[1] ?? '');
      return turn === 1 ? [call('delegate_to_child', { task: 'x' })] : 'done';
    };

    await ran(script, { root: agent('root', { role: 'root', skills: ['print'], children: [child] }) });

    expect(seen).toEqual([expect.objectContaining({ status: 'failed', reason: 'unknown_ref' })]);
  });

  it('is offered to nobody who holds no tool, nor where nothing is left out', async () => {
    const offered: string[][] = [];
    const script: Script = ({ agent: id, turn, request }) => {
      offered.push([id, ...request.tools.map(({ name }) => name)]);
      return id === 'root' && turn === 0 ? [call('delegate_to_child', { task: 'x' })] : 'done';
    };
    const plain: CompressionPolicy = { ...compression, backend: 'columnar' };

    await ran(script, { root: agent('root', { role: 'root', skills: ['print'], children: [agent('child')] }) });
    await ran(script, { root, snapshot: { compression: plain } });

    expect(offered).toEqual([
      ['root', 'delegate_to_child', 'print', 'context_retrieve'],
      ['child'],
      ['root', 'delegate_to_child', 'print', 'context_retrieve'],
      ['root', 'print'],
      ['root', 'print'],
    ]);
  });

  it('is an unknown tool where it is not offered', async () => {
    const script: Script = ({ turn }) => (turn === 0 ? [retrieve({ ref: 'x' })] : 'done');

    const world = await ran(script, { snapshot: {} });

    expect(payloadsOf(await world.events(), 'skill.gap')).toEqual([{ tool: 'context_retrieve', available: ['print'] }]);
  });
});

describe('a run that goes on later', () => {
  it('still gives the original after a stop', async () => {
    let isStopped = false;
    const { script: asks, results } = asking((ref) => [[retrieve({ ref, limit: 20_000 })]]);
    const world: World = await open1(async (turn) => {
      if (!isStopped) await world.requestStop();
      isStopped = true;
      return asks(turn);
    });

    await world.run();
    expect(await world.row()).toMatchObject({ status: 'stopped' });
    await world.runClaim(await world.resume());

    expect(await world.row()).toMatchObject({ status: 'completed' });
    expect(windowIn(results[0]?.[0])).toBe(text.slice(0, 20_000).replace(/[\ud800-\udbff]$/, ''));
  });

  it('still gives an original that is a blob of its own after its process died', async () => {
    const large = 'a long result '.repeat(10_000);
    const skill = commandSkill('print', ['sh', '-c', 'yes "a long result " | head -n 10000 | tr -d "\\n"'], {
      effects: 'read',
    });
    let [isDead, isBack] = [false, false];
    const dies = (writes: readonly RunWrite[]): boolean =>
      writes.some((write) => write.op === 'step.started' && write.row.key.endsWith(':context_retrieve'));
    const { script, results } = asking((ref) => [[retrieve({ ref, offset: 100_000, limit: 20_000 })]]);
    const world = await open1(script, {
      skills: [skill],
      wrap: (stores) =>
        committing(stores, (fence, writes) => {
          isDead ||= dies(writes);
          return isDead && !isBack
            ? Promise.reject(new KitError('KIT_STORE_BUSY', 'the process died'))
            : stores.runs.commit(fence, writes);
        }),
    });

    expect(await world.run()).toMatchObject({ kind: 'lost' });
    isBack = true;
    await world.stores.jobs.release(fenceOf(world.job));
    await world.runClaim(await world.claim());

    expect(await world.row()).toMatchObject({ status: 'completed' });
    expect(windowIn(results[0]?.[0])).toBe(large.slice(100_000, 120_000));
  });
});
