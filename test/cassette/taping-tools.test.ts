import { describe, expect, it } from 'vitest';
import { KitError } from '../../src/domain/errors.js';
import type { ToolSource } from '../../src/domain/ports/tools.js';
import { withTools } from '../engine/tools/tool-world.js';
import { type Answer, fakeServer, saying, serverTool, toolSkill } from '../support/fake-tools.js';
import { agent, call, type WorldOptions } from '../support/run-world.js';
import { sameAgain } from './same-again.js';
import { replay } from './taped-world.js';

const READS = { readOnly: true, destructive: null, idempotent: true };
const once: WorldOptions['script'] = ({ turn }) => (turn === 0 ? [call('say', { text: 'x' })] : 'told');
const world = (source: ToolSource, over: Partial<WorldOptions> = {}): WorldOptions =>
  withTools(source, {
    root: agent('root', { role: 'root', skills: ['say'] }),
    skills: [toolSkill('say')],
    script: once,
    ...over,
  });
const server = (answer?: Answer) => fakeServer([serverTool('say', { hints: READS })], answer).source;
/** Two calls of one tool in one turn, and a third in the next. */
const often: WorldOptions['script'] = ({ turn }) =>
  turn === 0
    ? ['a', 'b'].map((text) => call('say', { text }, `c${text}`))
    : turn === 1
      ? [call('say', { text: 'c' })]
      : 'told';

describe('tools of a server in a cassette', () => {
  it('answer again what they answered, and their list stands in the file once', async () => {
    const { cassette, text, events } = await sameAgain(world(server(), { script: often }));

    expect(cassette.answers.filter(({ kind }) => kind === 'tool').map(({ key }) => key)).toHaveLength(3);
    expect(cassette.answers.filter(({ kind }) => kind === 'tools').map(({ key }) => key)).toContain('root/d0/t0/files');
    expect(text.split("The server's say.")).toHaveLength(2);
    expect(JSON.stringify(events)).toContain('said c');
  });

  it.each<{ readonly what: string; readonly answer: Answer }>([
    { what: 'says that it failed', answer: () => ({ ...saying('no'), isError: true }) },
    {
      what: 'was cut off, and is not asked again',
      answer: () => {
        throw new KitError('KIT_TOOL_CALL_FAILED', 'too much', { data: { reason: 'too_large', sent: true } });
      },
    },
    {
      what: 'throws what is not a refusal',
      answer: () => {
        throw new Error('a bug');
      },
    },
  ])('that $what', async ({ answer }) => {
    await sameAgain(world(server(answer)));
  });

  it('are asked as often as they were, with each failure before the answer', async () => {
    let asked = 0;
    const flaky: Answer = () => {
      asked += 1;
      if (asked > 1) return saying('at last');
      throw new KitError('KIT_TOOL_CALL_FAILED', 'gone', { data: { reason: 'closed', sent: false } });
    };
    const { cassette } = await sameAgain(world(server(flaky), { env: { KIT_MCP_RETRIES: 2 } }));

    expect(cassette.answers.filter(({ kind }) => kind === 'tool').map(({ n }) => n)).toEqual([0, 1]);
  });

  it('that did not answer in time do so at once', async () => {
    const { events, cassette } = await sameAgain(
      world(
        server(() => new Promise(() => undefined)),
        { env: { KIT_MCP_TIMEOUT: 0, KIT_MCP_RETRIES: 0 } },
      ),
    );

    expect(cassette.answers.find(({ kind }) => kind === 'tool')?.gave).toMatchObject({
      timeout: expect.stringContaining('no answer'),
    });
    expect(JSON.stringify(events)).toContain('"timeout"');
  });

  it('that the time limit of their skill cut off are cut off again', async () => {
    const never = server(() => new Promise(() => undefined));
    const skills = [toolSkill('say', { constraints: { timeoutMs: 300, retries: 0, backoff: 'none' } })];

    const { events } = await sameAgain(world(never, { skills }));

    expect(JSON.stringify(events)).toContain('"timeout"');
  });

  it('of a server that does not start fail the run as they did', async () => {
    const source: ToolSource = {
      open: async () => {
        throw new KitError('KIT_TOOL_SERVER_FAILED', 'it did not start', { data: { reason: 'spawn', stderr: 'why' } });
      },
    };
    const { job, cassette } = await sameAgain(world(source));

    expect(job).toMatchObject({ status: 'failed', reason: 'KIT_TOOL_SERVER_FAILED' });
    expect(cassette.answers.map(({ kind }) => kind)).toEqual(['tools']);
  });

  it('fail with replay.miss where other arguments are sent, and where the file holds no answer', async () => {
    const options = world(server());
    const { cassette } = await sameAgain(options);
    const changed = world(server(), { skills: [toolSkill('say', { fixed: { more: true } })] });

    const other = await replay(changed, cassette);
    const without = await replay(options, {
      ...cassette,
      answers: cassette.answers.filter(({ kind }) => kind !== 'tool'),
    });

    expect(JSON.stringify(other.events)).toContain('first difference at');
    expect(JSON.stringify(without.events)).toContain('it holds no tool answer at all');
  });

  it('hold no secret that the run knows', async () => {
    const SECRET = 'planted-secret-77af';
    const { text } = await sameAgain(
      world(
        server(() => saying(`the token is ${SECRET}`)),
        { mask: (value) => JSON.parse(JSON.stringify(value).replaceAll(SECRET, '[MASKED]')) },
      ),
    );

    expect(text).not.toContain(SECRET);
    expect(text).toContain('the token is [MASKED]');
  });
});
