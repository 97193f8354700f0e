import type { WireAgentProbe, WireRemoteAgent } from './schemas/connection.js';

/** What the card at an address says; all of it is a stranger's word. */
export type AgentProbe =
  | {
      readonly isSupported: true;
      readonly name: string;
      readonly description: string;
      /** Where messages go. */
      readonly url: string;
      readonly streaming: boolean;
      readonly requiresBearer: boolean;
      readonly skills: readonly { readonly id: string; readonly name: string; readonly description: string }[];
    }
  | { readonly isSupported: false; readonly detail: string };

/** A skill of the workspace that is an agent which runs elsewhere. */
export interface RemoteAgentEntry {
  readonly id: string;
  readonly description: string;
  /** As it is written: a variable stands for itself. */
  readonly cardUrl: string;
  /** Null: the agent chooses. */
  readonly skillId: string | null;
  readonly credentialsRef: string | null;
  readonly onUnanswerable: 'agent' | 'relay' | 'abort';
  readonly permission: string;
  readonly effects: string;
  readonly timeoutS: number;
}

/** The names of the interface, and those of the YAML beside them. */
export const toWireRemoteAgent = (entry: RemoteAgentEntry): WireRemoteAgent => ({
  id: entry.id,
  description: entry.description,
  card: entry.cardUrl,
  skill: entry.skillId,
  credential: entry.credentialsRef,
  on_unanswerable: entry.onUnanswerable,
  tier: entry.permission,
  card_url: entry.cardUrl,
  skill_id: entry.skillId,
  credentials_ref: entry.credentialsRef,
  permission: entry.permission,
  effects: entry.effects,
  timeout_s: entry.timeoutS,
});

export function toWireAgentProbe(probe: AgentProbe): WireAgentProbe {
  if (!probe.isSupported) return { supported: false, detail: probe.detail };
  const { name, description, url, streaming, requiresBearer, skills } = probe;
  return {
    ...{ supported: true, name, description, url, streaming, requires_bearer: requiresBearer },
    skills: skills.map((skill) => ({ id: skill.id, name: skill.name, description: skill.description })),
  };
}
