import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/domain/json.js';
import type { ModelMessage } from '../../src/domain/ports/model.js';
import type { HeldCall } from '../../src/domain/ports/prompts.js';
import { keptTexts, leftOut, textsSince } from '../../src/domain/texts-so-far.js';
import type { AskedModel } from '../../src/engine/services/run-observers.js';
import { Masker } from '../../src/lib/masker.js';
import { keptCalls } from '../../src/worker/kept-prompt.js';

const said = (role: ModelMessage['role'], text: string): ModelMessage => ({ role, parts: [{ type: 'text', text }] });
const asked = (messages: readonly ModelMessage[], over: Partial<AskedModel> = {}): AskedModel => ({
  stepKey: 'root/d0/t0',
  agentId: 'root',
  skillId: null,
  purpose: 'turn',
  provider: 'local',
  tries: 2,
  askedAtMs: Date.parse('2026-01-02T03:04:05.000Z'),
  durationMs: 12.4,
  request: {
    model: 'm1',
    messages,
    tools: [{ name: 'note', description: 'Notes.', inputSchema: {} }],
    outputSchema: null,
    temperature: 0.5,
    maxTokens: null,
    options: {},
  },
  result: { ok: false, failure: { kind: 'auth', message: 'no', status: 401, retryAfterMs: null } },
  ...over,
});
const plain = { jobId: 'job', attempt: 1, mask: <T extends Json>(value: T): T => value, secretsKnown: () => 0 };
const messagesOf = ({ messages }: HeldCall): readonly ModelMessage[] =>
  keptTexts(messages).map((text) => JSON.parse(text));
const textOf = (call: HeldCall): string => keptTexts(call.messages).join('');

describe('a call of a model as it is kept', () => {
  it('says who asked whom, when, what, and what came back', () => {
    const kept = keptCalls(plain)(asked([said('system', 'You talk.'), said('user', 'hi')]));

    expect(kept).toMatchObject({
      jobId: 'job',
      stepKey: 'root/d0/t0',
      model: 'm1',
      tries: 2,
      askedAt: '2026-01-02T03:04:05.000Z',
      durationMs: 12,
    });
    expect(messagesOf(kept)).toEqual([said('system', 'You talk.'), said('user', 'hi')]);
    expect(JSON.parse(kept.settings)).toMatchObject({ tools: ['note'], temperature: 0.5 });
    expect(JSON.parse(kept.answer)).toEqual({
      failure: { kind: 'auth', message: 'no', status: 401, retryAfterMs: null },
    });
  });

  it('leaves out bytes of images and what only the provider reads', () => {
    const image: ModelMessage = {
      role: 'user',
      parts: [{ type: 'image', mediaType: 'image/png', data: 'A'.repeat(5000) }],
    };
    const usage = { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, reasoningTokens: 0, costUsd: null };
    const parts = [{ type: 'text', text: 'seen', state: { signature: 'opaque' } }] as const;
    const kept = keptCalls(plain)(
      asked([image], { result: { ok: true, response: { parts, finish: 'stop', usage, model: 'm1' } } }),
    );

    expect(textOf(kept)).toContain('"base64_chars":5000');
    expect(textOf(kept) + kept.answer).not.toMatch(/AAAA|opaque/);
  });

  it('is bounded whatever the conversation: the first message and the newest stay, and both ends of a long text', () => {
    const long = Array.from({ length: 200 }, (_, n) => said('user', `${n} ${'x'.repeat(40_000)} end of ${n}`));
    const kept = keptCalls(plain)(asked([said('system', 'You talk.'), ...long]));
    const messages = messagesOf(kept);

    expect(textOf(kept).length).toBeLessThan(150_000);
    expect(kept.chars).toBeLessThan(200_000);
    expect(messages[0]).toEqual(said('system', 'You talk.'));
    expect(JSON.stringify(messages.at(-1))).toMatch(/199 x+\[\d+ characters left out\]x+ end of 199/);
    expect(leftOut(kept.messages) + messages.length).toBe(201);
  });

  it('is masked before it is cut, so that no end of a secret is left', () => {
    const secret = `planted-${'s'.repeat(40)}`;
    const masker = new Masker([secret]);
    const mask = <T extends Json>(value: T): T => masker.maskJson(value);
    for (let before = 8150; before <= 8200; before += 1) {
      const text = `${'x'.repeat(before)}${secret}${'y'.repeat(20_000)}`;
      const kept = keptCalls({ ...plain, mask })(asked([said('user', text)]));
      expect([before, /planted|sss/.test(JSON.stringify(kept))]).toEqual([before, false]);
    }
  });

  it('is masked when it is held: nothing of a secret waits in memory', () => {
    const masker = new Masker(['planted-secret']);
    const kept = keptCalls({ ...plain, mask: (value) => masker.maskJson(value) });
    const talk = [said('system', 'You talk.'), said('user', 'with planted-secret in it')];
    const request = { ...asked(talk).request, options: { header: 'planted-secret' } };
    const failure = { kind: 'auth', message: 'planted-secret', status: 401, retryAfterMs: null } as const;
    const call = kept(asked(talk, { request, result: { ok: false, failure } }));

    expect(JSON.stringify(call)).not.toContain('planted');
    expect(JSON.stringify(call).match(/\[MASKED\]/g)).toHaveLength(3);
  });
});

describe('a conversation of which calls are kept', () => {
  const talk = [said('system', 'You talk.'), said('user', 'hi'), said('assistant', 'yes'), said('user', 'and?')];
  const more = said('assistant', 'no');

  it('is taken in once: a call masks and holds only what is new', () => {
    const seen: string[] = [];
    const mask = <T extends Json>(value: T): T => {
      seen.push(JSON.stringify(value));
      return value;
    };
    const kept = keptCalls({ ...plain, mask });
    const first = kept(asked(talk));
    seen.length = 0;
    const second = kept(asked([...talk, more], { stepKey: 'root/d0/t1' }));
    const again = kept(asked([...talk, more], { stepKey: 'root/d0/t1', tries: 3 }));

    expect(seen.filter((text) => text.startsWith('{"role"'))).toEqual([JSON.stringify(more)]);
    expect(second.conversation).toBe(first.conversation);
    expect(textsSince(second.messages, first.messages.count)).toEqual([JSON.stringify(more)]);
    expect(textsSince(again.messages, second.messages.count)).toEqual([]);
    expect(messagesOf(first)).toEqual(talk);
    expect(messagesOf(again)).toEqual([...talk, more]);
    expect(second.chars).toBeLessThan(first.chars);
  });

  it('has its options and its schema read once, and all of them among its settings', () => {
    const seen: string[] = [];
    const mask = <T extends Json>(value: T): T => {
      seen.push(JSON.stringify(value));
      return value;
    };
    const kept = keptCalls({ ...plain, mask });
    const [options, outputSchema] = [{ seed: 1, long: 'x'.repeat(20_000) }, { type: 'object' }];
    const request = { ...asked(talk).request, options, outputSchema };
    const first = kept(asked(talk, { request }));
    seen.length = 0;
    const second = kept(asked([...talk, more], { request: { ...request, messages: [...talk, more] } }));

    expect(seen.filter((text) => text.includes('seed') || text.includes('type":"object'))).toEqual([]);
    expect(second.settings).toBe(first.settings);
    expect(JSON.parse(first.settings)).toEqual({
      tools: ['note'],
      output_schema: { type: 'object' },
      temperature: 0.5,
      max_tokens: null,
      options: { seed: 1, long: expect.stringContaining('characters left out') },
    });
  });

  it('is masked anew, with its settings, once the run has learned another secret', () => {
    const masker = new Masker();
    const mask = <T extends Json>(value: T): T => masker.maskJson(value);
    const kept = keptCalls({ ...plain, mask, secretsKnown: () => masker.size });
    const messages = [said('system', 'You talk.'), said('user', 'the planted-secret of somebody')];
    const request = { ...asked(messages).request, options: { header: 'planted-secret' } };
    const first = kept(asked(messages, { request }));
    masker.add('planted-secret');
    const second = kept(asked(messages, { request: { ...request, messages: [...messages, more] } }));
    const third = kept(asked(messages, { request: { ...request, messages: [...messages, more] } }));

    expect(first.settings).toContain('planted');
    expect(JSON.stringify(second)).not.toContain('planted');
    expect(messagesOf(second)).toHaveLength(3);
    expect(second.conversation.name).not.toBe(first.conversation.name);
    expect(third.conversation).toBe(second.conversation);
  });

  it('is another one with other messages, beside one that has gone on, and in another claim', () => {
    const kept = keptCalls(plain);
    const first = kept(asked(talk));
    const elsewhere = kept(asked([said('system', 'You talk.'), said('user', 'hi')]));
    kept(asked([...talk, more]));
    const beside = kept(asked([...talk, said('assistant', 'perhaps')]));
    const later = keptCalls({ ...plain, attempt: 2 })(asked(talk));
    const calls = [first, elsewhere, beside, later];

    expect(new Set(calls.map(({ conversation }) => conversation.name)).size).toBe(4);
    expect(messagesOf(beside)).toEqual([...talk, said('assistant', 'perhaps')]);
    expect(messagesOf(first)).toEqual(talk);
  });
});
