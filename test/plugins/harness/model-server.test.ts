import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../../../plugins/harness/src/verify/model-server.js';
import { scripted } from '../../../plugins/harness/src/verify/script.js';

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.close());

const TASK = scripted([[{ say: 'I look.' }, { call: 'look', input: { path: 'a "b"' } }], [{ say: 'Done.' }]]);
const ask = async (path: string, body: object) => {
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { method: 'POST', body: JSON.stringify(body) });
  return answer.text();
};

describe('the scripted model server', () => {
  it('answers in the Messages API: a call first, then the end, by the turns of the conversation', async () => {
    const begun = { tools: [{ name: 'look' }], messages: [{ role: 'user', content: TASK }] };
    expect(JSON.parse(await ask('/v1/messages?beta=true', begun))).toMatchObject({
      stop_reason: 'tool_use',
      content: [
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', name: 'look', input: { path: 'a "b"' } },
      ],
      usage: { input_tokens: 100, output_tokens: 20 },
    });
    const messages = [...begun.messages, { role: 'assistant', content: 'x' }, { role: 'user', content: 'y' }];
    expect(await ask('/v1/messages', { ...begun, messages, stream: true })).toContain(
      'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Done."}}',
    );
    expect(server.takeCount()).toBe(2);
    expect(server.takeCount()).toBe(0);
  });

  it('answers in Chat Completions and in generateContent', async () => {
    const chat = { tools: [{ type: 'function' }], messages: [{ role: 'user', content: TASK }], stream: true };
    const streamed = await ask('/v1/chat/completions', chat);
    expect(streamed).toContain('"finish_reason":"tool_calls"');
    expect(streamed).toContain('data: [DONE]');
    const gemini = {
      tools: [{}],
      contents: [
        { role: 'user', parts: [{ text: TASK }] },
        { role: 'model', parts: [] },
      ],
    };
    expect(JSON.parse(await ask('/v1beta/models/m:generateContent', gemini))).toMatchObject({
      candidates: [{ content: { parts: [{ text: 'Done.' }] } }],
    });
  });

  it('makes a call again where it is told to', async () => {
    const messages = [
      { role: 'user', content: TASK },
      { role: 'assistant', content: 'x' },
      { role: 'user', content: 'It is approved. Make exactly this call again, once.' },
    ];
    expect(await ask('/v1/messages', { tools: [{ name: 'look' }], messages })).toContain('"name":"look"');
  });

  it('does not count what a program asks beside its task, and what is no JSON ends no process', async () => {
    await ask('/v1/messages', { messages: [{ role: 'user', content: 'a title for this?' }] });
    await ask('/v1/messages', [] as never);
    expect(server.takeCount()).toBe(0);
  });
});
