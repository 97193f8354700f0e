import type { Linked } from '../../compile/link/link-workspace.js';
import { adapterRefsOf, workersOf } from '../../compile/link/walk-agents.js';
import type { Diagnostic } from '../../domain/diagnostic.js';
import { installLineOf } from '../../domain/harness-packages.js';
import { type BinaryDeps, isOnPath } from './required-binaries.js';

/** A program by its name alone: no path, no variable of a template. */
const NAME = /^[\w.-]+$/;

/**
 * Warns of coding programs that agents delegate to and that are not on PATH: runs are refused here,
 * and may be executed by a worker that has them. What a container brings is not looked for, and
 * nothing is where there is no PATH. Nothing is executed.
 */
export async function missingPrograms(linked: Linked, deps: BinaryDeps): Promise<readonly Diagnostic[]> {
  if ((deps.environment.PATH ?? '') === '') return [];
  const used = new Set(
    [...linked.topologies.values()].flatMap(({ root }) => [
      ...adapterRefsOf(workersOf(root, (id) => linked.funnels.get(id))),
    ]),
  );
  const wanted = [...used].flatMap((adapter) => {
    const spec = linked.catalogue.adapters.get(adapter)?.value.spec;
    const [program = ''] = spec?.launch.command ?? [];
    const isInside = spec?.sandbox?.kind === 'container';
    return isInside || !NAME.test(program) ? [] : [{ adapter, program }];
  });
  const found = await Promise.all(wanted.map(({ program }) => isOnPath(program, deps)));
  return wanted.filter((_, index) => found[index] === false).flatMap((one) => diagnosticsOf(linked, one));
}

function diagnosticsOf(
  linked: Linked,
  { adapter, program }: { readonly adapter: string; readonly program: string },
): readonly Diagnostic[] {
  const archetypes = [...linked.registries.archetypes.values()].filter(({ value }) => value.executor?.ref === adapter);
  const line = installLineOf(program);
  return archetypes.map(({ path, spanOf }) => ({
    code: 'adapter.missing-program',
    severity: 'warning',
    message: `the adapter \`${adapter}\` starts \`${program}\`, which is not on PATH`,
    path,
    pointer: '/executor/ref',
    span: spanOf('/executor/ref'),
    help: line === null ? `install \`${program}\`, and put it on PATH` : `install it: \`${line}\``,
  }));
}
