import { resolve } from 'node:path';
import { createSemaphore } from '../../lib/semaphore.js';
import type { ReloadReport } from '../serve/serve-app.js';
import type { CommitDeps } from './commit.js';
import { finishPending } from './commit-files.js';
import { changeArtifact, createArtifact, removeArtifact } from './edit-artifact.js';
import type { EditingApp, EditReport } from './editing-app.js';
import { judge } from './judge.js';
import { listArtifacts, readText, showArtifact } from './read-artifact.js';
import { type ConfigDeps, changeEntry, readConfig, removeEntry } from './workspace-config.js';

export type EditingDeps = CommitDeps & ConfigDeps;

/**
 * What is wrong with files is told with its places, as `kit validate` tells it; what else keeps the
 * server from taking them over has none.
 */
async function reportOf(workspace: string, report: ReloadReport, { compile }: EditingDeps): Promise<EditReport> {
  if (report.valid) return { ...report, written: false, reloaded: true };
  const { errors } = await judge(workspace, compile, compile.files);
  if (errors.length > 0) return { valid: false, errors };
  return {
    valid: false,
    errors: report.errors.map(({ code, message, path }) => ({
      code,
      message,
      path: path ?? '.',
      pointer: '',
      line: null,
    })),
  };
}

/** One writer at a time, which finds no change half made. */
export type Alone = <T>(workspace: string, work: () => Promise<T>) => Promise<T>;

/** Changes and reloads wait for each other, readers for nobody. */
export function createAlone({ compile: { files }, edits }: Pick<CommitDeps, 'compile' | 'edits'>): Alone {
  const semaphore = createSemaphore(1);
  return (workspace, work) =>
    semaphore(async () => {
      const root = await files.realPath(resolve(workspace));
      if (root !== null) await finishPending({ root }, { files, edits });
      return work();
    });
}

/** `alone`: shared with whoever else changes the workspace. */
export function createEditingApp(deps: EditingDeps, alone: Alone = createAlone(deps)): EditingApp {
  return {
    list: (ask) => listArtifacts(ask, deps),
    show: (ask) => showArtifact(ask, deps),
    text: (ask) => readText(ask, deps),
    create: (ask) => alone(ask.workspace, () => createArtifact(ask, deps)),
    change: (ask) => alone(ask.workspace, () => changeArtifact(ask, deps)),
    remove: (ask) => alone(ask.workspace, () => removeArtifact(ask, deps)),
    config: (ask) => readConfig(ask, deps),
    changeEntry: (ask) => alone(ask.workspace, () => changeEntry(ask, deps)),
    removeEntry: (ask) => alone(ask.workspace, () => removeEntry(ask, deps)),
    reload: ({ workspace }) => alone(workspace, async () => reportOf(workspace, await deps.reload(workspace), deps)),
  };
}
