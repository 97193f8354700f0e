import { delimiter, isAbsolute, join } from 'node:path';
import type { Linked } from '../../compile/link/link-workspace.js';
import type { Diagnostic } from '../../domain/diagnostic.js';
import type { Files } from '../../domain/ports/system.js';
import { pointerTo } from '../../lib/pointer-to.js';

/** Where binaries are looked for. */
export interface BinaryDeps {
  readonly files: Pick<Files, 'realPath'>;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Whether a program is found by its name, or lies at its absolute path. */
export async function isOnPath(binary: string, deps: BinaryDeps): Promise<boolean> {
  if (isAbsolute(binary)) return (await deps.files.realPath(binary)) !== null;
  const folders = (deps.environment.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const found = await Promise.all(folders.map((folder) => deps.files.realPath(join(folder, binary))));
  return found.some((path) => path !== null);
}

/**
 * A command pack says which binaries it needs; one that is missing refuses the load. Nothing is
 * executed.
 */
export async function missingBinaries(linked: Linked, deps: BinaryDeps): Promise<readonly Diagnostic[]> {
  const { config } = linked.registries;
  const wanted = (config.value.command_packs ?? []).flatMap(({ id: pack, requires = [] }, packIndex) =>
    requires.map(({ binary }, index) => ({
      binary,
      pack,
      pointer: pointerTo('', 'command_packs', packIndex, 'requires', index, 'binary'),
    })),
  );
  const found = await Promise.all(wanted.map(({ binary }) => isOnPath(binary, deps)));
  return wanted
    .filter((_, index) => found[index] === false)
    .map(({ binary, pack, pointer }) => ({
      code: 'command-pack.missing-binary',
      severity: 'error',
      message: `the command pack \`${pack}\` needs \`${binary}\`, which is not on PATH`,
      path: config.path,
      pointer,
      span: config.spanOf(pointer),
      help: 'install it, or remove the pack',
    }));
}
