import type { JsonObject } from '../../domain/json.js';
import { isObject } from '../../lib/json.js';
import { atPointer } from '../../lib/json-pointer.js';
import type { JsonIssue } from '../../lib/json-schema.js';
import { nearest } from '../../lib/nearest.js';
import { pointerTo } from '../../lib/pointer-to.js';
import { codedProviders } from '../link/coded-providers.js';
import type { Linked } from '../link/link-workspace.js';
import type { Art } from '../link/registries.js';
import { agentsOf } from '../link/walk-agents.js';
import { flagAt, objectAt, objectIn, textAt } from '../read.js';
import type { Report } from '../report.js';
import { slipOf } from './misplaced-key.js';
import type { ProviderFacts } from './model-providers.js';

interface Host {
  readonly modelProviders: readonly ProviderFacts[];
  readonly configIssues: (schema: JsonObject, config: JsonObject) => readonly JsonIssue[];
}

/** The `options` of a model block, and the provider that gets them. */
interface Written {
  readonly artifact: Art;
  readonly pointer: string;
  readonly options: JsonObject;
  readonly provider: string;
}

/**
 * Rules on `model.options` for providers that say which keys of their configuration an agent may
 * give as well (`x-agent-option: true` in the schema of their configuration). Other keys are the
 * provider's own affair, but for one that reads like a slip.
 */
export function checkAgentOptions(linked: Linked, host: Host, report: Report): void {
  const seen = new Set<string>();
  for (const written of writtenOptions(linked)) {
    const place = `${written.artifact.path}#${written.pointer}`;
    const schema = schemaOf(linked, host, written.provider);
    if (schema === null || seen.has(place)) continue;
    seen.add(place);
    checkOptions(written, { schema, host }, report);
  }
}

function writtenOptions(linked: Linked): readonly Written[] {
  const { archetypes, skills } = linked.registries;
  const agents = [...linked.topologies.values()].flatMap((topology) =>
    agentsOf(topology.root).flatMap(({ pointer, archetype, model }) => {
      const brought = archetype === null ? undefined : archetypes.get(archetype);
      return [
        ...optionsAt(topology.artifact, `${pointer}/model`, model.provider),
        ...(brought === undefined ? [] : optionsAt(brought, '/defaults/model', model.provider)),
      ];
    }),
  );
  return [
    ...agents,
    ...[...archetypes.values()].flatMap((artifact) => optionsAt(artifact, '/defaults/model', null)),
    ...[...skills.values()].flatMap((artifact) => optionsAt(artifact, '/implementation/model', null)),
  ];
}

function optionsAt(artifact: Art, pointer: string, effective: string | null): readonly Written[] {
  const block = blockAt(artifact.value, pointer);
  const options = objectAt(block, 'options');
  const provider = effective ?? textAt(block, 'provider');
  return options === null || provider === null
    ? []
    : [{ artifact, pointer: pointerTo(pointer, 'options'), options, provider }];
}

function blockAt(value: JsonObject, pointer: string): JsonObject | null {
  const found: unknown = atPointer(value, pointer);
  return isObject(found) ? found : null;
}

function schemaOf(linked: Linked, host: Host, provider: string): JsonObject | null {
  const entry = codedProviders(linked.registries.config.value).find(({ id }) => id === provider);
  const wanted = entry?.class ?? provider;
  return host.modelProviders.find(({ id, name }) => id === wanted || name === wanted)?.configSchema ?? null;
}

function checkOptions(
  { artifact, pointer, options, provider }: Written,
  { schema, host }: { readonly schema: JsonObject; readonly host: Host },
  report: Report,
): void {
  const known = Object.keys(objectAt(schema, 'properties') ?? {}).filter(
    (key) => flagAt(objectIn(schema, 'properties', key), 'x-agent-option') === true,
  );
  for (const key of Object.keys(options)) {
    const close = known.includes(key) ? null : nearest(key, known, { isOrdered: false });
    if (close === null) continue;
    report.add(
      { artifact, pointer: pointerTo(pointer, key) },
      {
        code: 'provider.config-invalid',
        message: `\`${provider}\` has no option \`${key}\``,
        help: `did you mean \`${close}\`?`,
      },
    );
  }
  const given = Object.fromEntries(Object.entries(options).filter(([key]) => known.includes(key)));
  if (Object.keys(given).length === 0) return;
  for (const issue of host.configIssues(schema, given)) {
    const at = atPointer(given, issue.pointer);
    const slip = slipOf(schema, at, issue);
    const found = issue.rule === 'enum' ? `, found ${JSON.stringify(at)}` : '';
    report.add(
      { artifact, pointer: `${pointer}${issue.pointer}${slip === null ? '' : pointerTo('', slip.key)}` },
      {
        code: 'provider.config-invalid',
        message: `the options for \`${provider}\` do not fit: ${issue.message}${found}`,
        ...(slip === null || slip.meant === null ? {} : { help: `did you mean \`${slip.meant}\`?` }),
      },
    );
  }
}
