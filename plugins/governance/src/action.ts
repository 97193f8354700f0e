/** An action in the parts that policies speak of: what is done, and to what. */
export interface Action {
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
export function splitAction(action: string, agentId: string): Action {
  const [first = '', second = '', ...rest] = action.split(':');
  const kind = second === '' ? first : `${first}:${second}`;
  return { kind, resource: kind === 'agent:execute' && rest.length === 0 ? agentId : rest.join(':') };
}
