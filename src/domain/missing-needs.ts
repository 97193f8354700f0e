import satisfies from 'semver/functions/satisfies.js';
import type { JobNeeds, JobOffers } from './job-needs.js';
import { type Reference, readReference } from './reference.js';

const DIGEST_SHOWN = 12;

/**
 * One clause for each thing that is needed and not there; empty = everything is. A range that
 * cannot be read is not met.
 */
export function missingNeeds(needs: JobNeeds, offers: JobOffers): readonly string[] {
  return [
    ...Object.entries(needs.plugins).flatMap(([name, range]) =>
      pluginProblem({ name, range, version: own(offers.plugins, name), since: own(offers.pluginsSince ?? {}, name) }),
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
    ...missingReferences(needs.references ?? {}, offers.references ?? null),
    ...Object.entries(needs.worktrees ?? {}).flatMap(([id, at]) =>
      offers.worktrees === undefined || offers.worktrees.includes(id)
        ? []
        : [`its worktree lies in ${at}, and this process works with another directory of worktrees`],
    ),
  ];
}

function missingReferences(
  needed: NonNullable<JobNeeds['references']>,
  offered: NonNullable<JobOffers['references']> | null,
): readonly string[] {
  if (offered === null) return [];
  return Object.entries(needed).flatMap(([text, user]) => (offered.includes(text) ? [] : [lackOf(text, user)]));
}

/** One that a later kit wrote is not understood, and so not there. */
function lackOf(text: string, user: string): string {
  const reference = readReference(text);
  return reference === null
    ? `${user} needs ${text}, which this kit does not know`
    : `${ABSENT[reference.kind](reference.name)}, and ${user} needs it`;
}

const ABSENT: Readonly<Record<Reference['kind'], (name: string) => string>> = {
  variable: (name) => `the environment variable ${name} is not set`,
  credential: (name) => `nothing is behind the credential ${name}`,
  program: (name) => `the program ${name} is not found`,
  server: (name) => `the workspace has no tool server ${name}`,
};

function pluginProblem(of: {
  readonly name: string;
  readonly range: string;
  readonly version: string | null;
  /** What there is of it now; null = the same. */
  readonly since: string | null;
}): readonly string[] {
  const { name, range, version, since } = of;
  const fits = (one: string | null): boolean => one !== null && satisfies(one, range, { includePrerelease: true });
  if (fits(version)) return [];
  if (fits(since))
    return [`the plugin ${name} ${range} was installed after this process started, which has to be started again`];
  if (version === null) return [`the plugin ${name} ${range} is not installed`];
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
      ? `${wanted} is not there, or nobody approved it here`
      : `${wanted} is needed, and the one that is there has ${found.slice(0, DIGEST_SHOWN)}`,
  ];
}

const own = (record: Readonly<Record<string, string>>, key: string): string | null =>
  Object.hasOwn(record, key) ? (record[key] ?? null) : null;
