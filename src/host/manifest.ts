import { type ContributionInfo, POINT_IDS, type PointId } from '../domain/extension-points.js';
import type { HttpTier } from '../domain/ports/http.js';

/**
 * One contribution as the manifest declares it; schemas/plugin-manifest.schema.json describes the
 * same.
 */
export interface ContributionManifest extends Pick<ContributionInfo, 'id' | 'name' | 'title'> {
  /** Relative to the package; must lie inside it. */
  readonly module: string;
  readonly configSchema: string | null;
  readonly effects: ContributionInfo['effects'];
  /** Environment variables that `ctx.secrets.env` may read. */
  readonly env: readonly string[];
  /**
   * Keys of the configuration whose value is the name of such a variable (`api_key_env`,
   * `auth.credentials_ref`).
   */
  readonly envFromConfig: readonly string[];
  /** Files that an executor brings along, relative to the package. */
  readonly adapters: readonly string[];
  /** Of `compressors`: what it leaves out is to be had with `context_retrieve`. */
  readonly keepsOriginal: boolean;
  /**
   * Of `httpMounts`: path below which the routes lie; only a plugin that kit brings may leave it
   * out.
   */
  readonly prefix: string;
  /** Of `httpMounts`: use cases that the routes call. */
  readonly uses: readonly string[];
  /** Of `httpMounts`: tier of a route that names none. */
  readonly tier: HttpTier;
}

/** The `kit` key of a package.json. */
export interface PluginManifest {
  readonly api: string;
  readonly contributes: Readonly<Partial<Record<PointId, readonly ContributionManifest[]>>>;
}

export type ManifestCheck =
  | { readonly ok: true; readonly manifest: PluginManifest }
  | { readonly ok: false; readonly message: string };

const EFFECTS: readonly string[] = ['network', 'subprocess', 'filesystem', 'secrets'];
const ID = /^[a-z0-9][a-z0-9-]*(\.[a-z0-9][a-z0-9-]*)+$/;
const NAME = /^[a-z0-9][a-z0-9._-]*$/;
const RELATIVE = /^\.\/(?!.*\.\.(\/|$)).+$/;
const ENV_NAME = /^[A-Z][A-Z0-9_]*$/;
const CONFIG_KEY = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$/;
const MANIFEST_KEYS = ['manifestVersion', 'api', 'contributes'];
const CONTRIBUTION_KEYS = [
  'id',
  'name',
  'title',
  'module',
  'configSchema',
  'effects',
  'env',
  'envFromConfig',
  'adapters',
  'keepsOriginal',
  'prefix',
  'uses',
  'tier',
];
const PREFIX = /^(\/[a-z0-9][a-z0-9-]*)+$/;
const USE = /^[a-z][A-Za-z]*$/;
const TIERS: readonly HttpTier[] = ['public', 'read', 'run', 'admin'];

class Misfit extends Error {}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown, where: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Misfit(`${where} must be an object`);
  return { ...value };
}

function refuseUnknown(fields: Fields, known: readonly string[], where: string): void {
  const unknown = Object.keys(fields).find((key) => !known.includes(key));
  if (unknown !== undefined) throw new Misfit(`${where} has an unknown key "${unknown}"`);
}

function text(value: unknown, pattern: RegExp, where: string): string {
  if (typeof value !== 'string' || !pattern.test(value))
    throw new Misfit(`${where} must be a string that matches ${pattern.source}`);
  return value;
}

function texts(value: unknown, pattern: RegExp, where: string): readonly string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new Misfit(`${where} must be an array`);
  return value.map((item, index) => text(item, pattern, `${where}[${index}]`));
}

function flag(value: unknown, where: string): boolean {
  if (value !== undefined && typeof value !== 'boolean') throw new Misfit(`${where} must be true or false`);
  return value === true;
}

const isEffect = (value: string): value is ContributionInfo['effects'][number] => EFFECTS.includes(value);

function effectsOf(value: unknown, where: string): ContributionInfo['effects'] {
  if (value === undefined) throw new Misfit(`${where} is missing; [] says that there are none`);
  const named = texts(value, /^/, where);
  const unknown = named.find((item) => !isEffect(item));
  if (unknown !== undefined)
    throw new Misfit(`${where} has an unknown effect "${unknown}"; known are ${EFFECTS.join(', ')}`);
  return named.filter(isEffect);
}

/** A route that says nothing is for administrators. */
function tierOf(value: unknown, where: string): HttpTier {
  if (value === undefined) return 'admin';
  const found = TIERS.find((tier) => tier === value);
  if (found === undefined) throw new Misfit(`${where} must be one of ${TIERS.join(', ')}`);
  return found;
}

function contributionOf(value: unknown, where: string): ContributionManifest {
  const fields = fieldsOf(value, where);
  refuseUnknown(fields, CONTRIBUTION_KEYS, where);
  return {
    id: text(fields.id, ID, `${where}.id`),
    name: text(fields.name, NAME, `${where}.name`),
    title: text(fields.title, /./, `${where}.title`),
    module: text(fields.module, RELATIVE, `${where}.module`),
    configSchema:
      fields.configSchema === undefined ? null : text(fields.configSchema, RELATIVE, `${where}.configSchema`),
    effects: effectsOf(fields.effects, `${where}.effects`),
    env: texts(fields.env, ENV_NAME, `${where}.env`),
    envFromConfig: texts(fields.envFromConfig, CONFIG_KEY, `${where}.envFromConfig`),
    adapters: texts(fields.adapters, RELATIVE, `${where}.adapters`),
    keepsOriginal: flag(fields.keepsOriginal, `${where}.keepsOriginal`),
    prefix: fields.prefix === undefined ? '' : text(fields.prefix, PREFIX, `${where}.prefix`),
    uses: texts(fields.uses, USE, `${where}.uses`),
    tier: tierOf(fields.tier, `${where}.tier`),
  };
}

const isPoint = (value: string): value is PointId => POINT_IDS.some((point) => point === value);

function contributesOf(value: unknown): PluginManifest['contributes'] {
  const contributes: Partial<Record<PointId, readonly ContributionManifest[]>> = {};
  for (const [point, list] of Object.entries(fieldsOf(value ?? {}, 'kit.contributes'))) {
    if (!isPoint(point))
      throw new Misfit(
        `kit.contributes names an unknown extension point "${point}"; known are ${POINT_IDS.join(', ')}`,
      );
    if (!Array.isArray(list)) throw new Misfit(`kit.contributes.${point} must be an array`);
    contributes[point] = list.map((item, index) => contributionOf(item, `kit.contributes.${point}[${index}]`));
  }
  return contributes;
}

/**
 * Checks the `kit` key by hand: a start with plugins must not load a JSON Schema validator (60 to
 * 100 ms). A test holds this against schemas/plugin-manifest.schema.json with the same good and bad
 * manifests.
 */
export function checkManifest(kitKey: unknown): ManifestCheck {
  try {
    if (kitKey === undefined) throw new Misfit('package.json has no `kit` key');
    const fields = fieldsOf(kitKey, 'kit');
    refuseUnknown(fields, MANIFEST_KEYS, 'kit');
    if (fields.manifestVersion !== 1) throw new Misfit('kit.manifestVersion must be 1');
    return {
      ok: true,
      manifest: { api: text(fields.api, /\d/, 'kit.api'), contributes: contributesOf(fields.contributes) },
    };
  } catch (error) {
    if (error instanceof Misfit) return { ok: false, message: error.message };
    throw error;
  }
}
