import { pointerTo } from '../../lib/pointer-to.js';
import type { Linked } from '../link/link-workspace.js';
import type { Art } from '../link/registries.js';
import { objectAt, objectIn, objectsAt, textAt } from '../read.js';
import { didYouMean, type Place, type Report } from '../report.js';

function checkEntry(config: Art, name: string, report: Report): void {
  const entry = objectIn(config.value, 'credentials', name);
  const settings = objectAt(entry, 'config');
  const place: Place = { artifact: config, pointer: pointerTo('', 'credentials', name, 'config') };
  const source = textAt(entry, 'source');
  const variable = textAt(settings, 'env');
  const older = textAt(settings, 'var');
  if (source === 'env' && variable === null && older === null) {
    report.add(place, {
      code: 'credentials.bad-config',
      message: `the entry \`${name}\` names no environment variable`,
      help: 'write `config: { env: NAME }`',
    });
  } else if (source === 'env' && variable !== null && older !== null && variable !== older) {
    report.add(place, {
      code: 'credentials.bad-config',
      message: `\`env\` and \`var\` of the entry \`${name}\` differ`,
      help: 'keep `env`',
    });
  } else if (source === 'oauth' && textAt(settings, 'endpoint') === null) {
    report.add(place, {
      code: 'credentials.bad-config',
      message: `the entry \`${name}\` names no server`,
      help: 'write `config: { endpoint: https://... }`, the address of the server that the token is for',
    });
  } else if (source === 'file' && textAt(settings, 'path') === null) {
    report.add(place, {
      code: 'credentials.bad-config',
      message: `the entry \`${name}\` names no file`,
      help: 'write `config: { path: FILE }`',
    });
  }
}

/** `{credential.<ref>}` in a text. */
const TEMPLATE = /\{credential\.([^}]+)\}/g;

interface Use {
  readonly ref: string;
  readonly place: Place;
}

function templateUses(
  artifact: Art,
  holder: ReturnType<typeof objectAt>,
  pointer: string,
  key: string,
): readonly Use[] {
  return Object.entries(objectAt(holder, key) ?? {}).flatMap(([name, text]) =>
    typeof text !== 'string'
      ? []
      : [...text.matchAll(TEMPLATE)].map(
          (match): Use => ({ ref: match[1] ?? '', place: { artifact, pointer: pointerTo(pointer, key, name) } }),
        ),
  );
}

const refUse = (artifact: Art, holder: ReturnType<typeof objectAt>, pointer: string): readonly Use[] => {
  const ref = textAt(holder, 'credentials_ref');
  return ref === null ? [] : [{ ref, place: { artifact, pointer: pointerTo(pointer, 'credentials_ref') } }];
};

function workspaceUses(config: Art): readonly Use[] {
  const keyed = ['mcp_servers', 'command_packs', 'events'].flatMap((list) =>
    objectsAt(config.value, list).flatMap((entry, index) => {
      const pointer = pointerTo('', list, index);
      return [
        ...refUse(config, entry, pointer),
        ...templateUses(config, entry, pointer, 'env'),
        ...templateUses(config, entry, pointer, 'headers'),
      ];
    }),
  );
  const keys = objectsAt(objectIn(config.value, 'server', 'auth', 'config'), 'keys').flatMap(
    (key, index): readonly Use[] => {
      const ref = /^credentials:(.+)$/.exec(textAt(key, 'key_ref') ?? '')?.[1];
      return ref === undefined
        ? []
        : [
            {
              ref,
              place: { artifact: config, pointer: pointerTo('', 'server', 'auth', 'config', 'keys', index, 'key_ref') },
            },
          ];
    },
  );
  const artifacts = objectIn(config.value, 'storage', 'artifacts');
  const stored = ['access_key_ref', 'secret_key_ref'].flatMap((key): readonly Use[] => {
    const ref = textAt(artifacts, key);
    return ref === null ? [] : [{ ref, place: { artifact: config, pointer: pointerTo('/storage/artifacts', key) } }];
  });
  return [
    ...keyed,
    ...keys,
    ...stored,
    ...refUse(config, objectIn(config.value, 'server', 'signal'), '/server/signal'),
  ];
}

/**
 * Entries are complete, and every reference leads to one. A webhook's reference is a warning,
 * judged with the triggers.
 */
export function checkCredentials(linked: Linked, report: Report): void {
  const { config, skills } = linked.registries;
  const entries = Object.keys(objectAt(config.value, 'credentials') ?? {});
  for (const name of entries) checkEntry(config, name, report);
  const skillUses = [...skills.values()].flatMap((skill) =>
    refUse(skill, objectAt(skill.value, 'implementation'), '/implementation'),
  );
  for (const use of [...workspaceUses(config), ...skillUses]) {
    if (entries.includes(use.ref)) continue;
    report.add(use.place, {
      code: 'credentials.unknown-ref',
      message: `no credentials entry is called \`${use.ref}\``,
      help: didYouMean(use.ref, entries) ?? 'declare it under `credentials` in workspace.yaml',
    });
  }
}
