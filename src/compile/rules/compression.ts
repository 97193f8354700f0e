import type { ContributionInfo } from '../../domain/extension-points.js';
import { pointerTo } from '../../lib/pointer-to.js';
import type { Linked } from '../link/link-workspace.js';
import type { Art } from '../link/registries.js';
import { missing, type Report } from '../report.js';

/** What a rule knows of a compressor contribution. */
export type CompressorFacts = Pick<ContributionInfo, 'id' | 'name'>;

interface Host {
  /** Null = not known here, so that none is missed. */
  readonly compressors: readonly CompressorFacts[] | null;
}

/**
 * Rules on `context_compression`: a class that is not there would be found out when a result is
 * already in the conversation.
 */
export function checkCompression(linked: Linked, host: Host, report: Report): void {
  const { config } = linked.registries;
  const block = config.value.context_compression;
  if (block === undefined) return;
  checkClass(config, { name: block.backend_class, pointer: '/context_compression', host }, report);
  block.overrides?.forEach(({ backend = block.backend, backend_class: name }, index) => {
    const pointer = pointerTo('/context_compression', 'overrides', index);
    if (backend === 'plugin' && (name ?? block.backend_class) === undefined)
      report.add(
        { artifact: config, pointer },
        { code: 'compression.no-class', message: 'a plugin backend names no `backend_class`' },
      );
    checkClass(config, { name, pointer, host }, report);
  });
}

/** Judged whatever the backend is now: a variable may choose `plugin` for one run. */
function checkClass(
  config: Art,
  of: { readonly name: string | undefined; readonly pointer: string; readonly host: Host },
  report: Report,
): void {
  const { name } = of;
  const known = of.host.compressors;
  if (name === undefined || known === null || known.some((one) => one.id === name || one.name === name)) return;
  report.add(
    { artifact: config, pointer: pointerTo(of.pointer, 'backend_class') },
    {
      code: 'compression.unknown-class',
      message: `no installed plugin contributes the compressor \`${name}\``,
      ...missing(
        'compressors',
        name,
        known.map((one) => one.name),
      ),
    },
  );
}
