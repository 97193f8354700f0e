// What is in a workspace, and what the compiler says of it.
import type { ReachabilityReport, VerificationEntry } from '../validation-report.js';
import { toWire } from './codec.js';
import { arrayOf, BOOLEAN, COUNT, closed, described, held, nullable, STRING, STRINGS, type TypeOf } from './words.js';

/** `GET /skills`. */
export const SKILL_NAMES = arrayOf(closed({ id: STRING, category: STRING }));

const DIAGNOSTIC = closed({
  severity: STRING,
  code: STRING,
  message: STRING,
  path: STRING,
  pointer: STRING,
  help: nullable(STRING),
});

/** `GET /validate`. */
export const VALIDATION = closed({
  valid: BOOLEAN,
  workspace_id: nullable(STRING),
  topologies: STRINGS,
  skills: STRINGS,
  archetypes: STRINGS,
  diagnostics: arrayOf(DIAGNOSTIC),
});
export type WireValidation = TypeOf<typeof VALIDATION>;

const DECLARATION = closed({
  kind: STRING,
  key: STRING,
  declared_on: STRING,
  required: BOOLEAN,
  detail: STRING,
  message: STRING,
});
export type WireDeclaration = TypeOf<typeof DECLARATION>;

/** `GET /workspace/reachability`. */
export const REACHABILITY = closed({
  ok: BOOLEAN,
  reachable: arrayOf(DECLARATION),
  unreachable: arrayOf(DECLARATION),
});
export type WireReachability = TypeOf<typeof REACHABILITY>;

/** `GET /workspace/verification`. */
export const VERIFICATION = closed({
  ok: BOOLEAN,
  agents: arrayOf(
    closed({
      topology_id: held('topology', STRING),
      agent_id: held('agent', STRING),
      is_root: BOOLEAN,
      funnel_id: held('funnel', nullable(STRING)),
      layers: STRINGS,
      declared: STRINGS,
      inert: STRINGS,
      strength: described(COUNT, 'How many layers are wired.'),
      verified: BOOLEAN,
    }),
  ),
  unverified_roots: STRINGS,
});
export type WireVerification = TypeOf<typeof VERIFICATION>;

/** What is wired, as CLI and HTTP show it. */
export const toWireReachability = ({ unreachable, orphans, ...wired }: ReachabilityReport): WireReachability =>
  toWire(REACHABILITY, { ...wired, unreachable: [...unreachable, ...orphans] });

/** What is checked, as CLI and HTTP show it; `strength` counts the wired layers. */
export function toWireVerification(agents: readonly VerificationEntry[]): WireVerification {
  const unverified = agents.filter(({ isRoot, verified }) => isRoot && !verified);
  return toWire(VERIFICATION, {
    ok: unverified.length === 0,
    agents: agents.map((entry) => ({ ...entry, strength: entry.layers.length })),
    unverifiedRoots: unverified.map(({ topology, agent }) => `nothing checks what ${agent} of ${topology} answers`),
  });
}
