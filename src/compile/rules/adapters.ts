import {
  ADAPTER_CONFIG_VARIABLE,
  ADAPTER_VARIABLES,
  TOOL_FILE_VARIABLES,
  TOOL_NAME_VARIABLES,
} from '../../domain/adapter-variables.js';
import type { JsonObject } from '../../domain/json.js';
import { isObject } from '../../lib/json.js';
import { pointerTo } from '../../lib/pointer-to.js';
import { isBundled } from '../builtin/bundled.js';
import type { Linked } from '../link/link-workspace.js';
import type { Art } from '../link/registries.js';
import { objectAt, objectIn, objectsAt, textAt, textMapAt, textsAt } from '../read.js';
import { didYouMean, type Report } from '../report.js';
import { checkRelay } from './adapter-relay.js';
import { HOSTS, reportHosts } from './sandboxes.js';

const PLACEHOLDER = /\{([A-Za-z0-9_.]+)\}/g;

interface Template {
  readonly text: string;
  readonly pointer: string;
}

const list = (spec: JsonObject | null, base: string, key: string): readonly Template[] =>
  textsAt(spec, key).map((text, index) => ({ text, pointer: pointerTo(base, key, index) }));
const map = (holder: JsonObject | null, base: string, key: string): readonly Template[] =>
  Object.entries(textMapAt(holder, key)).map(([name, text]) => ({ text, pointer: pointerTo(base, key, name) }));

const one = (holder: JsonObject | null, base: string, key: string): readonly Template[] => {
  const text = textAt(holder, key);
  return text === null ? [] : [{ text, pointer: pointerTo(base, key) }];
};

/** Every launch template of an adapter. */
function templatesOf(spec: JsonObject | null): readonly Template[] {
  const launch = objectAt(spec, 'launch');
  const modes = objectIn(spec, 'auth', 'modes');
  return [
    ...list(launch, '/spec/launch', 'command'),
    ...objectsAt(launch, 'optional_args').flatMap((group, index) =>
      list(group, pointerTo('/spec/launch/optional_args', index), 'args'),
    ),
    ...map(launch, '/spec/launch', 'env'),
    ...one(launch, '/spec/launch', 'stdin'),
    ...Object.keys(modes ?? {}).flatMap((mode) => {
      const base = pointerTo('/spec/auth/modes', mode);
      return [...map(objectAt(modes, mode), base, 'env'), ...list(objectAt(modes, mode), base, 'args')];
    }),
    ...list(objectAt(spec, 'resume'), '/spec/resume', 'arg'),
    ...one(objectAt(spec, 'gate'), '/spec/gate', 'stdin'),
  ];
}

function checkNames(artifact: Art, template: Template, known: readonly string[], report: Report): void {
  for (const match of template.text.matchAll(PLACEHOLDER)) {
    const name = match[1] ?? '';
    if (known.includes(name) || (known === ADAPTER_VARIABLES && ADAPTER_CONFIG_VARIABLE.test(name))) continue;
    report.add(
      { artifact, pointer: template.pointer },
      {
        code: 'adapter.unknown-variable',
        message: `no template variable is called \`${name}\``,
        help: didYouMean(name, known),
      },
    );
  }
}

function checkTemplates(artifact: Art, spec: JsonObject | null, report: Report): void {
  for (const template of templatesOf(spec)) checkNames(artifact, template, ADAPTER_VARIABLES, report);
  const launch = objectAt(spec, 'launch');
  for (const template of one(launch, '/spec/launch', 'mcp_tool_name'))
    checkNames(artifact, template, TOOL_NAME_VARIABLES, report);
  for (const template of one(launch, '/spec/launch', 'mcp_file'))
    checkNames(artifact, template, TOOL_FILE_VARIABLES, report);
  objectsAt(objectAt(spec, 'launch'), 'optional_args').forEach((group, index) => {
    const name = textAt(group, 'when') ?? '';
    if (ADAPTER_VARIABLES.includes(name) || ADAPTER_CONFIG_VARIABLE.test(name)) return;
    report.add(
      { artifact, pointer: pointerTo('/spec/launch/optional_args', index, 'when') },
      {
        code: 'adapter.unknown-variable',
        message: `no template variable is called \`${name}\``,
        help: didYouMean(name, ADAPTER_VARIABLES),
      },
    );
  });
}

/** `with: {field: {from, map}}` names a table of the adapter. */
function checkMaps(artifact: Art, spec: JsonObject | null, report: Report): void {
  const maps = Object.keys(spec ?? {}).filter((key) => key.endsWith('_map') && key !== 'event_map');
  objectsAt(spec, 'event_map').forEach((rule, ruleIndex) => {
    objectsAt(rule, 'emit').forEach((emit, emitIndex) => {
      for (const [field, value] of Object.entries(objectAt(emit, 'with') ?? {})) {
        const name = isObject(value) ? textAt(value, 'map') : null;
        if (name === null || maps.includes(name)) continue;
        const pointer = pointerTo('/spec/event_map', ruleIndex, 'emit', emitIndex, 'with', field, 'map');
        report.add(
          { artifact, pointer },
          {
            code: 'adapter.unknown-map',
            message: `the adapter has no table \`${name}\``,
            help: didYouMean(name, maps),
          },
        );
      }
    });
  });
}

/**
 * `network: allowlist` and its hosts belong together, and each entry is a host that kit can hold a
 * container to.
 */
function checkNetwork(artifact: Art, spec: JsonObject | null, report: Report): void {
  const sandbox = objectAt(spec, 'sandbox');
  const isList = textAt(sandbox, 'network') === 'allowlist';
  const allow = textsAt(sandbox, 'allow');
  if (isList && textAt(sandbox, 'kind') !== 'container') {
    const message = '`allowlist` needs a container: without one a program has the network of the machine';
    report.add({ artifact, pointer: '/spec/sandbox/network' }, { ...HOSTS, message, help: 'write `kind: container`' });
  } else if (isList && allow.length === 0) {
    const message = '`allowlist` names no host';
    report.add({ artifact, pointer: '/spec/sandbox/network' }, { ...HOSTS, message, help: 'name them in `allow`' });
  } else if (!isList && allow.length > 0) {
    const message = '`allow` names hosts, and the container has no network';
    const help = 'write `network: allowlist`';
    report.add({ artifact, pointer: '/spec/sandbox/allow' }, { ...HOSTS, message, help });
  }
  reportHosts(allow, (index) => ({ artifact, pointer: pointerTo('/spec/sandbox/allow', index) }), report);
}

/** Rules on the adapters of the workspace; bundled ones are judged by the tests of their plugin. */
export function checkAdapters(linked: Linked, report: Report): void {
  for (const artifact of linked.registries.adapters.values()) {
    if (isBundled(artifact)) continue;
    const spec = objectAt(artifact.value, 'spec');
    checkTemplates(artifact, spec, report);
    checkMaps(artifact, spec, report);
    checkNetwork(artifact, spec, report);
    checkRelay(artifact, spec, report);
  }
}
