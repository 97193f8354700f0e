import type { AgentNode } from '../../src/domain/agent-node.js';
import { ENV_REGISTRY } from '../../src/domain/env.js';
import type { RoleDirectory } from '../../src/domain/gates.js';
import type { LinkedFunnel } from '../../src/domain/linked-funnel.js';
import type { LinkedSkill } from '../../src/domain/linked-skill.js';
import type { Planning } from '../../src/domain/planning.js';
import { type FrozenTopology, RULE_SET, type RunSnapshot, SNAPSHOT_FORMAT } from '../../src/domain/snapshot.js';
import { ASKING_EXECUTOR, adaptersOf, askingAcpTask, askingTask } from './crash-asking.js';
import { deployOf, GATEWAY_DEPLOYER, PLAIN_DEPLOYER } from './crash-gateway.js';

/**
 * The reference run of the crash test: a root that delegates in one response to a model agent with
 * a command, a model agent with two commands in two turns, and a harness agent. Recorded journals
 * hold its snapshots: what is here stays as it is, new scenarios get new names.
 */
const NO_MODEL = {
  provider: 'fake',
  name: 'fake-1',
  temperature: null,
  maxTokens: null,
  toolProvider: null,
  toolModel: null,
  options: {},
};

export function crashAgent(id: string, over: Partial<AgentNode> = {}): AgentNode {
  return {
    id,
    role: over.children === undefined ? 'worker' : 'root',
    archetype: null,
    executor: { kind: 'model' },
    model: NO_MODEL,
    systemPrompt: `You are ${id}.`,
    skills: [],
    requires: {},
    baseScope: [],
    elevatedScopes: [],
    outputSchema: null,
    funnel: null,
    dependsOn: [],
    children: [],
    pointer: '/agents/root',
    ...over,
  };
}

/** A command that tells the outside that it ran, maybe kills its worker, and answers one line. */
export function crashCommand(id: string, script: string): LinkedSkill {
  return {
    id,
    description: `Runs ${id}.`,
    category: 'capability',
    inputs: null,
    outputs: null,
    requiredScopes: [],
    effects: 'write',
    onInDoubt: 'repeat',
    audit: { logInputs: 'full', logOutputs: 'full', redact: [] },
    implementation: {
      type: 'command',
      pack: 'crash',
      command: {
        id,
        argv: ['/bin/sh', '-c', `${TELL}${script}`, id, '{input}'],
        cwd: '',
        env: {},
        credentialsRef: null,
        timeoutMs: 60_000,
        maxOutputBytes: 100_000,
        parse: 'text',
        permission: 'open',
      },
    },
  };
}

/**
 * `begin <name>`: one line on the outside file, which lies in no workspace; then, when this run is
 * to die inside this effect, kill -9 of the worker. `at <name>`: the same without a line.
 */
export const TELL = `at() { if [ "$CRASH_KILL_IN" = "$1" ]; then kill -9 "$CRASH_WORKER"; sleep 60; fi; }
begin() { echo "$KIT_STEP_ID $1 $$ $CRASH_WORKER" >> "$CRASH_EFFECTS"; at "$1"; }
`;

const NODES = {
  lister: crashAgent('lister', { skills: ['list'] }),
  counter: crashAgent('counter', { skills: ['count'] }),
  writer: crashAgent('writer', { executor: { kind: 'plugin', ref: 'crash-harness', config: {}, onInDoubt: 'repeat' } }),
  refuser: crashAgent('refuser'),
  napper: crashAgent('napper', { skills: ['nap'] }),
  waiter: crashAgent('waiter', { skills: ['wait'] }),
  keeper: crashAgent('keeper', { executor: { kind: 'plugin', ref: 'crash-patient', config: {}, onInDoubt: 'repeat' } }),
  drafter: crashAgent('drafter', { funnel: 'sign-off' }),
  twin: crashAgent('twin', { funnel: 'sign-off' }),
  essayist: crashAgent('essayist', { funnel: 'checked' }),
  asker: crashAgent('asker', { skills: ['ask'] }),
  reader: crashAgent('reader', { skills: ['read'] }),
  nester: crashAgent('nester', { executor: { kind: 'plugin', ref: 'crash-family', config: {}, onInDoubt: 'repeat' } }),
} as const;

/**
 * A process, its child, and a grandchild that left group and session; all of them stay for ever.
 */
export const FAMILY = `${TELL}begin family; (exec sleep 301) & setsid sh -c '(exec sleep 302) & exit 0' & echo session; wait; exec sleep 303`;

/** Stays until the file `go` is there. */
export const PATIENT = `${TELL}begin patient; echo session; while [ ! -e "$CRASH_GO" ]; do sleep 0.05; done; echo "went on"`;

const DEPLOYER = crashAgent('deployer', { executor: ASKING_EXECUTOR, systemPrompt: askingTask(TELL) });
const ACP_DEPLOYER = crashAgent('deployer', { executor: ASKING_EXECUTOR, systemPrompt: askingAcpTask(TELL) });
const SKILLS = [
  crashCommand('list', 'begin "list"; echo "three files"'),
  crashCommand('count', 'begin "count-$1"; echo "counted $1"'),
  crashCommand('nap', FAMILY),
  crashCommand('wait', PATIENT),
];

/**
 * `models` has no harness; in `failing` a third child fails for good; `small` has one child and no
 * process; in `family` a command and a harness start processes that never end; in `patient` they
 * wait for a file. In `gated` one of three children stands before a gate of two roles; in `twins` a
 * gated agent gets two tasks in one response. Both are reworked once. In `layered` a draft is
 * corrected, then sent back by a judge, then by people. In `calling` a child asks for a run of
 * another topology, which asks for a third. In `planned` the gated agent gets its two tasks in one
 * batch of a plan, and a third task waits for both. `outage` and `retried`: `crash-outages.ts`.
 * `asking*`: `crash-asking.ts`. `crowded`, `overflowing`: `crash-context.ts`.
 */
const CHILDREN = {
  reference: [NODES.lister, NODES.counter, NODES.writer],
  models: [NODES.lister, NODES.counter],
  failing: [NODES.lister, NODES.refuser],
  small: [crashAgent('echoer')],
  family: [NODES.napper, NODES.nester],
  patient: [NODES.waiter, NODES.keeper],
  gated: [NODES.lister, NODES.drafter, NODES.counter],
  twins: [NODES.twin],
  layered: [NODES.essayist],
  planned: [NODES.twin, NODES.lister],
  calling: [NODES.asker, NODES.lister],
  outage: [NODES.lister, NODES.counter],
  retried: [NODES.lister, NODES.counter],
  asking: [DEPLOYER],
  'asking-acp': [ACP_DEPLOYER],
  crowded: [NODES.reader],
  overflowing: [NODES.reader],
  'asking-gateway': [crashAgent('deployer', GATEWAY_DEPLOYER)],
  'asking-gateway-plain': [crashAgent('deployer', PLAIN_DEPLOYER)],
} satisfies Readonly<Record<string, readonly AgentNode[]>>;

export type CrashScenario = keyof typeof CHILDREN;

/** Who signs in the gated scenarios, and what is signed. */
export const CRASH_ROLES: RoleDirectory = {
  roles: ['qa', 'ops'].map((id) => ({ id, members: [`${id}-1`], scopes: ['release:sign'] })),
  identities: [],
  digest: 'd'.repeat(64),
};

const SIGN_OFF: LinkedFunnel = {
  id: 'sign-off',
  validate: null,
  judge: null,
  review: null,
  maxRetries: 2,
  approve: {
    rules: [{ scope: 'release:sign', roles: ['qa', 'ops'], quorum: 'all', covers: null }],
    excludeAuthor: true,
    onRevision: 'reset_all',
    minDistinctApprovers: 2,
    expiry: null,
  },
};

/** The automated layers that a model passes: checks with a correction, and a judge. */
const CHECKED: LinkedFunnel = {
  ...SIGN_OFF,
  id: 'checked',
  validate: {
    schema: { type: 'object', required: ['title'], properties: { title: { type: 'string' } } },
    autocorrect: true,
    sliceBudget: null,
    citedChange: false,
  },
  judge: { skill: 'judge', rubric: 'No first drafts.', threshold: 0.8 },
};

const JUDGE: LinkedSkill = {
  ...crashCommand('judge', ''),
  category: 'decision',
  effects: 'none',
  implementation: { type: 'llm_prompt', prompt: 'You are judge.', model: NO_MODEL },
};

const PLANNING: Planning = {
  scopeRequired: false,
  twoPhase: false,
  synthesisRoles: ['self'],
  synthesizerRole: 'synthesizer',
};

/** Of the scenarios of `crash-context.ts`: a file of four is small, a later one large. */
const READING = 'begin "read-$1"; case "$1" in [1-4]) n=1000;; *) n=2200;; esac; printf "file $1: %0"$n"d\\n" 0';
const READ = crashCommand('read', READING);

/** A run that another one asks for. */
const asking = (id: string, topology: string): LinkedSkill => ({
  ...crashCommand(id, ''),
  effects: 'unknown',
  implementation: {
    type: 'agent',
    topology,
    cardUrl: null,
    skillId: null,
    credentialsRef: null,
    timeoutMs: 600_000,
    permission: 'open',
  },
});

const ASK = asking('ask', 'second');
const DIG = asking('dig', 'third');

function asked(name: string, root: AgentNode): FrozenTopology {
  const snapshot = { ...snapshotOf(root, [...SKILLS, DIG]), topology: { name, version: '1.0.0', root } };
  return { jobClass: 'model', inputSchema: null, snapshot };
}

const ASKED: Readonly<Record<string, FrozenTopology>> = {
  second: asked('second', crashAgent('helper', { role: 'root', skills: ['count', 'dig'] })),
  third: asked('third', crashAgent('digger', { role: 'root', skills: ['list'] })),
};

export function crashSnapshot(scenario: CrashScenario): RunSnapshot {
  const root = crashAgent('root', { children: CHILDREN[scenario] });
  const funnels = [SIGN_OFF, CHECKED].filter(({ id }) => CHILDREN[scenario].some((child) => child.funnel === id));
  const more = [
    ...(funnels.some(({ judge }) => judge !== null) ? [JUDGE] : []),
    ...(scenario === 'calling' ? [ASK] : []),
    ...(CHILDREN[scenario].some(({ id }) => id === 'reader') ? [READ] : []),
    ...deployOf(scenario, crashCommand),
  ];
  const skills = more.length > 0 ? [...SKILLS, ...more] : SKILLS;
  return {
    ...snapshotOf(root, skills),
    ...(scenario === 'planned' ? { planning: PLANNING } : {}),
    ...(scenario === 'calling' ? { children: ASKED } : {}),
    ...(scenario.startsWith('asking') ? { adapters: adaptersOf(scenario) } : {}),
    ...(funnels.length > 0 ? { funnels: Object.fromEntries(funnels.map((one) => [one.id, one])) } : {}),
  };
}

export function snapshotOf(root: AgentNode, skills: readonly LinkedSkill[]): RunSnapshot {
  const defaults = ENV_REGISTRY.filter((one) => one.scope === 'run' && one.default !== null);
  const models = [root, ...root.children].map((node) => [
    node.id,
    { provider: 'fake', model: 'fake-1', toolProvider: 'fake', toolModel: 'fake-1' },
  ]);
  return {
    format: SNAPSHOT_FORMAT,
    ruleSet: RULE_SET,
    workspaceId: 'crash',
    topology: { name: 'crash', version: '1.0.0', root },
    skills: Object.fromEntries(skills.map((skill) => [skill.id, skill])),
    adapters: {},
    providers: { fake: { id: 'fake', contribution: 'test.fake', config: {} } },
    models: Object.fromEntries(models),
    limits: { maxStepsPerAgent: null, maxStepsPerRun: 500, maxCostPerRunUsd: null },
    env: {
      ...Object.fromEntries(defaults.map((one) => [one.name, Number(one.default)])),
      KIT_MODEL_RETRIES: 0,
      KIT_OUTAGE_PATIENCE_S: 0,
    },
    humanScopes: [],
    governance: { provider: 'mock', config: {} },
    baseCommit: null,
  };
}
