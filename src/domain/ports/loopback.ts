/** What is waited for, and what becomes of it. */
export interface WaitForBrowser<T> {
  readonly state: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly finish: (query: string) => Promise<T>;
  /** What the browser shows then. */
  readonly says: (result: T) => string;
}

/** A server at this machine that waits for one browser (RFC 8252). */
export interface Loopback {
  readonly redirectUri: string;
  /**
   * Hands the first answer that carries `state` to `finish`, and shows the browser what came of it.
   * Answers of others are refused, and waiting goes on. Throws what `finish` throws, and
   * KIT_LOGIN_STATE when nobody comes within `timeoutMs` or `signal` aborts.
   */
  answer<T>(of: WaitForBrowser<T>): Promise<T>;
  close(): Promise<void>;
}
