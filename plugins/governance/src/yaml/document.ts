import { isObject, type Json, type JsonObject, type PolicyProblem } from '@kit-run/kit/plugin';
import { isScalar, LineCounter, type Node, parseDocument } from 'yaml';
import { type PolicyFile, problem, textOf } from '../policy-set.js';
import { conditionProblem } from './condition.js';

export type RuleAction = 'allow' | 'deny' | 'warn' | 'log' | 'require_approval';

export interface YamlRule {
  readonly name: string;
  readonly description: string | null;
  readonly condition: string | null;
  readonly action: RuleAction;
  readonly approvers: readonly string[];
  readonly priority: number;
  readonly enabled: boolean;
}

/** One file: a policy document of the toolkit. */
export interface YamlPolicy {
  readonly path: string;
  readonly name: string;
  /** Agents that it is for; [] = all. */
  readonly agents: readonly string[];
  readonly defaultAction: 'allow' | 'deny';
  readonly rules: readonly YamlRule[];
}

export type ReadYaml =
  | { readonly ok: true; readonly policy: YamlPolicy }
  | { readonly ok: false; readonly problems: readonly PolicyProblem[] };

const ACTIONS: readonly RuleAction[] = ['allow', 'deny', 'warn', 'log', 'require_approval'];
const POLICY_KEYS = [
  'apiVersion',
  'version',
  'name',
  'description',
  'agent',
  'agents',
  'scope',
  'default_action',
  'rules',
];
const RULE_KEYS = [
  'name',
  'description',
  'condition',
  'action',
  'ruleAction',
  'effect',
  'approvers',
  'priority',
  'enabled',
];

type Complain = (path: readonly (string | number)[], message: string, help?: string) => void;

/**
 * Reads a document strictly: the toolkit ignores what it does not know, and an ignored rule is a
 * rule that does not hold.
 */
export function readYamlPolicy(file: PolicyFile): ReadYaml {
  const text = textOf(file);
  if (text === null)
    return { ok: false, problems: [problem('policy.unparsable', file.path, 'the policy is not UTF-8 text')] };
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, schema: 'core', uniqueKeys: true });
  const lineAt = (offset: number | undefined): number | null =>
    offset === undefined ? null : lines.linePos(offset).line;
  if (document.errors.length > 0) {
    // One misplaced bracket is told once a bracket that it breaks: the first of a line says it.
    const byLine = Map.groupBy(document.errors, (error) => lineAt(error.pos[0]));
    const problems = [...byLine].flatMap(([line, errors]) =>
      errors.slice(0, 1).map((error) =>
        problem('policy.unparsable', file.path, `the policy is not YAML: ${error.message.split('\n', 1)[0]}`, {
          line,
        }),
      ),
    );
    return { ok: false, problems };
  }
  const problems: PolicyProblem[] = [];
  const complain: Complain = (path, message, help) => {
    // the library types it unknown
    const node = path.length === 0 ? document.contents : (document.getIn(path, true) as Node | undefined);
    const at =
      node !== null && typeof node === 'object' && (isScalar(node) || 'range' in node) ? node.range?.[0] : undefined;
    problems.push(problem('policy.unparsable', file.path, message, { line: lineAt(at), help: help ?? null }));
  };
  const value: unknown = document.toJS({ maxAliasCount: 100 });
  const policy = isObject(value) ? policyOf(value, file.path, complain) : null;
  if (policy === null) complain([], 'the policy is not a map with `name` and `rules`');
  return policy === null || problems.length > 0 ? { ok: false, problems } : { ok: true, policy };
}

function policyOf(value: JsonObject, path: string, complain: Complain): YamlPolicy {
  unknownKeys(value, POLICY_KEYS, [], complain);
  const { name, rules, default_action: otherwise = 'deny' } = value;
  if (typeof name !== 'string' || name === '') complain([], 'the policy has no `name`');
  if (otherwise !== 'allow' && otherwise !== 'deny')
    complain(['default_action'], '`default_action` is neither allow nor deny');
  if (!Array.isArray(rules)) complain(['rules'], 'the policy has no list of `rules`');
  const agents = [
    ...texts(value.agents, ['agents'], complain),
    ...(value.agent === undefined ? [] : texts([value.agent], ['agent'], complain)),
  ];
  return {
    path,
    name: typeof name === 'string' ? name : '',
    agents: agents.includes('*') ? [] : agents,
    defaultAction: otherwise === 'allow' ? 'allow' : 'deny',
    rules: Array.isArray(rules) ? rules.map((rule: Json, index) => ruleOf(rule, index, complain)) : [],
  };
}

function ruleOf(rule: Json, index: number, complain: Complain): YamlRule {
  const at = ['rules', index];
  const map = isObject(rule) ? rule : {};
  if (!isObject(rule)) complain(at, `rule ${index + 1} is not a map`);
  if ('limit' in map)
    complain(
      [...at, 'limit'],
      'a rule with `limit` counts in one process and forgets at a restart',
      'write `governance.limits` in workspace.yaml',
    );
  else unknownKeys(map, RULE_KEYS, at, complain);
  const words = [map.ruleAction, map.action, map.effect].filter((word) => word !== undefined);
  const action = ACTIONS.find((known) => known === words[0]);
  if (words.length !== 1 || action === undefined)
    complain(at, `rule ${index + 1} needs one \`action\` of ${ACTIONS.join(', ')}`);
  const { condition, priority = 0, enabled = true, name, description } = map;
  const wrong =
    condition === undefined
      ? null
      : typeof condition === 'string'
        ? conditionProblem(condition)
        : 'the condition is not text';
  if (wrong !== null) complain([...at, 'condition'], wrong);
  if (typeof priority !== 'number') complain([...at, 'priority'], '`priority` is not a number');
  if (typeof enabled !== 'boolean') complain([...at, 'enabled'], '`enabled` is neither true nor false');
  return {
    name: typeof name === 'string' && name !== '' ? name : `rule ${index + 1}`,
    description: typeof description === 'string' ? description : null,
    condition: typeof condition === 'string' ? condition : null,
    action: action ?? 'deny',
    approvers: texts(map.approvers, [...at, 'approvers'], complain),
    priority: typeof priority === 'number' ? priority : 0,
    enabled: enabled !== false,
  };
}

function unknownKeys(
  map: JsonObject,
  known: readonly string[],
  at: readonly (string | number)[],
  complain: Complain,
): void {
  for (const key of Object.keys(map))
    if (!known.includes(key))
      complain([...at, key], `the key \`${key}\` is not known here; known are ${known.join(', ')}`);
}

function texts(value: Json | undefined, at: readonly (string | number)[], complain: Complain): readonly string[] {
  if (value === undefined) return [];
  if (Array.isArray(value) && value.every((item: Json): item is string => typeof item === 'string')) return value;
  complain(at, `\`${at.at(-1)}\` is not a list of texts`);
  return [];
}
