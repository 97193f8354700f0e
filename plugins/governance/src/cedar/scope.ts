type PolicyJson = import('@cedar-policy/cedar-wasm/nodejs').PolicyJson;

/** What can be told of a policy without evaluating it. */
export interface PolicyScope {
  /** Kinds of action that it can be about; null = all. */
  readonly kinds: ReadonlySet<string> | null;
  /** The one agent that it can be about; null = any. */
  readonly agent: string | null;
  /**
   * Attributes of the context that its conditions read; null = they read the context as a whole.
   */
  readonly attributes: ReadonlySet<string> | null;
}

/**
 * Reads the head and the conditions of a policy. A policy whose head cannot match is neither
 * satisfied nor does it fail, so leaving it out of a decision changes nothing ("policy slicing").
 * Source: https://docs.cedarpolicy.com/auth/authorization.html
 */
export function scopeOf({ principal, action, conditions }: PolicyJson): PolicyScope {
  const attributes = new Set<string>();
  const isBounded = conditions.every(({ body }) => collect(body, attributes));
  return { kinds: kindsOf(action), agent: agentOf(principal), attributes: isBounded ? attributes : null };
}

/** Actions of kit have no parents, so `in` is no more than one of. */
function kindsOf(action: PolicyJson['action']): PolicyScope['kinds'] {
  if (action.op === 'All') return null;
  const named = 'entities' in action ? action.entities : 'entity' in action ? [action.entity] : null;
  const ids = named?.map(idOf) ?? [null];
  return ids.includes(null) ? null : new Set(ids.filter((id) => id !== null));
}

/** `in` is left to Cedar: it is rare for an agent, and always right. */
const agentOf = (principal: PolicyJson['principal']): string | null =>
  principal.op === '==' && 'entity' in principal ? idOf(principal.entity) : null;

function idOf(entity: unknown): string | null {
  if (typeof entity !== 'object' || entity === null) return null;
  // the two forms in which Cedar writes an entity
  const { __entity: inner = entity } = entity as { readonly __entity?: unknown };
  return typeof inner === 'object' && inner !== null && 'id' in inner && typeof inner.id === 'string' ? inner.id : null;
}

/**
 * Adds what a condition reads of the context; false = it takes the context for more than its
 * attributes.
 */
function collect(node: unknown, found: Set<string>): boolean {
  if (typeof node !== 'object' || node === null) return true;
  // A record may have a member of this name; its value is not text.
  if ('Var' in node && typeof node.Var === 'string') return node.Var !== 'context';
  return Object.entries(node).every(([operator, operand]: readonly [string, unknown]) => {
    const attribute = operator === '.' || operator === 'has' ? attributeOf(operand) : null;
    if (attribute === null) return collect(operand, found);
    found.add(attribute);
    return true;
  });
}

/** `context.<attribute>`, or the question whether there is one. */
function attributeOf(operand: unknown): string | null {
  if (typeof operand !== 'object' || operand === null || !('left' in operand) || !('attr' in operand)) return null;
  const { left, attr } = operand;
  const isOfContext = typeof left === 'object' && left !== null && 'Var' in left && left.Var === 'context';
  return isOfContext && typeof attr === 'string' ? attr : null;
}
