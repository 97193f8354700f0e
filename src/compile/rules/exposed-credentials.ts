import type { Json } from '../../domain/json.js';
import { upToLastBrace } from '../../lib/interpolate-text.js';
import { matchesPath, type PathPattern, pathPattern } from '../../lib/path-pattern.js';
import { pointerTo } from '../../lib/pointer-to.js';
import type { Linked } from '../link/link-workspace.js';
import type { Art } from '../link/registries.js';
import { textAt } from '../read.js';
import type { Report } from '../report.js';

const TEMPLATE = /\{credential\.[^}]*\}/;

const ANYWHERE: readonly PathPattern[] = [pathPattern('**')];
/**
 * Addresses are logged and shown, paths and arguments stand in process lists; `env` and `headers`
 * are not among them.
 */
const OF_WORKSPACE: readonly PathPattern[] = [
  'mcp_servers.*.endpoint',
  'mcp_servers.*.cwd',
  'command_packs.*.cwd',
  'events.*.url',
  'server.public_url',
  'server.signal.url',
].map(pathPattern);
/** All that becomes an argument or a prompt of a harness. */
const OF_ADAPTER: readonly PathPattern[] = [
  'spec.launch.command.*',
  'spec.launch.optional_args.**',
  'spec.resume.**',
].map(pathPattern);
const OF_PROVIDER: readonly PathPattern[] = [pathPattern('spec.base_url')];

function* textsOf(
  value: Json | undefined,
  path: readonly string[] = [],
): Generator<{ readonly text: string; readonly path: readonly string[] }> {
  if (typeof value === 'string') yield { text: value, path };
  else if (Array.isArray(value))
    for (const [index, item] of value.entries()) yield* textsOf(item, [...path, String(index)]);
  else if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value)) yield* textsOf(member as Json, [...path, name]);
}

function checkTexts(artifact: Art, places: readonly PathPattern[], report: Report): void {
  for (const { text, path } of textsOf(artifact.value)) {
    const [template] = TEMPLATE.exec(upToLastBrace(text)) ?? [];
    if (template === undefined || !places.some((place) => matchesPath(place, path))) continue;
    report.add(
      { artifact, pointer: pointerTo('', ...path) },
      {
        code: 'interpolation.secret-exposed',
        message: `\`${template}\` would show a secret in a prompt, an address or a process list`,
        help: 'pass it through `env`, `headers` or `credentials_ref`',
      },
    );
  }
}

/**
 * `{credential.<ref>}` stands only where its value goes to a process or a server and nowhere else.
 * What agents are told and hold never takes one.
 */
export function checkExposedCredentials({ registries }: Linked, report: Report): void {
  const { config, topologies, archetypes, skills, funnels, contracts, adapters, providers, evalSets } = registries;
  checkTexts(config, OF_WORKSPACE, report);
  for (const artifact of adapters.values()) checkTexts(artifact, OF_ADAPTER, report);
  for (const artifact of providers.values()) checkTexts(artifact, OF_PROVIDER, report);
  for (const kind of [topologies, archetypes, skills, funnels, contracts, evalSets])
    for (const artifact of kind.values()) checkTexts(artifact, ANYWHERE, report);
}

/**
 * What of an address keeps every call from working; null = nothing, or it is not an address yet.
 */
function flawOf(text: string | null): string | null {
  if (text === null || !URL.canParse(text)) return null;
  const { username, password, search, hash } = new URL(text);
  if (username !== '' || password !== '') return 'a user or password';
  if (search !== '') return 'a query';
  return hash === '' ? null : 'a fragment';
}

/**
 * Paths are appended to `base_url`, and no call takes a user and password from there: each run
 * would fail, and its error, log and store would hold what was written as a secret.
 */
export function checkBaseUrls({ registries: { config, providers } }: Linked, report: Report): void {
  const help = 'name the variable with the key in `auth.api_key_env`, and remove it from the address';
  const places = [
    ...[...providers.values()].map((artifact) => ({
      artifact,
      pointer: '/spec/base_url',
      text: artifact.value.spec.base_url ?? null,
    })),
    ...(config.value.model_providers ?? []).map((entry, index) => ({
      artifact: config,
      pointer: pointerTo('/model_providers', index, 'config', 'base_url'),
      text: textAt(entry.config ?? null, 'base_url'),
    })),
  ];
  for (const { artifact, pointer, text } of places) {
    const flaw = flawOf(text);
    if (flaw === null) continue;
    report.add(
      { artifact, pointer },
      { code: 'provider.config-invalid', message: `\`base_url\` holds ${flaw}, with which no call can be made`, help },
    );
  }
}
