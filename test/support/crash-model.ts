import type { MessagePart, ModelProvider, ModelRequest } from '../../src/domain/ports/model.js';
import { readerAnswer, summaryAnswer } from './crash-context.js';
import { speakerOf } from './crash-speaker.js';

const call = (name: string, input: string, id: string): MessagePart => ({
  type: 'tool_call',
  id,
  name,
  input: name.startsWith('delegate') ? { task: input } : { input },
});

const PLAN: MessagePart = {
  type: 'tool_call',
  id: 'p0',
  name: 'create-task-plan',
  input: {
    tasks: [
      { id: 'one', agent: 'twin', instruction: 'task 0' },
      { id: 'two', agent: 'twin', instruction: 'task 1' },
      { id: 'list', agent: 'lister', instruction: 'list', depends_on: ['one', 'two'] },
    ],
  },
};

/**
 * Without a memory: who speaks and how often it spoke before is read from the request, so any
 * process answers the same.
 */
function answer(agent: string, turn: number, request: ModelRequest): readonly MessagePart[] | string | null {
  const results = request.messages.flatMap((message) =>
    message.parts.flatMap((part) => (part.type === 'tool_result' ? [part.output] : [])),
  );
  // Turns are counted on in rework.
  if (agent === 'drafter' || agent === 'twin') return draftOf(request);
  if (agent === 'essayist') return essayOf(lastText(request));
  if (agent === 'reader') return readerAnswer(request);
  switch (`${agent}:${turn}`) {
    case 'root:0':
      if (request.tools.some(({ name }) => name === 'create-task-plan')) return [PLAN];
      return request.tools
        .filter((tool) => tool.name.startsWith('delegate_to_'))
        .flatMap((tool) => (tool.name === 'delegate_to_twin' ? [tool, tool] : [tool]))
        .map((tool, n) => call(tool.name, `task ${n}`, `d${n}`));
    case 'judge:0':
      return JSON.stringify({
        verdict: lastText(request).includes('corrected') ? 'fail' : 'pass',
        confidence: 0.9,
        reasoning: 'read',
        flagged_items: [],
      });
    case 'asker:0':
      return [call('ask', 'help', 'a0')];
    case 'helper:0':
      return [call('count', '3', 'h0'), call('dig', 'deeper', 'h1')];
    case 'digger:0':
      return [call('list', 'all', 'g0')];
    case 'lister:0':
      return [call('list', 'all', 'l0')];
    case 'counter:0':
      return [call('count', '1', 'n0')];
    case 'counter:1':
      return [call('count', '2', 'n1')];
    case 'napper:0':
      return [call('nap', 'long', 'p0')];
    case 'waiter:0':
      return [call('wait', 'long', 'w0')];
    case 'refuser:0':
      return null;
    case 'root:1':
    case 'root:2':
      // A coordinator tells what it knows of its plan; its first text lets the plan go on.
      if (lastText(request).startsWith('Status of the plan')) return lastText(request);
      return `root saw ${JSON.stringify(results)}`;
    default:
      return `${agent} saw ${JSON.stringify(results)}`;
  }
}

/** The first line of the task, and whether people have asked for changes. */
function draftOf(request: ModelRequest): string {
  const reported = request.messages.flatMap(({ role, parts }) => (role === 'user' ? parts : []));
  const task = reported
    .flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .findLast((one) => !/^Revise your/.test(one));
  return `${task?.split('\n')[0]}${lastText(request).includes('Decisions of the reviewers') ? ', reworked' : ''}`;
}

const lastText = (request: ModelRequest): string =>
  request.messages
    .at(-1)
    ?.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join('\n') ?? '';

/**
 * The first draft fits no schema, the one after the judge does, and so does the one after the
 * people.
 */
function essayOf(task: string): string {
  if (task.startsWith('The answer does not fit')) return '{"title": "corrected"}';
  if (task.includes('Decisions of the reviewers')) return '{"title": "reworked"}';
  return task.includes('What the checks') ? '{"title": "judged"}' : '{"x": 1}';
}

/**
 * @param begin told before each answer, with the step's id: the outside count of model calls, and
 *   the place to hold or to die
 */
export function crashProvider(begin: (stepId: string, name: string) => Promise<void>): ModelProvider {
  return {
    price: () => 0,
    generate: async (request, { stepId }) => {
      const { agent, turn } = speakerOf(request);
      await begin(stepId, `${agent}:${turn}`);
      const said = summaryAnswer(request) ?? answer(agent, turn, request);
      if (said === null)
        return { ok: false, failure: { kind: 'server', message: 'HTTP 500', status: 500, retryAfterMs: null } };
      const parts: readonly MessagePart[] = typeof said === 'string' ? [{ type: 'text', text: said }] : said;
      const usage = { inputTokens: 10, outputTokens: 5, cachedInputTokens: 0, reasoningTokens: 0, costUsd: 0.001 };
      return {
        ok: true,
        response: { parts, finish: typeof said === 'string' ? 'stop' : 'tool_calls', usage, model: request.model },
      };
    },
  };
}
