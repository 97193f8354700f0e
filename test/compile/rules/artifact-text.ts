import type { Sources } from '../../support/compile.js';
import { WORKSPACE } from '../../support/compile.js';

const head = (kind: string) => `apiVersion: kit/v1\nkind: ${kind}\n`;
const about = (id: string) => `metadata: { id: ${id}, name: ${id}, description: "The artifact ${id}." }\n`;
const PROVENANCE = 'provenance: { authored_by: human, version: 1.0.0 }\n';

export const topology = (name: string, root: string, more = ''): string =>
  `${head('Topology')}metadata: { name: ${name}, version: 1.0.0 }\nagents:\n  root: { id: root, role: root, ${root} }\n${more}`;
export const archetype = (id: string, defaults: string, more = ''): string =>
  `${head('Archetype')}${about(id)}role: worker\ndefaults: ${defaults}\n${more}${PROVENANCE}`;
export const skill = (id: string, implementation: string, more = '', category = 'capability'): string =>
  `${head('Skill')}${about(id)}category: ${category}\nimplementation: ${implementation}\n${more}${PROVENANCE}`;
export const prompt = (id: string): string => skill(id, '{ type: llm_prompt, prompt: Answer. }');
export const judge = (id: string): string =>
  skill(
    id,
    '{ type: llm_prompt, prompt: Judge. }',
    'outputs: { type: object, properties: { reasoning: { type: string } } }\n',
    'decision',
  );
export const funnel = (id: string, rest: string): string => `${head('Funnel')}${about(id)}${rest}${PROVENANCE}`;
export const roles = (list: string): string =>
  `${head('RoleRegistry')}metadata: { id: people, name: People }\nroles: ${list}\n`;
export const trigger = (id: string, rest: string): string =>
  `${head('Trigger')}metadata: { id: ${id}, name: ${id} }\n${rest}`;
export const contract = (id: string, parties: string): string =>
  `${head('Contract')}${about(id)}parties: ${parties}\n${PROVENANCE}`;
export const provider = (id: string, spec: string): string =>
  `${head('ModelProvider')}${about(id)}spec: ${spec}\n${PROVENANCE}`;
export const adapter = (id: string, spec: string): string =>
  `${head('ExecutorAdapter')}${about(id)}spec: ${spec}\n${PROVENANCE}`;
export const evalSet = (id: string, rest: string): string => `${head('EvalSet')}metadata: { id: ${id} }\n${rest}`;
export const workspace = (rest: string): string => `${WORKSPACE}${rest}`;

export const APPROVE = 'approve: { rules: [{ scope: a:b, roles: [lead], quorum: all }], exclude_author: false }\n';
export const LEAD = roles('[{ id: lead, members: [alice], scopes: [a:b] }]');
export const MAIN = topology('main', 'children: []');
export const ONE_RULE = (rule: string, rest = 'exclude_author: false'): string =>
  `approve: { rules: [${rule}], ${rest} }\n`;
export const EVENTS =
  '{ launch: { command: [tool] }, stream: { format: jsonl }, event_map: [{ emit: [{ event: result }] }] }';
export const twice = (folder: string, text: string): Sources => ({
  [`${folder}/a.yaml`]: text,
  [`${folder}/b.yaml`]: text,
});
