import { createGate } from '../../lib/gate.js';
import type { ReloadReport } from '../serve/serve-app.js';
import type { CommitDeps } from './commit.js';
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

/** One writer: changes and reloads wait for each other, readers for nobody. */
export function createEditingApp(deps: EditingDeps): EditingApp {
  const alone = createGate(1);
  return {
    list: (ask) => listArtifacts(ask, deps),
    show: (ask) => showArtifact(ask, deps),
    text: (ask) => readText(ask, deps),
    create: (ask) => alone(() => createArtifact(ask, deps)),
    change: (ask) => alone(() => changeArtifact(ask, deps)),
    remove: (ask) => alone(() => removeArtifact(ask, deps)),
    config: (ask) => readConfig(ask, deps),
    changeEntry: (ask) => alone(() => changeEntry(ask, deps)),
    removeEntry: (ask) => alone(() => removeEntry(ask, deps)),
    reload: ({ workspace }) => alone(async () => reportOf(workspace, await deps.reload(workspace), deps)),
  };
}
