import type { SignInOffer } from '../../view/sign-in.js';

/** How a server asks who calls. */
export interface AskedServer {
  /** Scheme, host and path, as it was named. */
  readonly address: string;
  /** Name of its auth provider. */
  readonly mode: string;
  /** Null: nobody signs in through a browser there; a key or a token is pasted. */
  readonly signIn: SignInOffer | null;
}

/** A login that waits for the browser to come back. */
export interface BegunLogin<T> {
  /** Page of the issuer. */
  readonly authorizationUrl: string;
  readonly state: string;
  /**
   * Takes the query at which the browser ended. Throws KIT_LOGIN_STATE for the answer to another
   * login, KIT_LOGIN_FAILED, and what keeping its token throws.
   */
  finish(query: string): Promise<T>;
}

/** A login in a browser at this machine. */
export interface BrowserLogin<T> {
  /** Where the browser comes back to; 0 = any port that is free. */
  readonly port: number;
  readonly begin: (redirectUri: string) => Promise<BegunLogin<T>>;
  /** What the browser shows at the end. */
  readonly says: (result: T) => string;
  /** Called with each line for the person who waits. */
  readonly print: (line: string) => void;
  readonly signal: AbortSignal;
}

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
  /** When it ends, as the issuer said, ISO 8601; null = nobody said. */
  readonly until: string | null;
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
 * read. All throw KIT_USAGE for what is not an address and for a file that others can read.
 */
export interface LoginsApp {
  /** Throws KIT_SERVER_*. */
  ask(server: string): Promise<AskedServer>;
  /**
   * Begins a sign-in that comes back to `redirectUri`. Sends nothing yet: the server is asked when
   * it ends.
   */
  begin(server: string, offer: SignInOffer, redirectUri: string): Promise<BegunLogin<SignedIn>>;
  /**
   * Opens a browser, and waits up to ten minutes at this machine for it to come back. Throws
   * KIT_LOGIN_FAILED for a port that is taken and a page that nobody should open, KIT_LOGIN_STATE
   * when nobody comes or `signal` aborts, and what `begin` and `finish` throw.
   */
  inBrowser<T>(login: BrowserLogin<T>): Promise<T>;
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
