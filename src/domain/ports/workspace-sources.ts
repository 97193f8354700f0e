/** A place that `kit init --from` takes a workspace from. */
export type WorkspaceSource =
  | { readonly kind: 'directory'; readonly path: string }
  /** `ref`: a branch, a tag or a whole commit id; null = what the repository offers first. */
  | { readonly kind: 'git'; readonly url: string; readonly ref: string | null }
  /** A name of the npm registry, with `@<version or tag>` or without. */
  | { readonly kind: 'npm'; readonly spec: string }
  /** What `npm pack` wrote. */
  | { readonly kind: 'tarball'; readonly path: string };

/** What exactly was taken, for the line that says where a workspace comes from. */
export type SourceOrigin =
  | { readonly kind: 'directory'; readonly path: string }
  | { readonly kind: 'git'; readonly url: string; readonly commit: string }
  /** `integrity`: `sha512-<base64>` of the archive that was read. */
  | { readonly kind: 'npm'; readonly name: string; readonly version: string; readonly integrity: string }
  | { readonly kind: 'tarball'; readonly path: string; readonly integrity: string };

/**
 * One name in a source. `skipped` is a folder that the opener was told not to look into; `other` is
 * a device, a socket, a pipe or a hard link.
 */
export interface SourceEntry {
  /** With forward slashes, relative to the source; as hostile as whoever wrote it. */
  readonly path: string;
  readonly kind: 'file' | 'link' | 'submodule' | 'other' | 'skipped';
  readonly bytes: number;
  /** Where a link leads, as written; null for everything else. */
  readonly target: string | null;
}

/** A source that was fetched and listed. Nothing of it was carried out or checked out. */
export interface OpenedSource {
  readonly origin: SourceOrigin;
  readonly entries: readonly SourceEntry[];
  /** Content of files by path; every path is one of an entry of kind `file`. */
  read(paths: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  /** Removes what was fetched. */
  close(): Promise<void>;
}

/** What a fetch may take at most. */
export interface SourceBounds {
  readonly maxEntries: number;
  readonly maxTotalBytes: number;
}

/** A folder or file by this name is not looked into. */
export type IsLeftOut = (name: string) => boolean;

/**
 * Fetches and lists. Throws KIT_USAGE: what is not there, cannot be fetched, or passes a bound.
 */
export type OpenSource = (source: WorkspaceSource, bounds: SourceBounds, isLeftOut: IsLeftOut) => Promise<OpenedSource>;
