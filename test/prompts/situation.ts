import type { MessagePart, ModelMessage, ModelRequest, ToolSpec } from '../../src/domain/ports/model.js';
import { decide, goOn } from '../support/gated.js';
import { openWorld, type Script, type World, type WorldOptions } from '../support/run-world.js';

type Answer = Awaited<ReturnType<Script>>;

/** One thing that can happen to a model, and who is asked then. */
export interface Situation {
  readonly name: string;
  /** Whose last request is shown; '' = who has no name, as a curator. */
  readonly of: string;
  readonly world: Omit<WorldOptions, 'script'>;
  /** What each answers, one after the other; the last one again. */
  readonly answers: Readonly<Record<string, readonly Answer[]>>;
  /** Which request of theirs is shown, from 0; absent: the last. */
  readonly at?: number;
  readonly before?: (world: World) => Promise<unknown>;
  /** What people ask for once the run waits for them. */
  readonly changes?: string;
}

/** How calls end that are refused: what is said of that is not a fact of the world. */
const REFUSED = ['too_many_calls', 'call_limit', 'invalid_arguments', 'requires', 'unknown_tool'];

/** The request that a situation is about, and with what words calls before it failed. */
export async function requestIn({
  of,
  world: options,
  answers,
  at,
  before,
  changes,
}: Situation): Promise<{ readonly request: ModelRequest; readonly facts: readonly string[] }> {
  const asked = new Map<string, ModelRequest[]>();
  const script: Script = ({ agent, request }) => {
    const earlier = asked.get(agent) ?? [];
    asked.set(agent, [...earlier, structuredClone(request)]);
    const list = answers[agent] ?? [];
    return list[Math.min(earlier.length, list.length - 1)] ?? 'done';
  };
  const world = await openWorld({ ...options, script });
  let facts: readonly string[] = [];
  try {
    await before?.(world);
    await world.run();
    if (changes !== undefined) {
      await decide(world, { role: 'qa', outcome: 'changes_requested', comment: changes });
      await goOn(world);
    }
    facts = (await world.stores.runs.load(world.job.id)).flatMap(({ outcome }) =>
      outcome?.status === 'failed' && !REFUSED.includes(outcome.reason) ? [outcome.message] : [],
    );
  } finally {
    await world.close();
  }
  const requests = asked.get(of) ?? [];
  const request = requests.at(at ?? -1);
  if (request === undefined) throw new Error(`${of} was asked ${requests.length} times`);
  return { request, facts };
}

/** A request as a person reads it. */
export function shown({ messages, tools, toolChoice, outputSchema }: ModelRequest): string {
  const offered = tools.length === 0 ? [] : ['## Tools', ...tools.map(toolText)];
  const choice = toolChoice === undefined ? [] : [`Tool choice: ${toolChoice.type}`];
  const schema = outputSchema === null ? [] : [`## Format\n\n${json(outputSchema)}`];
  return `${[...offered, ...choice, ...schema, ...messages.map(messageText)].join('\n\n')}\n`;
}

const json = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value)}\n\`\`\``;

const toolText = ({ name, description, inputSchema }: ToolSpec): string =>
  `### ${name}\n\n${description}\n\n${json(inputSchema)}`;

const messageText = ({ role, parts }: ModelMessage): string => `## ${role}\n\n${parts.map(partText).join('\n\n')}`;

function partText(part: MessagePart): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'image':
      return `(${part.mediaType})`;
    case 'document':
      return `(${part.mediaType} ${part.name})`;
    case 'tool_call':
      return `calls ${part.name} ${JSON.stringify(part.input)}`;
    case 'tool_result':
      return `${part.name} answers${part.isError ? ' (an error)' : ''}: ${typeof part.output === 'string' ? part.output : JSON.stringify(part.output)}`;
  }
}
