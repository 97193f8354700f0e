import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { KitError } from '../../../src/domain/errors.js';
import type { Effects } from '../../../src/domain/journal.js';
import type { ModelRequest } from '../../../src/domain/ports/model.js';
import { type Answer, fakeServer, saying, serverTool, toolSkill } from '../../support/fake-tools.js';
import { quickClock } from '../../support/quick-clock.js';
import { agent, call, type World, type WorldOptions } from '../../support/run-world.js';
import { lawfulWorlds, payloadsOf } from '../laws.js';
import { withTools } from '../tools/tool-world.js';

const open = lawfulWorlds();
const CALL = 'root/d0/t0/c0:say';

const noServer = (): KitError =>
  new KitError('KIT_TOOL_SERVER_FAILED', 'files cannot be reached', { data: { reason: 'unreachable', down: true } });
const failedCall = (data: Readonly<Record<string, unknown>>): KitError =>
  new KitError('KIT_TOOL_CALL_FAILED', 'files: the call failed', { data });
const NOT_SENT = { reason: 'unreachable', sent: false, down: true };
const SENT = { reason: 'disconnected', sent: true, down: true };

interface Scene {
  /** What happens when the server is opened, lists and answers, by the number of the try. */
  readonly opens?: (n: number) => void;
  readonly lists?: (n: number) => void;
  readonly answer?: (n: number) => ReturnType<Answer>;
  readonly effects?: Effects;
  readonly tier?: 'open' | 'strict';
  readonly turns?: number;
  readonly over?: Partial<WorldOptions>;
}

/** One agent that calls `say` in each of its turns but the last. */
async function scene({ opens = () => {}, lists = () => {}, answer = () => saying('hello'), turns = 1, ...of }: Scene) {
  let opened = 0;
  let listed = 0;
  let answered = 0;
  const requests: ModelRequest[] = [];
  const server = fakeServer([serverTool('say')], () => answer(answered++));
  const source: typeof server.source = {
    open: async (...asked) => {
      opens(opened++);
      const made = await server.source.open(...asked);
      return {
        ...made,
        tools: async () => {
          lists(listed++);
          return made.tools();
        },
      };
    },
  };
  const at = await open(
    withTools(
      source,
      {
        root: agent('root', { role: 'root', skills: ['say'] }),
        skills: [toolSkill('say', { effects: of.effects ?? 'read' })],
        script: ({ turn, request }) => {
          requests.push(request);
          return turn < turns ? [call('say', { text: `${turn}` })] : 'told';
        },
        clock: quickClock(500),
        leaseMs: 24 * 3_600_000,
        ...of.over,
        env: { KIT_OUTAGE_PATIENCE_S: 900, KIT_MCP_RETRIES: 1, ...of.over?.env },
      },
      { permission: of.tier ?? 'open' },
    ),
  );
  return { at, server, requests };
}

const waits = async (at: World) => payloadsOf(await at.events(), 'step.waiting');
const executed = async (at: World) =>
  payloadsOf(await at.events(), 'skill.executed').map(({ status, reason }) => [status, reason]);

/** The run goes on as another worker would, as soon as it is due. */
async function goOnWhenDue(at: World) {
  for (;;) {
    const claimed = await at.claim().catch(() => null);
    if (claimed !== null) return at.runClaim(claimed);
    await pause(5);
  }
}

describe('a run whose server of tools is down', () => {
  it('waits when a turn is to offer its tools, and asks the model once', async () => {
    const { at, requests } = await scene({
      opens: (n) => {
        if (n < 2) throw noServer();
      },
    });

    expect(await at.run({ rests: true })).toMatchObject({ end: { status: 'completed', output: 'told' } });

    expect(await waits(at)).toMatchObject([
      { key: 'root/d0/t0', reason: 'tool.unreachable', tries: 1 },
      { key: 'root/d0/t0', reason: 'tool.unreachable', tries: 2 },
    ]);
    expect(requests).toHaveLength(2);
    expect(await executed(at)).toEqual([['ok', null]]);
  });

  it.each<readonly [string, Effects, Readonly<Record<string, unknown>>]>([
    ['only reads, and may have been carried out', 'read', SENT],
    ['has no effect, and may have been carried out', 'none', SENT],
    ['writes, and was certainly not sent', 'write', NOT_SENT],
    ['destroys, and was certainly not sent', 'destructive', NOT_SENT],
  ])('waits with a call that %s', async (_, effects, data) => {
    const { at, server } = await scene({
      effects,
      answer: (n) => {
        if (n < 2) throw failedCall(data);
        return saying('hello');
      },
    });

    expect(await at.run()).toEqual({ kind: 'waiting', waitingOn: [`outage:${CALL}`] });
    expect(await goOnWhenDue(at)).toMatchObject({ end: { status: 'completed' } });

    // Two tries of the first attempt, one of the second.
    expect(server.calls).toHaveLength(3);
    expect(await waits(at)).toMatchObject([{ key: CALL, reason: `tool.${data.reason}`, tries: 1 }]);
    expect(await executed(at)).toEqual([['ok', null]]);
    expect(payloadsOf(await at.events(), 'step.repeated')).toEqual([]);
    const row = (await at.stores.runs.load(at.job.id)).find(({ key }) => key === CALL);
    expect(row).toMatchObject({ attempt: 2, outcome: { status: 'ok' }, effects });
  });

  it.each<readonly [string, Effects, () => ReturnType<Answer>]>([
    [
      'that writes and may have been carried out',
      'write',
      () => {
        throw failedCall(SENT);
      },
    ],
    [
      'whose server says nothing of being down',
      'read',
      () => {
        throw failedCall({ ...SENT, down: undefined });
      },
    ],
    ['whose tool failed by itself', 'read', () => ({ ...saying('no such file'), isError: true })],
  ])('tells the model of a call %s', async (_, effects, answer) => {
    const { at } = await scene({ effects, answer });

    expect(await at.run({ rests: true })).toMatchObject({ end: { status: 'completed', output: 'told' } });

    expect(await waits(at)).toEqual([]);
    expect(await executed(at)).toEqual([['failed', expect.any(String)]]);
  });

  it('tells the model once its patience is spent, and does not begin anew with the next call', async () => {
    const { at, server } = await scene({
      turns: 2,
      answer: () => {
        throw failedCall(SENT);
      },
      over: { env: { KIT_OUTAGE_PATIENCE_S: 12, KIT_MCP_RETRIES: 0 } },
    });

    expect(await at.run({ rests: true })).toMatchObject({ end: { status: 'completed', output: 'told' } });

    expect((await waits(at)).map(({ tries }) => tries)).toEqual([1, 2]);
    expect(server.calls).toHaveLength(4);
    expect(await executed(at)).toEqual([
      ['failed', 'KIT_TOOL_CALL_FAILED'],
      ['failed', 'KIT_TOOL_CALL_FAILED'],
    ]);
  });

  it('counts a failure of another kind after a wait as no patience that was spent', async () => {
    const { at } = await scene({
      turns: 2,
      answer: (n) => {
        if (n === 1) return { ...saying('no such file'), isError: true };
        if (n === 0 || n === 2) throw failedCall(SENT);
        return saying('hello');
      },
      over: { env: { KIT_MCP_RETRIES: 0 } },
    });

    expect(await at.run({ rests: true })).toMatchObject({ end: { status: 'completed' } });

    expect((await waits(at)).map(({ tries }) => tries)).toEqual([1, 1]);
  });

  it('waits when it is gone before its effects are known, and asks people of a strict tier all the same', async () => {
    const { at, server } = await scene({
      effects: 'unknown',
      tier: 'strict',
      lists: (n) => {
        if (n === 1) throw noServer();
      },
    });

    expect(await at.run({ rests: true })).toMatchObject({ kind: 'parked' });

    expect(await waits(at)).toMatchObject([{ key: CALL, reason: 'tool.unreachable', tries: 1 }]);
    expect(payloadsOf(await at.events(), 'hitl.requested')).toHaveLength(1);
    expect(server.calls).toEqual([]);
    const row = (await at.stores.runs.load(at.job.id)).find(({ key }) => key === CALL);
    expect(row).toMatchObject({ effects: 'none', outcome: null, notes: { outage: { not_done: true } } });
  });
});
