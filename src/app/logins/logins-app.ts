/** A server that knows the caller. */
export interface SignedIn {
  /** Scheme, host and path, as it was named. */
  readonly address: string;
  /** Scheme, host and port: what the token is kept for. */
  readonly origin: string;
  readonly identity: string;
  /** Id of the workspace that it serves. */
  readonly workspace: string;
  /** What the token may do, sorted. */
  readonly scopes: readonly string[];
}

/** A token that is kept; never its text. */
export interface KeptLogin {
  readonly origin: string;
  readonly identity: string;
  /** When it was kept, ISO 8601. */
  readonly at: string;
}

/** Where the tokens of this user come from. */
export interface LoginStatus {
  /** The file of the kept ones. */
  readonly path: string;
  readonly kept: readonly KeptLogin[];
  /** KIT_SERVER; null = not set. */
  readonly server: string | null;
  /** KIT_TOKEN is set, and wins over what is kept. */
  readonly hasVariable: boolean;
}

/**
 * Tokens of this user for servers, kept for exactly one origin each, in a file that nobody else can
 * read. All throw KIT_USAGE for what is no address and for a file that others can read.
 */
export interface LoginsApp {
  /** How the server asks who calls: the name of its auth provider. Throws KIT_SERVER_*. */
  ask(server: string): Promise<{ readonly address: string; readonly mode: string }>;
  /**
   * Tries the token and keeps it. Nothing is kept of one that the server refuses:
   * KIT_UNAUTHENTICATED, KIT_SERVER_*, KIT_SERVER_INSECURE. Throws KIT_STORE_UNAVAILABLE where it
   * cannot be kept.
   */
  keep(server: string, token: string): Promise<SignedIn>;
  /** Who one is there now, by KIT_TOKEN or what is kept. Throws what the server refuses with. */
  check(server: string): Promise<SignedIn>;
  status(): Promise<LoginStatus>;
  /** False: nothing was kept for this origin. */
  forget(server: string): Promise<boolean>;
}
