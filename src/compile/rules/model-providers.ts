import type { ContributionInfo } from '../../domain/extension-points.js';
import type { JsonObject } from '../../domain/json.js';
import { atPointer } from '../../lib/json-pointer.js';
import type { JsonIssue } from '../../lib/json-schema.js';
import { pointerTo } from '../../lib/pointer-to.js';
import { type CodedProvider, codedConfig, codedProviders } from '../link/coded-providers.js';
import type { Linked } from '../link/link-workspace.js';
import { missing, type Report } from '../report.js';

/** What a rule knows of a model provider contribution. */
export type ProviderFacts = Pick<ContributionInfo, 'id' | 'name' | 'configSchema'>;

interface Host {
  readonly modelProviders: readonly ProviderFacts[];
  readonly configIssues: (schema: JsonObject, config: JsonObject) => readonly JsonIssue[];
}

/** Rules on `model_providers` of workspace.yaml. */
export function checkModelProviders(linked: Linked, host: Host, report: Report): void {
  const entries = codedProviders(linked.registries.config.value);
  entries.forEach((entry, index) => {
    checkId(linked, { entries, index }, report);
    checkClass(linked, { entry, index, host }, report);
  });
}

function checkId(
  linked: Linked,
  of: { readonly entries: readonly CodedProvider[]; readonly index: number },
  report: Report,
): void {
  const { config, providers } = linked.registries;
  const id = of.entries[of.index]?.id ?? '';
  const file = providers.get(id);
  const isFirst = of.entries.findIndex((entry) => entry.id === id) === of.index;
  if (isFirst && file === undefined) return;
  report.add(
    { artifact: config, pointer: pointerTo('/model_providers', of.index, 'provider_id') },
    {
      code: 'provider.duplicate-id',
      message: `two model providers are called \`${id}\``,
      help: file === undefined ? undefined : `the other one is ${file.path}`,
    },
  );
}

function checkClass(
  linked: Linked,
  of: { readonly entry: CodedProvider; readonly index: number; readonly host: Host },
  report: Report,
): void {
  const { entry, index, host } = of;
  const place = { artifact: linked.registries.config, pointer: pointerTo('/model_providers', index) };
  const found = host.modelProviders.find(({ id, name }) => id === entry.class || name === entry.class);
  if (found === undefined) {
    const known = host.modelProviders.flatMap(({ id, name }) => [name, id]);
    report.add(
      { ...place, pointer: pointerTo(place.pointer, 'class') },
      {
        code: 'provider.unknown-class',
        severity: 'warning',
        message: `no installed plugin contributes the model provider \`${entry.class}\``,
        ...missing('modelProviders', entry.class, known),
      },
    );
    return;
  }
  if (found.configSchema === null) return;
  for (const issue of host.configIssues(found.configSchema, codedConfig(found.name, entry.config))) {
    if (isLate(entry.config, issue)) continue;
    const at = pointerTo(place.pointer, 'config');
    const isWritten = issue.pointer !== '' && atPointer(entry.config, issue.pointer) !== undefined;
    const pointer = isWritten ? `${at}${issue.pointer}` : Object.keys(entry.config).length > 0 ? at : place.pointer;
    report.add(
      { ...place, pointer },
      {
        code: 'provider.config-invalid',
        message: `the configuration of \`${entry.id}\` does not fit \`${found.name}\`: ${issue.message}`,
      },
    );
  }
}

/** A value that still holds a reference is judged when it is resolved: at the first call. */
function isLate(config: JsonObject, { pointer }: JsonIssue): boolean {
  const value = pointer === '' ? undefined : atPointer(config, pointer);
  return typeof value === 'string' && /\$\{|\{credential\./.test(value);
}
