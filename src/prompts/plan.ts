import { whoIs } from './tools.js';

type AgentList = readonly Parameters<typeof whoIs>[0][];

/** How a task names the coordinator itself. */
const SELF = 'self';

/** The tools of a coordinator that plans. */
export const PLAN_TOOLS = {
  'create-task-plan': (agents: AgentList): string =>
    `Makes a plan, for work that needs several tasks or tasks that build on each other. Each task is done by one of these agents: ${agents.map(whoIs).join(', ')}, or by \`${SELF}\`, which is you. Tasks whose dependencies are done run at once and side by side; then you are told their results in short.`,
  'update-task-plan': (): string =>
    'Changes the plan while tasks are pending: adds, removes or changes some, or ends the plan.',
  'read-task-result': (): string =>
    'Gives the whole result of a task that is done, where its short form is not enough.',
  'create-scope': (): string =>
    'Writes down what the answer has to cover. Call it once, as soon as you have understood the request; every agent is shown it, and nothing can be taken out of it later.',
  'update-scope': (): string => 'Adds to the scope what turned up later. Each field adds to the one of create-scope.',
  'read-scope': (): string => 'Gives the scope as it stands.',
} as const;

/** What the arguments of these tools mean; those that say it by their name are left out. */
export const PLAN_FIELDS: Readonly<Record<keyof typeof PLAN_TOOLS, Readonly<Record<string, string>>>> = {
  'create-task-plan': {
    id: 'A short name, unique in the plan.',
    instruction:
      'What to do. Its agent sees this, the scope and the results it depends on, and nothing else: give every fact, limit and format that it needs.',
    depends_on: 'Tasks whose results it needs.',
  },
  'update-task-plan': {
    add: 'New tasks, written as in create-task-plan.',
    remove: 'Ids of pending tasks to leave out.',
    update: 'Pending tasks: the id, and what changes.',
    complete: 'true: no further task is needed; what is pending is skipped.',
  },
  'read-task-result': { task: 'The id of the task.' },
  'create-scope': {
    source: 'Where the request comes from.',
    requirements: 'What the answer has to say or do.',
    constraints: 'Limits that it has to keep.',
    authoritative_sources: 'Sources that decide where others differ.',
    excluded: 'What is left out on purpose.',
    decisions: 'What was decided, and why.',
    related: 'Other work that touches it.',
    solution_approach: 'How the answer is going to be found.',
    open_questions: 'What is not known yet.',
  },
  'update-scope': {},
  'read-scope': {},
};

/** What a coordinator may do next, by where its plan stands; `next`: tasks that would run. */
export const PLAN_ACTIONS = {
  in_progress: (next: readonly string[]): string =>
    `Reply "continue" to start the next tasks (${next.join(', ')}), or change the plan first with update-task-plan.`,
  held: (): string =>
    'Change the plan with update-task-plan so that it meets what is said below. It is checked again before its next tasks start.',
  scope_required: (): string => 'Call create-scope: the answer needs a scope.',
  research_complete: (): string =>
    'Add the tasks that are still missing with update-task-plan. If nothing is missing, reply "continue".',
  synthesis: (): string =>
    'Write the final answer from the results; read those that you need whole with read-task-result.',
} as const;

export const planStands = (status: string): string => `Status of the plan, as JSON:\n${status}`;

/** What a task of a plan is told before its instruction: scope and results as JSON, null = none. */
export function taskOfPlan(
  instruction: string,
  of: { readonly scope: string | null; readonly results: string | null },
) {
  const blocks = [
    ...(of.scope === null ? [] : [`Scope of the whole work, as JSON:\n${of.scope}`]),
    ...(of.results === null ? [] : [`Results of the tasks you depend on, as JSON:\n${of.results}`]),
  ];
  return blocks.length === 0 ? instruction : `${blocks.join('\n\n')}\n\nYour task: ${instruction}`;
}

/** The instruction of the synthesis that a plan gets where it has none of its own. */
export const BRING_TOGETHER =
  'Bring the results that you are given together: what they agree on, where they differ, and what is still open.';

/** Said of a plan that decisions hold up; `findings` is quoted. */
export const planHeld = (findings: string): string =>
  `The plan may not go on as it is. What was found in it:\n${findings}`;

/** The result of one task is made short, for whoever planned it. */
export const DIGEST =
  'Summarise the result that you are given in three to five points, with its figures and names. Add nothing. Write in the language of the result.';

/** What is wrong with a call of a plan tool, each a sentence; such a call changes nothing. */
export const problems = {
  thereIsAPlan: 'there is a plan already; change it with update-task-plan',
  noPlan: 'there is no plan yet; make one with create-task-plan',
  noTask: (id: string): string => `there is no task ${id}`,
  noTaskOf: (id: string, known: readonly string[]): string =>
    `there is no task ${id}; the tasks are ${known.join(', ')}`,
  notPending: (id: string, status: string): string => `${id} is ${status}; only pending tasks can be changed`,
  thereIsAScope: 'there is a scope already; add to it with update-scope',
  noScope: 'there is no scope yet; make one with create-scope',
  noScopeToRead: 'there is no scope yet',
  tooMany: (most: number): string => `a plan has at most ${most} tasks`,
  noId: 'a task has no id',
  twice: (id: string): string => `two tasks are called ${id}`,
  noAgent: (id: string, agent: string, known: readonly string[]): string =>
    `${id}: there is no agent ${agent}; the agents are ${known.join(', ')}`,
  noInstruction: (id: string): string => `${id}: it has no instruction`,
  dependsOnNothing: (id: string, other: string): string => `${id}: it depends on ${other}, and there is no such task`,
  writesTooSoon: (id: string, agent: string): string =>
    `${id}: until there is a scope only research is accepted, and ${agent} writes; create the scope first`,
  dependsTooSoon: (id: string): string =>
    `${id}: until there is a scope a research task depends on no other; create the scope first`,
  circle: (ids: readonly string[]): string => `tasks wait for each other: ${ids.join(', ')}`,
} as const;

/** Why a task did not run. */
export const skipped = {
  completed: 'the plan was completed without it',
  dependsOn: (id: string, why: string): string => `it depends on ${id}, which ${why}`,
  failed: (reason: string): string => `failed: ${reason}`,
  wasSkipped: 'was skipped',
} as const;

/** What runs of before rule set 5 are told of plans: they go on by their own words. */
export const PLAN_TOOLS_BEFORE = {
  'create-task-plan': (agents: AgentList): string =>
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
