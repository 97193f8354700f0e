import type { CallFacts } from '@kit-run/kit/plugin';

/** What calls of one tool, or of all tools whose name fits, do. */
export interface GatedTool {
  /** In which `*` stands for any text. */
  readonly name: string;
  readonly kind: Exclude<CallFacts['kind'], 'unknown'>;
  /** Member of the input that says what the call is about; null: none does. */
  readonly subject: string | null;
}

/** `gate` of an adapter: how its program asks kit before each of its calls. */
export interface AdapterGate {
  readonly protocol: 'claude-hook';
  readonly tools: readonly GatedTool[];
  /** Globs of files of a repository that the program obeys. */
  readonly controlFiles: readonly string[];
  /** Below `~/`; null: the program has none that bear on the gate. */
  readonly userSettings: string | null;
}
