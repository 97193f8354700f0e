import type { Json, JsonObject } from '../../domain/json.js';
import type { LinkedCommand } from '../../domain/linked-skill.js';
import { type Reference, referenceText } from '../../domain/reference.js';
import type { ProviderBinding, RunSnapshot } from '../../domain/snapshot.js';
import type { LinkedServer } from '../../domain/tool-server.js';
import { credentialRefs } from '../../lib/credential-refs.js';
import { interpolateText } from '../../lib/interpolate-text.js';
import { isObject } from '../../lib/json.js';

/** A reference and who of the run uses it, in words (`the provider local`). */
interface Use {
  readonly reference: Reference;
  readonly user: string;
}

/** What the references of a run are read from. */
export type Referring = Pick<RunSnapshot, 'providers' | 'servers' | 'skills' | 'adapters'>;

/**
 * What a run refers to on the machine that executes it: `variable:LOCAL_KEY` -> `the provider
 * local`, in the order of the texts. Each is named once, with who uses it first. A reference with a
 * default is none, because nothing is lacking without it. What lies in a container is not looked
 * for here.
 */
export function referencesOf(snapshot: Referring): Readonly<Record<string, string>> {
  const uses = [
    ...Object.values(snapshot.providers).flatMap(ofProvider),
    ...Object.values(snapshot.servers ?? {}).flatMap(ofServer),
    ...Object.values(snapshot.skills).flatMap(ofSkill),
    ...Object.entries(snapshot.adapters).flatMap(([id, { spec, env = [] }]) => [
      ...ofAdapter(id, spec),
      ...env.map((name) => variable(name, `the adapter ${id}`)),
    ]),
  ];
  const found = new Map<string, string>();
  for (const { reference, user } of uses) {
    const text = referenceText(reference);
    if (!found.has(text)) found.set(text, user);
  }
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function ofProvider({ id, config }: ProviderBinding): readonly Use[] {
  const user = `the provider ${id}`;
  const key = typeof config.api_key_env === 'string' && config.api_key_env !== '' ? [config.api_key_env] : [];
  return [...key.map((name) => variable(name, user)), ...inTemplates(config, user)];
}

function ofServer({ id, config, credentialsRef }: LinkedServer): readonly Use[] {
  const user = `the tool server ${id}`;
  const late = [config.endpoint, config.env, config.headers].filter((part) => part !== undefined);
  const [program] = config.sandboxed === true || !Array.isArray(config.command) ? [] : config.command;
  return [
    ...credential(credentialsRef, user),
    ...late.flatMap((part) => inTemplates(part, user)),
    ...programOf(program, user),
  ];
}

function ofSkill({ id, implementation }: Referring['skills'][string]): readonly Use[] {
  if (implementation.type === 'command') return ofCommand(id, implementation.command);
  if (implementation.type !== 'mcp_tool') return [];
  // What a server may do is read live (docs/design/journal.md#live): where the workspace has no
  // entry of it, each call would be denied.
  return [{ reference: { kind: 'server', name: implementation.server }, user: `the skill ${id}` }];
}

function ofCommand(skill: string, { argv, env, credentialsRef }: LinkedCommand): readonly Use[] {
  const user = `the skill ${skill}`;
  return [...credential(credentialsRef, user), ...inTemplates(env, user), ...programOf(argv[0], user)];
}

/** How it is logged in is its own affair: one login of several is enough. */
function ofAdapter(id: string, spec: JsonObject): readonly Use[] {
  if (memberOf(spec.sandbox, 'kind') === 'container') return [];
  const command = memberOf(spec.launch, 'command');
  return Array.isArray(command) ? programOf(command[0], `the adapter ${id}`) : [];
}

const variable = (name: string, user: string): Use => ({ reference: { kind: 'variable', name }, user });

const credential = (name: string | null, user: string): readonly Use[] =>
  name === null ? [] : [{ reference: { kind: 'credential', name }, user }];

/**
 * What lies in the workspace comes with it; a place that the launch fills in is kit's own. Neither
 * is looked for.
 */
const programOf = (word: Json | undefined, user: string): readonly Use[] =>
  typeof word !== 'string' || word === '' || word.includes('{') || RELATIVE.test(word)
    ? []
    : [{ reference: { kind: 'program', name: word }, user }];

/** With a folder in it, and not from the root of a disk. */
const RELATIVE = /^(?![/\\]|[A-Za-z]:).*[/\\]/;

function inTemplates(value: Json | Readonly<Record<string, string>>, user: string): readonly Use[] {
  if (typeof value === 'string')
    return [
      ...interpolateText(value, () => undefined).unresolved.map((name) => variable(name, user)),
      ...credentialRefs(value).flatMap((ref) => credential(ref, user)),
    ];
  if (typeof value !== 'object' || value === null) return [];
  const own = Array.isArray(value) ? null : (value as JsonObject).credentials_ref;
  return [
    ...(typeof own === 'string' ? credential(own, user) : []),
    ...Object.values(value).flatMap((member) => inTemplates(member as Json, user)),
  ];
}

const memberOf = (value: Json | undefined, name: string): Json | undefined =>
  isObject(value) ? value[name] : undefined;
