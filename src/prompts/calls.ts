/** What a call is answered that is not carried out: what was wrong, and what to do. */
export const refusals = {
  tooMany: (most: number): string => `one response may make at most ${most} calls; make this one in your next response`,
  beforeScope: (tool: string): string => `${tool} comes after the scope: call create-scope first`,
  /** `isPerTurn`: it may be called again in the next one. */
  limit: (tool: string, most: number, isPerTurn: boolean): string =>
    `${tool} was called ${most} times, which is its limit${isPerTurn ? ' in one turn' : ''}; go on with what was found`,
  unknownTool: (tool: string, known: readonly string[]): string =>
    `there is no tool ${tool}; ${known.length === 0 ? 'there are no tools, answer the task itself' : `the tools are ${known.join(', ')}`}`,
  noTask: 'give the task as text: {"task": "..."}',
  taskLimit: (agent: string, most: number): string => `${agent} had ${most} tasks, which is its limit`,
  first: (tools: readonly string[]): string => `call ${tools.join(', ')} first`,
  noArguments: 'the arguments are not one JSON object; call the tool again with all of them',
  /** `read`: characters that arrived; null = nobody knows. */
  cutArguments: (read: number | null): string =>
    `the output limit cut these arguments off${read === null ? '' : ` after ${read} characters`}; call the tool again with complete, shorter arguments`,
} as const;

/** Results that an agent is told with its task, by the id of the agent or task that gave them. */
export const resultsOfAgents = (json: string, task: string): string =>
  `Results of the agents you depend on, as JSON:\n${json}\n\nYour task: ${task}`;

/** Results of agents that nobody called, and that ran because others depend on them. */
export const resultsOfOthers = (json: string): string =>
  `Agents that you did not call worked too, because others depend on them. Their results, as JSON:\n${json}`;

/** Answers a call of an agent that was not run. */
export const wasSkipped = (agent: string): string => `${agent} was skipped: an agent that it depends on was denied`;
