/** Which workspace stands for whoever named none. Directories are absolute. */
export type FoundWorkspace =
  /** The current directory is one. */
  | { readonly kind: 'here' | 'none' }
  | { readonly kind: 'above' | 'below'; readonly directory: string }
  | { readonly kind: 'several'; readonly directories: readonly string[] };

/**
 * What boot read of the process, once; commands and rooms below never read the environment
 * themselves.
 */
export interface ProcessSettings {
  /** KIT_VERBOSE: stacks of errors. */
  readonly verbose: boolean;
  /** KIT_QUIET: no progress on stderr. */
  readonly quiet: boolean;
  /** TRACEPARENT, as it is set; null when unset or empty. What is submitted hangs below it. */
  readonly traceParent: string | null;
  /** KIT_WORKSPACE; null when unset or empty. */
  readonly workspace: string | null;
  /** KIT_SERVER; null when unset or empty. To a command at a server: its address. */
  readonly server: string | null;
  /** Looks for the workspace of whoever named none, from the current directory. */
  readonly findWorkspace: () => FoundWorkspace;
  /** Who acts where `--as` is not written; null: nobody is set. Read with `whoActs`. */
  readonly identity: () => SetIdentity | null;
  readonly cwd: string;
  /** PATH: where programs are looked for; '' when unset. */
  readonly programPath: string;
  /**
   * What paths for CI are relative to: GITHUB_WORKSPACE when the current directory lies in it, else
   * the current directory.
   */
  readonly repositoryDir: string;
  /** NO_COLOR is set, or stdout is not a terminal. */
  readonly noColor: boolean;
  /** CI is set: plain lines instead of a live tree. */
  readonly ci: boolean;
  /** TERM is `dumb`: the terminal cannot move its cursor. */
  readonly isDumbTerminal: boolean;
  readonly stdinIsTty: boolean;
  /** stdin is a file, a pipe or a socket. */
  readonly stdinIsInput: boolean;
  readonly stdoutIsTty: boolean;
  /** Columns of the terminal on stdout, 100 where it does not say; null = stdout is none. */
  readonly stdoutColumns: number | null;
  readonly stderrIsTty: boolean;
}

/** An identity that was set once, and where. */
export interface SetIdentity {
  readonly identity: string;
  readonly from: 'KIT_IDENTITY' | 'kit config' | 'the server';
  /** At a server: how somebody else acts there, as a sentence. */
  readonly otherwise?: string;
}
