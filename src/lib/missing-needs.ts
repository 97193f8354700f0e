import satisfies from 'semver/functions/satisfies.js';

/**
 * What must be there: plugin name -> semver range, adapter id -> digest of its launch-relevant
 * spec.
 */
export interface Needs {
  readonly plugins: Readonly<Record<string, string>>;
  readonly adapters: Readonly<Record<string, string>>;
  /** Digest of a cassette. */
  readonly cassette?: string;
  /** Id of a workspace. */
  readonly workspace?: string;
}

/** What is there: plugin name -> version, adapter id -> digest. */
export interface Offers {
  readonly plugins: Readonly<Record<string, string>>;
  readonly adapters: Readonly<Record<string, string>>;
  readonly cassette?: string;
  /** Absent = not compared. */
  readonly workspace?: string;
}

const DIGEST_SHOWN = 12;

/**
 * One clause for each thing that is needed and not there; empty = everything is. A range that
 * cannot be read is not met.
 */
export function missingNeeds(needs: Needs, offers: Offers): readonly string[] {
  return [
    ...Object.entries(needs.plugins).flatMap(([name, range]) =>
      pluginProblem({ name, range, version: own(offers.plugins, name) }),
    ),
    ...Object.entries(needs.adapters).flatMap(([id, digest]) =>
      adapterProblem({ id, digest, found: own(offers.adapters, id) }),
    ),
    ...(needs.cassette === undefined || needs.cassette === offers.cassette
      ? []
      : [`it replays the cassette ${needs.cassette.slice(0, DIGEST_SHOWN)}, and a replay begins anew`]),
    ...(needs.workspace === undefined || offers.workspace === undefined || needs.workspace === offers.workspace
      ? []
      : [`it is one of the workspace ${needs.workspace}, and this is ${offers.workspace}`]),
  ];
}

function pluginProblem(of: {
  readonly name: string;
  readonly range: string;
  readonly version: string | null;
}): readonly string[] {
  const { name, range, version } = of;
  if (version === null) return [`the plugin ${name} ${range} is not installed`];
  if (satisfies(version, range, { includePrerelease: true })) return [];
  return [`the plugin ${name} ${range} is needed, and ${version} is installed`];
}

function adapterProblem(of: {
  readonly id: string;
  readonly digest: string;
  readonly found: string | null;
}): readonly string[] {
  const { id, digest, found } = of;
  if (found === digest) return [];
  const wanted = `the adapter ${id} with the digest ${digest.slice(0, DIGEST_SHOWN)}`;
  return [
    found === null
      ? `${wanted} is not there`
      : `${wanted} is needed, and the one that is there has ${found.slice(0, DIGEST_SHOWN)}`,
  ];
}

const own = (record: Readonly<Record<string, string>>, key: string): string | null =>
  Object.hasOwn(record, key) ? (record[key] ?? null) : null;
