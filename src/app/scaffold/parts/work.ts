import type { Firing, PartDraft, PartOf } from '../part-request.js';
import { BY_A_PERSON, scalar, titleOf } from './yaml-text.js';

function firingText(fires: Firing): string {
  switch (fires.on) {
    case 'schedule':
      return `type: cron
config:
  expression: ${JSON.stringify(fires.cron)}
  timezone: ${fires.timezone}
  # What the run is asked. Left out: the words trigger:<id>.
  input: ${scalar(fires.input ?? 'Do the work of this hour.')}
`;
    case 'webhook':
      return `type: webhook
config:
  # Without auth whoever reaches the server can fire it. With it:
  # auth: { method: hmac, credentials_ref: NAME }   NAME stands below credentials in workspace.yaml
  {}
`;
    case 'files':
      return `type: file_watch
config:
  root: .
  pattern: ${JSON.stringify(fires.pattern)}
  events: [create, modify]
`;
  }
}

export function triggerDraft({ id, topology, fires }: PartOf<'trigger'>): PartDraft {
  return {
    files: [
      {
        path: `triggers/${id}.yaml`,
        text: `apiVersion: kit/v1
kind: Trigger
metadata:
  id: ${id}
  name: ${scalar(titleOf(id))}
${firingText(fires)}targets: [${topology}]
`,
      },
    ],
    change: null,
    next: [
      { command: ['triggers', 'list'] },
      { words: 'it fires while a server runs; now, and once:' },
      { command: ['triggers', 'fire', id] },
    ],
  };
}

export function providerDraft({ id, family, baseUrl, keyEnv }: PartOf<'provider'>): PartDraft {
  return {
    files: [
      {
        path: `providers/${id}.yaml`,
        text: `apiVersion: kit/v1
kind: ModelProvider
metadata:
  id: ${id}
  name: ${scalar(titleOf(id))}
  description: ${scalar(`Models of ${id}, reached as ${family} is.`)}
spec:
  extends: ${scalar(family)}
${baseUrl === null ? '  # base_url: https://models.example.org/v1\n' : `  base_url: ${JSON.stringify(baseUrl)}\n`}${
  keyEnv === null ? '' : `  auth: { api_key_env: ${keyEnv} }\n`
}  models: { accept_any: true }
  # What a million tokens cost in USD, for limits and reports; 0 is free. Left out: unknown.
  # prices: [{ model: "*", input: 1, output: 4 }]
${BY_A_PERSON}`,
      },
    ],
    change: null,
    next: [
      ...(keyEnv === null ? [] : [{ words: `set ${keyEnv} in the environment` }]),
      { command: ['providers', 'show', id] },
      { words: `let an agent use it: model: { provider: ${id}, name: NAME_OF_THE_MODEL }` },
    ],
  };
}

export function evalDraft({ id, topology }: PartOf<'eval'>): PartDraft {
  return {
    files: [
      {
        path: `evals/${id}.yaml`,
        text: `apiVersion: kit/v1
kind: EvalSet
metadata:
  id: ${id}
  description: ${scalar(`What ${topology} has to answer.`)}
target: ${topology}
cases:
  - id: first
    input: What shall be done
    # Also: contains, not_contains, regex, equals, used_skills, judge with a rubric.
    expect: { not_empty: true }
`,
      },
    ],
    change: null,
    next: [{ command: ['eval', id] }],
  };
}

export function knowledgeDraft({ id, topology, path }: PartOf<'knowledge'>): PartDraft {
  return {
    files: [],
    change: {
      do: 'append',
      in: { file: 'topology', topology },
      keys: ['artifacts', 'knowledge_bases'],
      entry: { id, path },
    },
    next: [{ words: `let an agent search it: skills: [search-${id}] below \`defaults\` of its archetype` }],
  };
}
