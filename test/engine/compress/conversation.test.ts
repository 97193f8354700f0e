import { describe, expect, it } from 'vitest';
import type { CompressionPolicy } from '../../../src/domain/compression.js';
import type { Json } from '../../../src/domain/json.js';
import type { Compressor } from '../../../src/domain/ports/compressor.js';
import type { MessagePart, ModelRequest } from '../../../src/domain/ports/model.js';
import { agent, call, commandSkill, type Script, type World, type WorldOptions } from '../../support/run-world.js';
import { lawfulWorlds, payloadsOf } from '../laws.js';

const open = lawfulWorlds();

const policy = (over: Partial<CompressionPolicy>): CompressionPolicy => ({
  backend: 'off',
  backendClass: null,
  minBytes: 100,
  overrides: [],
  ...over,
});
const rows = JSON.stringify(Array.from({ length: 200 }, (_, id) => ({ id, name: `row ${id}`, state: 'open' })));
const long = Array.from({ length: 900 }, (_, line) => `line ${line}`).join('\n');
/** Prints what it is given. */
const print = commandSkill('print', ['printf', '%s', '{input}'], { effects: 'read' });

/** What each request of the model held as the result of its last call. */
function listening(answers: readonly (readonly MessagePart[] | string)[]): {
  script: Script;
  results: Json[];
  offered: string[][];
} {
  const results: Json[] = [];
  const offered: string[][] = [];
  const script: Script = ({ turn, request }) => {
    offered.push(request.tools.map(({ name }) => name));
    results.push(...lastResults(request));
    return answers[turn] ?? 'done';
  };
  return { script, results, offered };
}

const lastResults = (request: ModelRequest): readonly Json[] =>
  (request.messages.at(-1)?.parts ?? []).flatMap((part) => (part.type === 'tool_result' ? [part.output] : []));

const root = (over: Parameters<typeof agent>[1] = {}) => agent('root', { role: 'root', skills: ['print'], ...over });
const world = (script: Script, over: Partial<WorldOptions>): Promise<World> =>
  open({ root: root(), skills: [print], script, ...over });
const ran = async (script: Script, over: Partial<WorldOptions>): Promise<World> => {
  const opened = await world(script, over);
  await opened.run();
  expect(await opened.row()).toMatchObject({ status: 'completed' });
  return opened;
};

const SHORT = { KIT_MAX_RESULT_CHARS: 3_000 };
const LEFT_OUT = 'characters are left out here; context_retrieve';

describe('the result of a tool', () => {
  it('enters the conversation laid out by columns, is told whole to the audit, and the event says what was saved', async () => {
    const { script, results, offered } = listening([[call('print', { input: rows })]]);

    const opened = await ran(script, { snapshot: { compression: policy({ backend: 'columnar' }) } });

    const [shown] = results as [string];
    expect(shown.startsWith('{"columns":["id","name","state"],"rows":[[0,"row 0","open"],')).toBe(true);
    expect(offered[0]).toEqual(['print']);
    const [event] = payloadsOf(await opened.events(), 'skill.executed');
    expect(event).toMatchObject({
      outputs: rows,
      compression: { backend: 'columnar', bytes_in: rows.length, bytes_out: shown.length, left: null },
    });
  });

  it.each([
    ['no_json', policy({ backend: 'columnar' }), long],
    ['no_table', policy({ backend: 'columnar' }), JSON.stringify({ text: long })],
    ['too_short', policy({ backend: 'headtail' }), 'x'.repeat(2400)],
    ['not_shorter', policy({ backend: 'headtail' }), 'x'.repeat(2510)],
  ])('is left alone and cut at the end where no compressor takes it: %s', async (left, compression, text) => {
    const { script, results } = listening([[call('print', { input: text })]]);

    const opened = await ran(script, { env: SHORT, snapshot: { compression } });

    const bytes = { bytes_in: text.length, bytes_out: text.length };
    expect(payloadsOf(await opened.events(), 'skill.executed')[0]?.compression).toEqual({
      backend: compression.backend,
      ...bytes,
      left,
    });
    expect(results[0]).toEqual(text.length <= 3000 ? text : expect.stringContaining(LEFT_OUT));
  });

  it.each([
    ['is below the minimum', policy({ backend: 'headtail', minBytes: long.length + 1 })],
    ['has no policy', undefined],
    [
      'has an override that is off',
      policy({ backend: 'headtail', overrides: [{ ...NOTHING(), match: 'pr*', backend: 'off' }] }),
    ],
  ])('is said nothing of where it %s', async (_what, compression) => {
    const { script, results } = listening([[call('print', { input: long })]]);

    const opened = await ran(script, { env: SHORT, snapshot: compression === undefined ? {} : { compression } });

    expect(payloadsOf(await opened.events(), 'skill.executed')[0]).not.toHaveProperty('compression');
    expect(results[0]).toContain(LEFT_OUT);
  });

  it('that failed is never compressed', async () => {
    const fail = commandSkill('fail', ['sh', '-c', 'head -c 9000 /dev/zero | tr "\\0" x >&2; exit 3']);
    const { script } = listening([[call('fail', {})]]);

    const opened = await ran(script, {
      root: root({ skills: ['fail'] }),
      skills: [fail],
      snapshot: { compression: policy({ backend: 'headtail' }) },
    });

    expect(payloadsOf(await opened.events(), 'skill.executed')[0]).not.toHaveProperty('compression');
  });

  it('shows no half of a secret where a compressor cuts', async () => {
    const secret = 'a-secret-of-many-characters';
    const text = `${'x'.repeat(1490)}${secret}${'y'.repeat(3000)}`;
    const { script, results } = listening([[call('print', { input: text })]]);
    const mask = (value: Json): Json => JSON.parse(JSON.stringify(value).replaceAll(secret, '***')) as Json;

    const opened = await ran(script, { mask, snapshot: { compression: policy({ backend: 'headtail' }) } });

    expect(JSON.stringify(results)).not.toContain('a-secret');
    expect(JSON.stringify(await opened.events())).not.toContain('a-secret');
  });
});

function NOTHING() {
  return { backend: null, backendClass: null, minBytes: null, match: null, matchServer: null };
}

describe('a plugin', () => {
  const compression = policy({ backend: 'plugin', backendClass: 'acme' });
  const twice: readonly (readonly MessagePart[])[] = [
    [call('print', { input: long }, 'one'), call('print', { input: rows }, 'two')],
  ];
  const plugin = (compress: Compressor['compress'], log: string[] = []): Partial<WorldOptions> => ({
    facilities: () => ({
      compressor: async (name) => {
        log.push(name);
        return { compress };
      },
    }),
  });

  it('is told the text and its tool, and what it answers enters the conversation', async () => {
    const asked: Json[] = [];
    const { script, results, offered } = listening(twice);

    const opened = await ran(script, {
      env: SHORT,
      snapshot: { compression },
      ...plugin((text, of) => {
        asked.push([text.length, of.tool, of.server]);
        return text === long ? `${text.length} lines` : null;
      }),
    });

    // The calls of one answer run beside one another: which ends first is nobody's promise.
    expect(new Set(asked.map((one) => JSON.stringify(one)))).toEqual(
      new Set([long, rows].map(({ length }) => JSON.stringify([length, 'print', null]))),
    );
    expect(asked).toHaveLength(2);
    expect(results).toEqual([`${long.length} lines`, expect.stringContaining(LEFT_OUT)]);
    expect(offered[0]).toEqual(['print']);
    const reported = payloadsOf(await opened.events(), 'skill.executed').map((payload) => payload.compression);
    expect(reported).toHaveLength(2);
    expect(reported).toEqual(
      expect.arrayContaining([expect.objectContaining({ left: null }), expect.objectContaining({ left: 'declined' })]),
    );
  });

  it('that keeps the original has the call for it below its text', async () => {
    const { script, results, offered } = listening([[call('print', { input: long })]]);

    await ran(script, {
      snapshot: { compression: { ...compression, keepOriginal: ['acme'] } },
      ...plugin(() => 'short'),
    });

    expect(results[0]).toMatch(
      /^short\n\.\.\. \(shortened from \d+ characters; context_retrieve \{"ref": "print-[0-9a-f]{12}"\} gives the original\) \.\.\.$/,
    );
    expect(offered[0]).toEqual(['print', 'context_retrieve']);
  });

  it.each<[string, Compressor['compress']]>([
    [
      'throws',
      () => {
        throw new Error('out of order');
      },
    ],
    ['rejects', () => Promise.reject(new Error('out of order'))],
    ['answers a number', () => 7 as never],
    ['answers nothing', () => undefined as never],
  ])('that %s leaves the text, and is logged once a run', async (_what, compress) => {
    const warned: string[] = [];
    const { script, results } = listening(twice);
    const opened = await world(script, {
      env: SHORT,
      snapshot: { compression },
      ...plugin(compress),
      log: { warn: (text) => warned.push(text) },
    });

    await opened.run();

    expect(results).toEqual([expect.stringContaining(LEFT_OUT), expect.stringContaining(LEFT_OUT)]);
    const reported = payloadsOf(await opened.events(), 'skill.executed').map((payload) => payload.compression);
    expect(reported).toMatchObject([{ left: 'failed' }, { left: 'failed' }]);
    expect(warned).toEqual([expect.stringContaining('the compressor acme failed')]);
  });

  it('that never answers is left behind when its time is over', async () => {
    const { script, results } = listening([[call('print', { input: long })]]);
    const real = Date.now();
    const clock = {
      now: () => real,
      sleep: async (ms: number, signal?: AbortSignal) => (ms === 10_000 ? undefined : waitFor(signal)),
    };

    await ran(script, { env: SHORT, snapshot: { compression }, clock, ...plugin(() => new Promise(() => {})) });

    expect(results[0]).toContain(LEFT_OUT);
  });
});

const waitFor = (signal: AbortSignal | undefined): Promise<void> =>
  new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason), { once: true }));
