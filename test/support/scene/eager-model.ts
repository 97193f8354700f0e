import { type ModelServer, type RecordedRequest, type Reply, startModelServer } from '../model-server.js';

/**
 * A model that is the same for every scene: each tool once, then an answer that holds what the
 * tools said.
 */
export interface EagerModel {
  /** Address of one scene; what is asked there is kept apart from every other scene. */
  readonly open: () => { readonly url: string; readonly requests: () => readonly RecordedRequest[] };
  readonly close: () => Promise<void>;
}

export async function startEagerModel(): Promise<EagerModel> {
  const server: ModelServer = await startModelServer(answerOf);
  const base = server.url.replace(/\/v1$/, '');
  let count = 0;
  return {
    open: () => {
      count += 1;
      const prefix = `/scene-${count}/`;
      return {
        url: `${base}${prefix.slice(0, -1)}`,
        requests: () => server.requests.filter(({ path }) => path.startsWith(prefix)),
      };
    },
    close: server.close,
  };
}

/** The tool by which an agent that has others gives an answer of a declared shape. */
const ANSWER = 'answer';

interface WireMessage {
  readonly role: string;
  readonly content?: unknown;
}

function answerOf({ body }: RecordedRequest): Reply {
  const messages: readonly WireMessage[] = body.messages;
  const tools: readonly { readonly function: { readonly name: string; readonly parameters: Schema } }[] =
    body.tools ?? [];
  const isFirst = !messages.some((message) => message.role === 'assistant');
  if (tools.length > 0 && isFirst) {
    return {
      do: 'answer',
      calls: tools.flatMap(({ function: tool }, index) =>
        tool.name === ANSWER
          ? []
          : [
              {
                id: `call_${index}`,
                name: tool.name,
                arguments: objectOf(tool.parameters),
              },
            ],
      ),
    };
  }
  const answer = tools.find(({ function: tool }) => tool.name === ANSWER)?.function;
  if (answer !== undefined)
    return { do: 'answer', calls: [{ id: 'call_answer', name: ANSWER, arguments: objectOf(answer.parameters) }] };
  const schema: Schema | undefined = body.response_format?.json_schema?.schema;
  if (schema !== undefined) return { do: 'answer', text: JSON.stringify(sample(schema)) };
  const results = messages.filter((message) => message.role === 'tool').map((message) => message.content);
  // Some of the tokens are told apart: each may have a price of its own.
  const usage = { prompt: 10, completion: 5, cached: 2, written: 3, reasoning: 1 };
  return { do: 'answer', text: `answer to ${JSON.stringify(results)}`, usage };
}

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

const objectOf = (schema: Schema): Record<string, unknown> =>
  Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, member]) => [name, sample(member)]));

function sample(schema: Schema): unknown {
  if (schema.enum !== undefined) return schema.enum[0];
  switch (schema.type) {
    case 'number':
    case 'integer':
      return 7;
    case 'boolean':
      return true;
    case 'array':
      return [];
    case 'string':
      return 'hello world';
    default:
      return objectOf(schema);
  }
}
