import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/domain/json.js';
import type { ModelMessage } from '../../src/domain/ports/model.js';
import type { AskedModel } from '../../src/engine/services.js';
import { Masker } from '../../src/lib/masker.js';
import { keptPrompt } from '../../src/worker/kept-prompt.js';

const said = (role: ModelMessage['role'], text: string): ModelMessage => ({ role, parts: [{ type: 'text', text }] });
const asked = (messages: readonly ModelMessage[], over: Partial<AskedModel> = {}): AskedModel => ({
  stepKey: 'root/t0',
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
const plain = { jobId: 'job', mask: <T extends Json>(value: T): T => value };

describe('a call of a model as it is kept', () => {
  it('says who asked whom, when, what, and what came back', () => {
    const kept = keptPrompt(asked([said('system', 'You talk.'), said('user', 'hi')]), plain);

    expect(kept).toMatchObject({ jobId: 'job', stepKey: 'root/t0', model: 'm1', tries: 2, askedAt: '2026-01-02T03:04:05.000Z', durationMs: 12 });
    expect(JSON.parse(kept.prompt)).toMatchObject({ messages: [said('system', 'You talk.'), said('user', 'hi')], tools: ['note'], temperature: 0.5 });
    expect(JSON.parse(kept.answer)).toEqual({ failure: { kind: 'auth', message: 'no', status: 401, retryAfterMs: null } });
  });

  it('leaves out bytes of images and what only the provider reads', () => {
    const image: ModelMessage = { role: 'user', parts: [{ type: 'image', mediaType: 'image/png', data: 'A'.repeat(5000) }] };
    const usage = { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, reasoningTokens: 0, costUsd: null };
    const parts = [{ type: 'text', text: 'seen', state: { signature: 'opaque' } }] as const;
    const kept = keptPrompt(asked([image], { result: { ok: true, response: { parts, finish: 'stop', usage, model: 'm1' } } }), plain);

    expect(kept.prompt).toContain('"base64_chars":5000');
    expect(kept.prompt + kept.answer).not.toMatch(/AAAA|opaque/);
  });

  it('is bounded whatever the conversation: the first message and the newest stay, and both ends of a long text', () => {
    const long = Array.from({ length: 200 }, (_, n) => said('user', `${n} ${'x'.repeat(40_000)} end of ${n}`));
    const kept = keptPrompt(asked([said('system', 'You talk.'), ...long]), plain);
    const { messages, messages_left_out: leftOut } = JSON.parse(kept.prompt) as { messages: ModelMessage[]; messages_left_out: number };

    expect(kept.prompt.length).toBeLessThan(200_000);
    expect(messages[0]).toEqual(said('system', 'You talk.'));
    expect(JSON.stringify(messages.at(-1))).toMatch(/199 x+\[\d+ characters left out\]x+ end of 199/);
    expect(leftOut + messages.length).toBe(201);
  });

  it('is masked before it is cut, so that no end of a secret is left', () => {
    const secret = `planted-${'s'.repeat(40)}`;
    const masker = new Masker([secret]);
    const mask = <T extends Json>(value: T): T => masker.maskJson(value);
    for (let before = 8150; before <= 8200; before += 1) {
      const kept = keptPrompt(asked([said('user', `${'x'.repeat(before)}${secret}${'y'.repeat(20_000)}`)]), { jobId: 'job', mask });
      expect([before, /planted|sss/.test(kept.prompt)]).toEqual([before, false]);
    }
  });
});
