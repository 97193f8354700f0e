import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { App } from '../app/app.js';
import type { RunSummary } from '../app/observe/observe-app.js';
import { KitError } from '../domain/errors.js';
import type { Job } from '../domain/job.js';

/** What the two optional arguments of `kit trace [run] [workspace]` mean. */
export interface Place {
  readonly run: string | undefined;
  readonly workspace: string | undefined;
}

/**
 * A directory alone is the workspace (docs/design/decisions.md#workspace-argument); what looks like
 * the id of a run is one. Throws KIT_USAGE for an empty word, such as a variable that is not set.
 */
export function runAndWorkspace(
  args: { readonly run?: string | undefined; readonly workspace?: string | undefined },
  cwd: string,
): Place {
  const { run, workspace } = args;
  if (run === '')
    throw new KitError('KIT_USAGE', 'the id of the run is empty', { hint: '`kit status` lists the runs.' });
  if (run === undefined || workspace !== undefined || /^[0-9a-f]{3,12}$/.test(run) || !isDirectory(resolve(cwd, run)))
    return { run, workspace };
  return { run: undefined, workspace: run };
}

export const isDirectory = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Newest runs among which the one that is meant is looked for. */
const LOOKED_AT = 50;

/** Whose run is shown where none is named. */
export interface NewestRun {
  readonly workspace: string;
  /** What was typed: a run, a gate, or the beginning of one; undefined = nothing. */
  readonly named: string | undefined;
  /** Tells which run was taken. */
  readonly notice: (text: string) => void;
  /** Prefers the newest run that is so; absent = the newest of all. */
  readonly fits?: (run: RunSummary) => boolean;
}

/** What was named, else the id of the newest run. Throws KIT_JOB_UNKNOWN where nothing ever ran. */
export async function namedOrNewest({ observe }: Pick<App, 'observe'>, ask: NewestRun): Promise<string> {
  const { workspace, named, notice, fits } = ask;
  if (named !== undefined) return named;
  const runs = await observe.status({ workspace, limit: fits === undefined ? 1 : LOOKED_AT });
  const run = (fits === undefined ? undefined : runs.find(fits)) ?? runs[0];
  if (run === undefined)
    throw new KitError('KIT_JOB_UNKNOWN', 'nothing was ever run in this workspace', {
      hint: 'Run something first: kit run <topology> --input TEXT',
    });
  notice(newestText(run.job));
  return run.job.id;
}

/** Says which run was taken where none was named. */
export const newestText = ({ id, topology, status }: Pick<Job, 'id' | 'topology' | 'status'>): string =>
  `run ${id} of ${topology}, ${status}: the newest`;
