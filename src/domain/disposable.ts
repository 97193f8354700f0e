/** What an instance may implement to let go of what it holds when the host is disposed. */
export interface Disposable {
  /** Idempotent; failures are logged, never thrown on. */
  dispose?(): Promise<void>;
}
