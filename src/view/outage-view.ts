/** A step that waits for another side: it is down, or takes no more requests now. */
export interface OutageView {
  readonly agentId: string | null;
  /** `provider.network`, `tool.unreachable`; `limit.in_flight` where it takes no more requests. */
  readonly reason: string;
  readonly tries: number;
  /** When it is tried again, ISO 8601; past = it is being tried. Null = when there is room. */
  readonly until: string | null;
}

/** What an agent waits for; null = nothing. */
export const outageOfAgent = (
  { agentId }: { readonly agentId: string },
  { outages }: { readonly outages: Readonly<Record<string, OutageView>> },
): OutageView | null => Object.values(outages).find((one) => one.agentId === agentId) ?? null;
