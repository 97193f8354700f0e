import type { CallFacts } from '@kit-run/kit/plugin';

/** What calls of one tool, or of all tools whose name fits, do. */
export interface GatedTool {
  /** In which `*` stands for any text. */
  readonly name: string;
  readonly kind: Exclude<CallFacts['kind'], 'unknown'>;
  /** Member of the input that says what the call is about; null: none does. */
  readonly subject: string | null;
}

/**
 * `claude-hook` and `codex-hook`: a hook that the program runs before each call; `acp`: the
 * permission requests of the Agent Client Protocol, whose tools are the kinds of that protocol.
 */
export const GATE_PROTOCOLS = ['claude-hook', 'codex-hook', 'acp'] as const;

/** `gate` of an adapter: how its program asks kit before each of its calls. */
export interface AdapterGate {
  readonly protocol: (typeof GATE_PROTOCOLS)[number];
  readonly tools: readonly GatedTool[];
  /**
   * Template of what is written to stdin in the place of `launch.stdin` where kit is asked; null:
   * the same.
   */
  readonly stdin: string | null;
  /** Globs of files of a repository that the program obeys. */
  readonly controlFiles: readonly string[];
  /** The program cannot be told to pass them by: it is not started where there is one. */
  readonly refuseControlFiles: boolean;
  /** Below `~/`; null: the program has none that bear on the gate. */
  readonly userSettings: string | null;
}
