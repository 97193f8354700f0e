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

  it('makes that call again whose input it is told, where the program dropped it from the conversation', async () => {
    const [one, two] = ['touch "one"', 'touch "two"'].map((command) => ({ call: 'run', input: { command } }));
    const messages = [
      { role: 'user', content: scripted([[one ?? {}], [two ?? {}], [{ say: 'both' }]]) },
      { role: 'assistant', content: '', tool_calls: [{ function: { name: 'run', arguments: '{"command":"one"}' } }] },
      { role: 'tool', content: 'made' },
      { role: 'user', content: `${JSON.stringify(two?.input)} is approved. Make exactly this call again, once.` },
    ];
    const said = await ask('/v1/chat/completions', { tools: [{}], messages });
    expect(JSON.parse(said).choices[0].message.tool_calls[0].function.arguments).toContain('two');
  });

  it('does not count what a program asks beside its task, and what is not JSON ends no process', async () => {
    await ask('/v1/messages', { messages: [{ role: 'user', content: 'a title for this?' }] });
    await ask('/v1/messages', [] as never);
    expect(server.takeCount()).toBe(0);
  });

  it('answers in the Responses API, where a turn is several items, and knows a call that is made again', async () => {
    const said = { type: 'message', role: 'user', content: [{ type: 'input_text', text: TASK }] };
    const own = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Words of before.' }] };
    const begun = { tools: [{ name: 'look' }], input: [own, said] };
    expect(JSON.parse(await ask('/v1/responses', begun))).toMatchObject({
      output: [
        { type: 'message' },
        { type: 'function_call', name: 'look', arguments: JSON.stringify({ path: 'a "b"' }) },
      ],
    });
    const made = { type: 'function_call', call_id: 'c', name: 'look', arguments: '{}' };
    const reported = { type: 'message', role: 'user', content: 'Approved. Make exactly this call again.' };
    const made2 = [own, said, made, { type: 'function_call_output', call_id: 'c', output: 'x' }];
    expect(await ask('/v1/responses', { ...begun, input: [...made2, reported] })).toContain('function_call');
    expect(await ask('/v1/responses', { ...begun, input: [...made2, reported, made, { type: 'x' }] })).toContain(
      'Done.',
    );
  });

  it('refuses, and leaves a turn without an answer, where the script says so', async () => {
    const refusing = scripted([[{ status: 400 }]]);
    expect(await ask('/v1/messages', { tools: [{}], messages: [{ role: 'user', content: refusing }] })).toContain(
      'the script refuses',
    );
    const hanging = { tools: [{}], messages: [{ role: 'user', content: scripted([[{ hang: true, say: 'late' }]]) }] };
    const hangs = server.whenHanging();
    const first = ask('/v1/messages', hanging).catch(() => 'closed');
    await hangs;
    expect(await ask('/v1/messages', hanging)).toContain('late');
    expect(server.hasHeard('hang')).toBe(true);
    await server.close();
    expect(await first).toBe('closed');
    server = await startModelServer();
  });
});
