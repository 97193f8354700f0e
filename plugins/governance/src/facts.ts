import type { Json, PolicyRequest } from '@kit-run/kit/plugin';

/** What every policy language sees of a request, under the same names; each is always there. */
export interface Facts {
  readonly agent: string;
  readonly action: string;
  readonly kind: string;
  readonly resource: string;
  /** Role of the agent; '' where the request does not say. */
  readonly role: string;
  readonly skill: string;
  /** `none`, `read`, `write`, `destructive` or `unknown`. */
  readonly effects: string;
  /** Permission tier of a tool; '' where there is none. */
  readonly permission: string;
  /** 0..100; 100 where there is no source of trust. */
  readonly trust: number;
  readonly base_scope: readonly string[];
  readonly scopes_required: readonly string[];
}

export const FACT_NAMES: readonly (keyof Facts)[] = [
  'agent',
  'action',
  'kind',
  'resource',
  'role',
  'skill',
  'effects',
  'permission',
  'trust',
  'base_scope',
  'scopes_required',
];

const FULL_TRUST = 100;

export function factsOf({ agentId, action, scopesRequired, context }: PolicyRequest): Facts {
  const { trust } = context;
  return {
    agent: agentId,
    action,
    ...splitAction(action, agentId),
    role: textOf(context.role, ''),
    skill: textOf(context.skill, ''),
    effects: textOf(context.effects, 'unknown'),
    permission: textOf(context.permission, ''),
    trust: typeof trust === 'number' ? Math.round(Math.min(1, Math.max(0, trust)) * FULL_TRUST) : FULL_TRUST,
    base_scope: textsOf(context.base_scope),
    scopes_required: scopesRequired,
  };
}

const textOf = (value: Json | undefined, otherwise: string): string => (typeof value === 'string' ? value : otherwise);
const textsOf = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((item: Json): item is string => typeof item === 'string') : [];

/** An action in the parts that policies speak of: what is done, and to what. */
interface Action {
  /**
   * `agent:execute`, `command:call`, `mcp:call`, `skill:call`, `context:retrieve`,
   * `harness:approve`; otherwise the action as it is.
   */
  readonly kind: string;
  /** `<pack>:<command>`, `<server>:<tool>`, a skill, an agent, a ref; '' where nothing is named. */
  readonly resource: string;
}

/**
 * Two words make the kind; what follows is the resource. An agent that is to run is its own
 * resource.
 */
function splitAction(action: string, agentId: string): Action {
  const [first = '', second = '', ...rest] = action.split(':');
  const kind = second === '' ? first : `${first}:${second}`;
  return { kind, resource: kind === 'agent:execute' && rest.length === 0 ? agentId : rest.join(':') };
}
