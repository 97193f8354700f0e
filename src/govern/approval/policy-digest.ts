import type { ApprovalPolicy } from '../../domain/gates.js';
import { canonicalJson } from '../../lib/canonical-json.js';
import { sha256Hex } from '../../lib/sha256.js';

/**
 * SHA-256 hex over the canonical JSON of a policy: evidence in rounds and decisions, never part of
 * a decision.
 */
export const policyDigest = (policy: ApprovalPolicy): string => sha256Hex(canonicalJson(policy));
