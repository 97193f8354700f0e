/** A description is for a person too, and may be a page. */
const MAX_CHARS = 500;

/** An agent as whoever gives it tasks is told of it. */
interface AgentFacts {
  readonly id: string;
  readonly role: string;
  readonly description?: string;
}

/** `alpha (worker: knows the markets of Europe)`: what whoever gives it tasks can choose by. */
export function whoIs({ id, role, description }: AgentFacts): string {
  if (description === undefined) return `${id} (${role})`;
  const words = description.replace(/\s+/g, ' ');
  const shown = words.length <= MAX_CHARS ? words : `${words.slice(0, MAX_CHARS).toWellFormed()}...`;
  return `${id} (${role}: ${shown})`;
}

/** The tool that gives a task to an agent; `isJson`: it declares a schema. */
export function delegation(agent: AgentFacts, isJson: boolean): string {
  const shape = isJson ? ' It answers with a JSON value.' : '';
  return `Asks the agent ${whoIs(agent)} to do one task and returns its result.${shape} Of this conversation it sees only the text of the task: include every fact, constraint and format that it needs. Agents that you call in one response work side by side.`;
}

export const TASK = 'What the agent shall do, with everything it needs to know.';

/** The tool that a model answers with where a schema stands beside its tools. */
export const ANSWER_TOOL =
  'Gives your final answer: the arguments are the answer. Call it once, with no other call beside it, when the task is done. Do not write the answer as text.';

/** `context_retrieve`. */
export const RETRIEVE_TOOL = {
  tool: 'Returns a part of an earlier result that was shortened or left out. Its reference stands where something is missing.',
  ref: 'The reference of the result, copied as it stands.',
  offset: 'Character to begin at.',
  limit: 'Characters to give.',
} as const;

/** `search-<base>`. */
export const searchTool = (base: string): string =>
  `Searches the knowledge base ${base} and returns the passages that fit best, each with its file, heading and lines.`;

export const SEARCH_FIELDS = {
  query: 'What to look for, in the words that the documents would use.',
  limit: 'How many passages to return at most.',
} as const;

/** A tool that runs a topology or a command of the workspace which says nothing of itself. */
export const runs = (what: string): string => `Runs ${what}`;
export const runsTopology = (name: string): string => runs(`the topology ${name}`);
