import { whoIs } from './tools.js';

/** What runs of before rule set 5 are told of plans: they go on by their own words. */
export const PLAN_TOOLS_BEFORE = {
  'create-task-plan': (agents: readonly Parameters<typeof whoIs>[0][]): string =>
    `Makes a plan of tasks for the agents ${agents.map(whoIs).join(', ')}, or for \`self\`, which is you. Tasks without open dependencies run side by side, at once; you are told their results in short. An instruction holds everything its agent needs to know.`,
  'update-task-plan': (): string =>
    'Adds tasks to the plan, removes or changes pending ones. `complete: true` ends the plan: what is pending is skipped.',
  'read-task-result': (): string => 'Gives the whole result of one task.',
  'create-scope': (): string => 'Writes down what the answer has to cover: its scope. What is in it stays in it.',
  'update-scope': (): string => 'Adds to the scope.',
  'read-scope': (): string => 'Gives the scope.',
} as const;

export const PLAN_ACTIONS_BEFORE = {
  in_progress: (): string =>
    'read results or change the plan; the next tasks run when you change it, or when you answer with a short text',
  scope_required: (): string => 'call create-scope',
  research_complete: (): string =>
    'add the tasks that are still missing with update-task-plan; if nothing is missing, answer with a short text',
  synthesis: (): string => 'write the final answer from the results; read those that you need whole',
} as const;
