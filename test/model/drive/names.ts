export const JOB_ID = 'aaaaaaaaaaaa';

/** `<run>:<agent>`. */
export const agentIdOf = (gate: number): string => `agent-${gate}`;
export const gateIdOf = (gate: number): string => `${JOB_ID}:${agentIdOf(gate)}`;

/** `mpa-<gate>-<rule>-<role>[-r<round>]`. */
export const itemIdOf = (gate: number, rule: number, role: string, round: number): string =>
  `mpa-${gateIdOf(gate)}-${rule}-${role}${round === 0 ? '' : `-r${round}`}`;

/** The store's clock shows the world's. */
export const instantOf = (ms: number): string => new Date(START_MS + ms).toISOString();
const START_MS = Date.UTC(2030, 0, 1);

export const UNKNOWN_ITEM = 'mpa-nobody-0-none';
/** An item of kind `permission` that every state holds. */
export const OTHER_ITEM = 'permission-1';
