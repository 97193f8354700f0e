import type { ErrorCode } from '../../../../src/domain/error-registry.js';
import type { SceneRun } from '../../../support/scene/run-scene.js';

/**
 * Two values of a key, and what the scene needs so that the difference can show. `undefined` =
 * absent.
 */
export interface EffectProof {
  readonly key: string;
  readonly a: unknown;
  readonly b: unknown;
  readonly at?: string;
  readonly given?: Readonly<Record<string, unknown>>;
}

/** Shown by a run: both sides are carried out, unless the refusal of the second is the effect. */
export interface RunProof extends EffectProof {
  readonly refuses?: ErrorCode;
  /** Nothing here brings what the value names, and the refusal says so by its name. */
  readonly refusesBoth?: ErrorCode;
  readonly run?: Omit<SceneRun, 'model'>;
}

/** Shown by the report of `kit validate`. */
export interface VerdictProof extends EffectProof {
  /** The schema alone is what judges the key: one legal value, or a list that must be a set. */
  readonly bySchema?: true;
}
