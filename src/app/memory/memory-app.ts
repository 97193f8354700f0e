import type { MemorySettings } from '../../domain/memory-settings.js';
import type { Memory, MemoryChange, MemoryWritten, QuarantinedMemory } from '../../domain/ports/memory.js';

/** What a person asks to be remembered. */
export interface AddMemory extends Pick<Memory, 'subject' | 'attribute' | 'value'> {
  /** semantic, profile, procedural, episodic or working; default semantic. */
  readonly type?: string;
  /** 0..1, default 1. */
  readonly confidence?: number;
  /** Default: who asks. */
  readonly source?: string;
}

/** Settings in force. `source`: whether workspace.yaml has a `memory` block. */
export interface MemoryConfig extends MemorySettings {
  readonly source: 'default' | 'workspace';
}

/**
 * Who looks: `reader` is the identity of the entry point. One's own entries and those of people are
 * shown, never what came out of somebody else's runs.
 */
interface Look {
  readonly workspace: string;
  readonly reader: string;
}

/**
 * Memory as people use it. All but `config` throw KIT_MEMORY_OFF where the workspace has switched
 * it off; looking makes no store.
 */
export interface MemoryApp {
  config(ask: { readonly workspace: string }): Promise<MemoryConfig>;
  /**
   * With a `query` the best match first, else the surest first. `limit` 1..200. Throws
   * KIT_MEMORY_INVALID for a type that does not exist.
   */
  list(
    ask: Look & { readonly query: string; readonly type: string | null; readonly limit: number },
  ): Promise<readonly Memory[]>;
  /** Entries of one key, one's own before the one of people; empty = nothing is known. */
  item(
    ask: Look & { readonly subject: string; readonly attribute: string },
  ): Promise<readonly { readonly memory: Memory; readonly history: readonly MemoryChange[] }[]>;
  /**
   * All or nothing is checked before the first is written; each is audited (`memory.written`).
   * Throws KIT_MEMORY_INVALID.
   */
  add(ask: {
    readonly workspace: string;
    readonly by: string;
    readonly memories: readonly AddMemory[];
  }): Promise<readonly MemoryWritten[]>;
  quarantine(
    ask: Look & { readonly status: QuarantinedMemory['status'] | null; readonly limit: number },
  ): Promise<readonly QuarantinedMemory[]>;
  /**
   * `by` is the identity of the entry point, never a name out of a request. Throws
   * KIT_MEMORY_UNKNOWN, KIT_MEMORY_DECIDED.
   */
  resolve(ask: {
    readonly workspace: string;
    /** Id or unique prefix. */
    readonly id: string;
    readonly accept: boolean;
    readonly by: string;
    readonly comment: string | null;
  }): Promise<QuarantinedMemory>;
}
