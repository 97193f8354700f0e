import type { ContributionInfo } from '../../domain/extension-points.js';
import type { JsonObject } from '../../domain/json.js';
import { pointerTo } from '../../lib/pointer-to.js';
import type { Linked } from '../link/link-workspace.js';
import type { Art } from '../link/registries.js';
import { objectAt, objectsAt, textAt } from '../read.js';
import { didYouMean, type Report } from '../report.js';

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
  const block = objectAt(config.value, 'context_compression');
  if (block === null) return;
  checkClass(config, { block, pointer: '/context_compression', host }, report);
  objectsAt(block, 'overrides').forEach((override, index) => {
    const pointer = pointerTo('/context_compression', 'overrides', index);
    const backend = textAt(override, 'backend') ?? textAt(block, 'backend');
    if (backend === 'plugin' && textAt(override, 'backend_class') === null && textAt(block, 'backend_class') === null)
      report.add(
        { artifact: config, pointer },
        { code: 'compression.no-class', message: 'a plugin backend names no `backend_class`' },
      );
    checkClass(config, { block: override, pointer, host }, report);
  });
}

/** Judged whatever the backend is now: a variable may choose `plugin` for one run. */
function checkClass(
  config: Art,
  of: { readonly block: JsonObject; readonly pointer: string; readonly host: Host },
  report: Report,
): void {
  const name = textAt(of.block, 'backend_class');
  const known = of.host.compressors;
  if (name === null || known === null || known.some((one) => one.id === name || one.name === name)) return;
  report.add(
    { artifact: config, pointer: pointerTo(of.pointer, 'backend_class') },
    {
      code: 'compression.unknown-class',
      message: `no installed plugin contributes the compressor \`${name}\``,
      help: didYouMean(
        name,
        known.map((one) => one.name),
      ),
    },
  );
}
