import type { Json } from '../../domain/json.js';
import type { LinkedCommand, LinkedSkill } from '../../domain/linked-skill.js';
import type { Decision, PolicyRequest } from '../../domain/ports/governance.js';
import type { ReadRoles } from '../../domain/ports/reviews.js';
import type { Soon } from '../../lib/soon.js';

/** What may be done now, and what of it may be told: live, where the snapshot is frozen. */
export interface RunPolicy {
  /** Asks the governance provider; a missing, failed or unknown answer is a denial. */
  readonly decide: (request: PolicyRequest) => Soon<Decision>;
  /**
   * How far an agent is trusted, 0..1, as the governance provider says now; null = it does not say.
   * Absent: there is no source of trust.
   */
  readonly trust?: (agentId: string) => Soon<number | null>;
  /**
   * Scopes that only people hold, as the role registry says now; the snapshot's are added (the
   * stricter holds).
   */
  readonly humanScopes: readonly string[];
  /** Who may sign, as the role files say now. */
  readonly roles: ReadRoles;
  /**
   * Permission tier of a skill as the workspace says now; null where it says none. The stricter of
   * it and the snapshot's holds.
   */
  readonly tierNow: (skill: LinkedSkill) => LinkedCommand['permission'] | null;
  /**
   * Shortened, redacted form of what goes into events, by the skill's policy and the audit level.
   */
  readonly redactCall: (
    skillId: string | null,
    call: { readonly inputs: Json; readonly outputs: Json },
  ) => Promise<{ readonly inputs?: Json; readonly outputs?: Json }>;
}
