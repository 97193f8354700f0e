/** What the pages read of the answers of the HTTP API; `/openapi.json` has the whole of them. */

export interface Who {
  readonly client_id: string;
  readonly client_name: string;
  readonly scopes: readonly string[];
  /** Name of the auth provider. */
  readonly mode: string;
}

export interface Decided {
  readonly by: string;
  readonly role: string | null;
  readonly outcome: string;
  readonly comment: string;
  readonly round: number;
  readonly at: string;
  /** False: of an earlier round, or its task opened again. */
  readonly counts: boolean;
}

export interface Step {
  readonly depth: number;
  readonly kind: string;
  readonly name: string;
  readonly status: string;
  readonly count: number;
  readonly duration_ms: number | null;
  readonly cost_usd: number | null;
}

export interface AskedRequest {
  readonly run_id: string;
  readonly topology: string;
  readonly version: string | null;
  readonly description: string | null;
  readonly input: string;
  readonly input_chars: number;
  readonly input_cut: boolean;
  readonly attachments: readonly string[];
  readonly submitted_by: { readonly identity: string; readonly assurance: string };
  readonly labels: Readonly<Record<string, string>>;
  readonly correlation_id: string | null;
  readonly source: string;
  readonly submitted_at: string;
  readonly asked_at: string;
  readonly age_seconds: number;
  readonly cost_usd: number | null;
  readonly call: { readonly name: string; readonly reason: string; readonly details: unknown } | null;
  readonly critique: string | null;
  readonly decisions: readonly Decided[];
  readonly led_here: { readonly steps: readonly Step[]; readonly left_out: number } | null;
}

export interface InboxRow {
  readonly id: string;
  readonly kind: 'permission' | 'input' | 'role_task' | 'other';
  readonly agent_id: string | null;
  readonly run_id: string;
  readonly gate_id: string | null;
  readonly role: string | null;
  readonly scope: string | null;
  readonly round: number;
  readonly status: string;
  readonly resolved_by: string;
  readonly reason: string | null;
  readonly question: string | null;
  readonly options: readonly string[];
  readonly free_text_allowed: boolean;
  readonly artifact_ref: string | null;
  readonly expires_at: string | null;
  readonly request: AskedRequest;
  readonly you: { readonly can_decide: boolean; readonly why_not: string | null } | null;
}

export interface InboxPage {
  readonly identity: string;
  readonly roles: readonly string[];
  readonly items: readonly InboxRow[];
  readonly total: number;
  readonly has_more: boolean;
  /** What people of other systems decide, and where. */
  readonly elsewhere: readonly Readonly<Record<'run' | 'topology' | 'agent' | 'gate_url', string>>[];
}

export interface ArtifactText {
  readonly ref: string;
  readonly sha256: string;
  readonly media_type: string;
  readonly size_bytes: number;
  /** Null: bytes that are no text. */
  readonly text: string | null;
}

export interface GateItem {
  readonly id: string;
  readonly role: string | null;
  readonly status: string;
  readonly resolved_by: string;
  readonly comment: string;
  readonly stale: boolean;
}

export interface Gate {
  readonly gate_id: string;
  readonly round: number;
  readonly status: string;
  readonly items: readonly GateItem[];
  readonly distinct_approvers: readonly string[];
  readonly min_distinct_approvers: number | null;
  readonly outstanding: readonly string[];
  readonly who_can_act: readonly { readonly role: string; readonly members: readonly string[] }[];
  readonly stuck: readonly string[];
  readonly halted: string | null;
  readonly exclude_author: boolean;
  readonly author: { readonly identity: string; readonly note: string | null };
  readonly evidence: {
    readonly escalated: boolean;
    readonly critique: string | null;
    readonly judge: { readonly verdict: string; readonly reasoning: string } | null;
  };
}

export interface InboxItem extends InboxRow {
  readonly gate: Gate | null;
  readonly artifact: ArtifactText | null;
  /** What a harness changed, a unified diff. */
  readonly diff: string | null;
  /** What the one who looks decided last at this gate, and about which bytes. */
  readonly previous: {
    readonly decision: {
      readonly outcome: string;
      readonly comment: string;
      readonly round: number;
      readonly at: string;
    };
    readonly artifact: ArtifactText;
  } | null;
}

export interface Job {
  readonly id: string;
  readonly status: string;
  readonly topology: string;
  readonly version: string | null;
  readonly reason: string | null;
  readonly error: string | null;
  readonly usage: Usage;
  readonly source: string;
  readonly correlation_id: string | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly submitted_by: { readonly identity: string; readonly assurance: string };
  readonly created_at: string;
  readonly started_at: string | null;
  readonly completed_at: string | null;
  readonly waiting_on: readonly string[];
  readonly input?: unknown;
  readonly output?: unknown;
  /** Null: no harness ran. */
  readonly diff_length: number | null;
}

export interface Usage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cost_usd: number | null;
}

export interface Call {
  readonly seq: number;
  readonly kind: string;
  readonly name: string;
  readonly status: string;
  readonly reason: string | null;
  readonly message?: string;
  readonly duration_ms: number | null;
  readonly usage: Usage | null;
}

export interface Activation {
  readonly activation: string;
  readonly agent_id: string;
  readonly parent: string | null;
  readonly role: string;
  readonly executor: string;
  readonly status: string;
  readonly reason: string | null;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly duration_ms: number | null;
  readonly usage: Usage;
  readonly trail: readonly Call[];
}

export interface RunView {
  readonly job: Job;
  readonly line: readonly string[];
  readonly wall_ms: number | null;
  readonly trace: {
    readonly status: string;
    readonly started_at: string | null;
    readonly ended_at: string | null;
    readonly usage: Usage;
    readonly agents: readonly Activation[];
    readonly gates: readonly {
      readonly gate_id: string;
      readonly round: number;
      readonly status: string;
      readonly opened_at: string;
      readonly decisions: readonly { readonly by: string; readonly outcome: string; readonly comment: string }[];
    }[];
    readonly ungated: readonly string[];
    readonly warnings: readonly {
      readonly seq: number;
      readonly kind: string;
      readonly agent_id: string | null;
      readonly text: string;
    }[];
  };
}

export interface Why {
  readonly situation: {
    readonly code: string;
    readonly cause: string;
    readonly actors: readonly { readonly kind: string; readonly names: readonly string[] }[];
    readonly next: { readonly command: string; readonly fact: string | null };
  };
  readonly reasons: readonly string[];
  readonly items: readonly { readonly id: string }[];
  readonly gates: readonly Gate[];
}

export interface ArtifactRow {
  readonly ref: string;
  readonly name: string;
  readonly media_type: string;
  readonly size_bytes: number;
}

export interface Diffs {
  readonly diffs: Readonly<Record<string, string>>;
}
