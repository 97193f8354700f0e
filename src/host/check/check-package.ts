import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../domain/errors.js';
import type { PointId } from '../../domain/extension-points.js';
import type { PluginCheckLine } from '../../domain/ports/plugin-authoring.js';
import { loadJsonSchemas } from '../../lib/json-schema.js';
import { type ContributionManifest, checkManifest, type PluginManifest } from '../manifest.js';
import { droppedOf, type ForeignPjson, type ManifestCommand, readCommandManifest } from '../package-facts.js';
import { fileInside } from '../package-files.js';
import { registerPlugin } from '../registration.js';
import { takeCommands } from '../take-commands.js';
import { failed, passed, warned } from './lines.js';
import { publishedLines } from './published.js';

/** Names that a third party's plugin cannot have. */
export interface TakenNames {
  readonly commands: ReadonlySet<string>;
  readonly packages: ReadonlySet<string>;
  /** `<point>/<id>` and `<point>/<name>`. */
  readonly contributions: ReadonlySet<string>;
}

/** What can be known of a package without running any of it. */
export interface PackageCheck {
  readonly lines: readonly PluginCheckLine[];
  /** Contributions whose files are there; [] when the manifest cannot be used. */
  readonly contributions: readonly { readonly point: PointId; readonly declared: ContributionManifest }[];
  readonly commands: readonly ManifestCommand[];
}

type Declared = PackageCheck['contributions'];

const MEND_MANIFEST = 'Correct the `kit` key of package.json; `kit plugins check --explain executors` shows one.';

function manifestLines(pjson: ForeignPjson): {
  readonly lines: readonly PluginCheckLine[];
  readonly manifest: PluginManifest | null;
} {
  const where = 'package.json';
  const checked = checkManifest(pjson.kit);
  if (!checked.ok)
    return { lines: [failed('manifest', where, { message: checked.message, hint: MEND_MANIFEST })], manifest: null };
  const registration = registerPlugin({ name: pjson.name, kitKey: pjson.kit });
  const lines = [passed('manifest', where)];
  if (registration.ok) return { lines: [...lines, passed('api', checked.manifest.api)], manifest: checked.manifest };
  const { code, message } = registration.problem;
  const isEarly = code === 'KIT_NOT_YET';
  const hint = isEarly
    ? 'Remove that point: a manifest that names it is refused at install.'
    : 'Write the range of the plugin API that the plugin was made for.';
  return {
    lines: [...lines, failed('api', isEarly ? where : checked.manifest.api, { message, hint })],
    manifest: checked.manifest,
  };
}

/** Ids and names twice in one point, or already those of a bundled contribution. */
function idLines(declared: Declared, taken: TakenNames): readonly PluginCheckLine[] {
  const seen = new Set<string>();
  return declared.flatMap(({ point, declared: { id, name } }) =>
    [...new Set([id, name])].flatMap((key) => {
      const full = `${point}/${key}`;
      const isTwice = seen.has(full);
      seen.add(full);
      if (isTwice)
        return [
          failed('ids', full, {
            message: 'the plugin claims it twice',
            hint: 'Give each contribution of a point an id and a name of its own.',
          }),
        ];
      if (taken.contributions.has(full))
        return [
          failed('ids', full, {
            message: 'it belongs to a bundled plugin, which keeps it',
            hint: 'Choose another id and another name.',
          }),
        ];
      return [];
    }),
  );
}

/** What makes the files of a package that has a build. */
const hasBuild = ({ scripts }: ForeignPjson): boolean => Object.hasOwn(scripts ?? {}, 'build');

async function fileLine(root: string, file: string, pjson: ForeignPjson): Promise<PluginCheckLine> {
  try {
    await fileInside(root, file);
    return passed('file', file);
  } catch (error) {
    const hint = hasBuild(pjson)
      ? 'Build it first: npm run build. Or correct the path; it starts with ./ and stays inside.'
      : 'Correct the path; it starts with ./ and stays inside.';
    return failed('file', file, { message: messageOf(error), hint });
  }
}

const UNKNOWN_KEY = 'kit_check_unknown_key';

async function schemaLine(root: string, { point, declared }: Declared[number]): Promise<PluginCheckLine> {
  const where = declared.configSchema ?? declared.id;
  const isGovernance = point === 'governanceProviders';
  if (declared.configSchema === null) {
    if (!isGovernance) return passed('schema', where, { message: 'no configSchema: any configuration is accepted' });
    return failed('schema', where, {
      message: 'a governance provider without a configSchema accepts a misspelt rule in silence',
      hint: 'Write a JSON Schema with additionalProperties: false and name it under configSchema.',
    });
  }
  try {
    const schema: unknown = JSON.parse(await readFile(join(root, declared.configSchema), 'utf8'));
    const schemas = await loadJsonSchemas();
    const [issue] = schemas.checkDocument(schema);
    if (issue !== undefined || typeof schema !== 'object' || schema === null)
      return failed('schema', where, {
        message: issue?.message ?? 'it is not an object',
        hint: 'Write a JSON Schema 2020-12 without outside references.',
      });
    const refusesUnknown = schemas
      .validate(schema, { [UNKNOWN_KEY]: true })
      .some(({ message }) => message.includes(UNKNOWN_KEY));
    if (isGovernance && !refusesUnknown)
      return failed('schema', where, {
        message: 'it accepts unknown keys, so that a misspelt rule is none',
        hint: 'Add additionalProperties: false.',
      });
    if (point === 'credentialSources' && schemas.validate(schema, {}).length > 0)
      return failed('schema', where, {
        message: 'it refuses {}, with which a credential source is created',
        hint: 'Put it into the config of the credential.',
      });
    return passed('schema', where);
  } catch (error) {
    return failed('schema', where, { message: messageOf(error), hint: 'Write a JSON Schema 2020-12 document there.' });
  }
}

async function commandLines(
  root: string,
  pjson: ForeignPjson,
  taken: TakenNames,
): Promise<{ readonly lines: readonly PluginCheckLine[]; readonly commands: readonly ManifestCommand[] }> {
  const read = await readCommandManifest(root, pjson);
  if (!read.ok) {
    const hint = 'Run `kit plugins check <dir> --write-manifest`.';
    return {
      lines: [failed('commands', 'oclif.manifest.json', { message: read.problem.message, hint })],
      commands: [],
    };
  }
  const { dropped } = takeCommands(read.commands, taken.commands);
  const clashes = dropped.map((what) =>
    failed('commands', what, {
      message: 'a bundled plugin has it, so it is not taken',
      hint: 'Give the command another name.',
    }),
  );
  return { lines: clashes, commands: read.commands };
}

const nameLine = (name: string, taken: TakenNames): readonly PluginCheckLine[] =>
  taken.packages.has(name)
    ? [
        failed('package', name, {
          message: 'it is the name of a bundled package',
          hint: 'Choose another name in package.json.',
        }),
      ]
    : [];

/** Reads manifest, files and schemas of a package. Runs nothing of it. */
export async function checkPackage(root: string, pjson: ForeignPjson, taken: TakenNames): Promise<PackageCheck> {
  const { lines, manifest } = manifestLines(pjson);
  // keys were checked
  const points = Object.entries(manifest?.contributes ?? {}) as readonly [PointId, readonly ContributionManifest[]][];
  const declared: Declared = points.flatMap(([point, list]) => list.map((one) => ({ point, declared: one })));
  const named = declared.flatMap(({ declared: { module, configSchema, adapters } }) => [
    module,
    ...(configSchema === null ? [] : [configSchema]),
    ...adapters,
  ]);
  const files = await Promise.all([...new Set(named)].map((file) => fileLine(root, file, pjson)));
  const missing = new Set(files.filter(({ state }) => state === 'failed').map(({ where }) => where));
  const schemas = await Promise.all(
    declared
      .filter(({ declared: { configSchema } }) => configSchema === null || !missing.has(configSchema))
      .map((one) => schemaLine(root, one)),
  );
  const commands = await commandLines(root, pjson, taken);
  const notTaken = droppedOf(pjson).map((what) =>
    warned('not taken', what, {
      message: 'kit never runs it',
      hint: 'Remove it, unless another program than kit needs it.',
    }),
  );
  return {
    lines: [
      ...nameLine(pjson.name, taken),
      ...lines,
      ...idLines(declared, taken),
      ...files,
      ...schemas,
      ...publishedLines(pjson, [...named, ...(pjson.oclif?.commands === undefined ? [] : ['./oclif.manifest.json'])]),
      ...notTaken,
      ...commands.lines,
    ],
    contributions: declared.filter(({ declared: { module } }) => !missing.has(module)),
    commands: commands.commands,
  };
}
