/** What a person can set once for every workspace of theirs. */
export type PreferenceName = 'identity';

/** What this user has set, in a file of their config directory. */
export interface PreferencesApp {
  /** Throws KIT_USAGE for a file that cannot be read. */
  read(): Promise<{ readonly path: string; readonly values: Readonly<Partial<Record<PreferenceName, string>>> }>;
  /** Null takes it away. Throws KIT_STORE_UNAVAILABLE for a place that cannot be written. */
  set(name: PreferenceName, value: string | null): Promise<void>;
}
