import type { Kind } from '../../domain/artifact.js';

/**
 * Everything that has a schema of its own: the kinds, and the approval policy that funnels embed.
 */
export type SchemaKind = Kind | 'ApprovalPolicy';
