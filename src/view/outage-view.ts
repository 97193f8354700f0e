/** A step that waits for another side that is down. */
export interface OutageView {
  readonly agentId: string | null;
  /** `provider.network`, `tool.unreachable`. */
  readonly reason: string;
  readonly tries: number;
  /** When it is tried again, ISO 8601; a past time = it is being tried. */
  readonly until: string;
}

/** What an agent waits for that is down; null = nothing. */
export const outageOfAgent = (
  { agentId }: { readonly agentId: string },
  { outages }: { readonly outages: Readonly<Record<string, OutageView>> },
): OutageView | null => Object.values(outages).find((one) => one.agentId === agentId) ?? null;
