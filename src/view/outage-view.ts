import type { StoredEvent } from '../domain/events.js';

/** A step that waits for another side: it is down, takes no more requests now, or works. */
export interface OutageView {
  readonly agentId: string | null;
  /** `provider.network`, `tool.unreachable`; `limit.in_flight` where it takes no more requests. */
  readonly reason: string;
  /** Id of the provider or of the tool server that is down; absent = untold. */
  readonly name?: string;
  readonly tries: number;
  /** When it is tried again, ISO 8601; past = it is being tried. Null = when there is room. */
  readonly until: string | null;
  /** The agent elsewhere that works on it, and where its people decide; absent = it is none. */
  readonly remote?: { readonly agent: string; readonly gateUrl: string | null };
}

/** What an agent waits for; null = nothing. */
export const outageOfAgent = (
  { agentId }: { readonly agentId: string },
  { outages }: { readonly outages: Readonly<Record<string, OutageView>> },
): OutageView | null => Object.values(outages).find((one) => one.agentId === agentId) ?? null;

type Waiting = Extract<StoredEvent, { type: 'step.waiting' }>['payload'];

/** What a step says that it waits for. */
export function waitOf({ reason, tries, until, name, agent, gate_url: gateUrl }: Waiting): Omit<OutageView, 'agentId'> {
  const wait = { reason, tries, until, ...(name === undefined ? {} : { name }) };
  return agent === undefined ? wait : { ...wait, remote: { agent, gateUrl: gateUrl ?? null } };
}
