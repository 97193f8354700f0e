import type { AgentRole, Known, PartDraft, PartFile, PartOf } from '../part-request.js';
import { BY_A_PERSON, list, scalar, titleOf } from './yaml-text.js';

/** The adapter that plays a script: how people try an agent before its program is installed. */
const REHEARSAL = 'rehearsal';

const SCRIPT = `    # No language model and no program: it plays these steps. Another ref, such as claude-code, needs none.
    script:
      - { edit: notes.md, content: "What changed.\\n" }
      - { run: git status --short }
      - { say: Wrote notes.md. }
`;

const PERMISSIONS = `    # Edits in its copy need no permission; each command is asked of a person.
    permissions:
      - { kind: edit, match: "**", then: allow }
      - { kind: execute, then: ask }
`;

const WITHOUT_GATE = `    # This program does not ask kit before a call: its own settings say what it may do (kit docs harnesses).
`;

const beginning = (id: string, role: AgentRole, description: string): string => `apiVersion: kit/v1
kind: Archetype
metadata:
  id: ${id}
  name: ${scalar(titleOf(id))}
  # At least ten characters.
  description: ${description}
role: ${role}
`;

/** Archetype of an agent whose work a coding harness does. */
function harnessFile(
  request: PartOf<'agent'> & { readonly harness: string },
  { adapters }: Pick<Known, 'adapters'>,
): PartFile {
  const { id, role, skills, harness } = request;
  return {
    path: `archetypes/${id}.yaml`,
    text: `${beginning(id, role, 'Changes code in a copy of this repository.')}defaults: ${skills.length === 0 ? '{}' : `{ skills: ${list(skills)} }`}
executor:
  kind: harness
  # Without the program: rehearsal, which plays a script (kit docs mock).
  ref: ${scalar(harness)}
  config:
${harness === REHEARSAL ? SCRIPT : ''}${adapters.get(harness) === true ? PERMISSIONS : WITHOUT_GATE}    budget: { max_wall_clock_minutes: 30 }
${BY_A_PERSON}`,
  };
}

/** What answers without a key: a root delegates to each child once, a worker repeats its task. */
const WITHOUT_MODEL = {
  root: ['rules', 'No language model: it asks each agent below once and answers with what they gave.'],
  leader: ['rules', 'No language model: it asks each agent below once and answers with what they gave.'],
  worker: ['mock', 'No language model: it repeats its task.'],
} as const;

function modelText(role: AgentRole, known: Known): string {
  if (known.model !== null)
    return `    provider: ${known.model.provider}\n    name: ${JSON.stringify(known.model.name)}\n`;
  const [provider, what] = WITHOUT_MODEL[role];
  return `    # ${what}
    # A real one: provider anthropic, openai, google, ollama, ... and the name of a model.
    provider: ${provider}
    name: ${provider}
`;
}

const PROMPTS: Readonly<Record<AgentRole, string>> = {
  root: 'Split the request into tasks for the agents below, give each everything that it needs to know, and answer with what they found.',
  leader:
    'Split your task into tasks for the agents below, give each everything that it needs to know, and answer with what they found.',
  worker: 'Do the task that you are given. Answer with the result alone, and say what you could not find out.',
};

const DESCRIPTIONS: Readonly<Record<AgentRole, string>> = {
  root: 'Takes the request, has the work done by the agents below, and answers.',
  leader: 'Takes a part of the work, has it done by the agents below, and answers.',
  worker: 'Does one task and answers with its result.',
};

/** Archetype: what an agent is. */
export function archetypeFile(id: string, role: AgentRole, skills: readonly string[], known: Known): PartFile {
  const held =
    skills.length === 0
      ? '  # skills: [read-file]      what it may call; kit new skill\n'
      : `  skills: ${list(skills)}\n`;
  return {
    path: `archetypes/${id}.yaml`,
    text: `${beginning(id, role, DESCRIPTIONS[role])}defaults:
  model:
${modelText(role, known)}  prompt:
    system: >-
      ${PROMPTS[role]}
${held}${BY_A_PERSON}`,
  };
}

export function agentDraft(request: PartOf<'agent'>, known: Known): PartDraft {
  const { id, role, harness } = request;
  const named = { words: `name it in a topology: { id: ${id}, role: ${role}, archetype: ${id} }` };
  if (harness !== null)
    return {
      files: [harnessFile({ ...request, harness }, known)],
      change: null,
      next: [
        { words: `say what it may do by itself below permissions in archetypes/${id}.yaml` },
        named,
        { command: ['adapters', 'list'] },
      ],
    };
  return {
    files: [archetypeFile(id, role, request.skills, known)],
    change: null,
    next: [{ words: `write its prompt in archetypes/${id}.yaml` }, named],
  };
}

export function topologyDraft(request: PartOf<'topology'>, known: Known): PartDraft {
  const { id, root, agents } = request;
  const children = agents.map((agent) => `      - { id: ${agent}, role: worker, archetype: ${agent} }\n`).join('');
  const below = agents.length === 0 ? '' : `    children:\n${children}`;
  const needed = [[root, 'root'] as const, ...agents.map((agent) => [agent, 'worker'] as const)];
  return {
    files: [
      {
        path: `topologies/${id}.yaml`,
        text: `apiVersion: kit/v1
kind: Topology
metadata:
  name: ${id}
  version: 1.0.0
  description: ${scalar(`${titleOf(id)}, done by ${[root, ...agents].join(', ')}.`)}
# What a run may be asked. Left out: any text.
# input_schema: { type: object, required: [subject], properties: { subject: { type: string } } }
agents:
  root:
    id: ${root}
    role: root
    archetype: ${root}
    # funnel: sign-off       nobody reads the answer before people have signed it; kit new funnel
    # output_schema: {...}   JSON Schema that the answer must fit
${below}`,
      },
      ...needed
        .filter(([agent]) => !known.archetypes.includes(agent))
        .map(([agent, role]) => archetypeFile(agent, role, [], known)),
    ],
    change: null,
    next: [
      { words: `write the prompts in ${needed.map(([agent]) => `archetypes/${agent}.yaml`).join(', ')}` },
      { command: ['run', id, '--input', 'What shall be done'] },
    ],
  };
}
