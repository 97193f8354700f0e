import type { Credential, McpServer, StringMap } from '../../domain/generated/artifacts.js';
import { upToLastBrace } from '../../lib/interpolate-text.js';
import { pointerTo } from '../../lib/pointer-to.js';
import type { Linked } from '../link/link-workspace.js';
import type { Art, Checked } from '../link/registries.js';
import { textAt } from '../read.js';
import { didYouMean, type Place, type Report } from '../report.js';

function checkEntry(config: Art, name: string, { source, config: settings }: Credential, report: Report): void {
  const place: Place = { artifact: config, pointer: pointerTo('', 'credentials', name, 'config') };
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

type Keyed = Pick<McpServer, 'credentials_ref' | 'env' | 'headers'>;

interface Use {
  readonly ref: string;
  readonly place: Place;
}

const refUse = (artifact: Art, ref: string | undefined, pointer: string): readonly Use[] =>
  ref === undefined ? [] : [{ ref, place: { artifact, pointer } }];

const templateUses = (config: Art, texts: StringMap, pointer: string): readonly Use[] =>
  Object.entries(texts).flatMap(([name, text]) =>
    [...upToLastBrace(text).matchAll(TEMPLATE)].flatMap((match) => refUse(config, match[1], pointerTo(pointer, name))),
  );

const textUses = (config: Art, { env = {}, headers = {} }: Keyed, pointer: string): readonly Use[] => [
  ...templateUses(config, env, `${pointer}/env`),
  ...templateUses(config, headers, `${pointer}/headers`),
];

function workspaceUses(config: Checked<'Workspace'>): readonly Use[] {
  const { server, storage, ...lists } = config.value;
  const keyed = (['mcp_servers', 'command_packs', 'events'] as const).flatMap((list) =>
    (lists[list] ?? []).flatMap((entry: Keyed, index) => {
      const pointer = pointerTo('', list, index);
      return [
        ...refUse(config, entry.credentials_ref, `${pointer}/credentials_ref`),
        ...textUses(config, entry, pointer),
      ];
    }),
  );
  const keys = (server?.auth?.config?.keys ?? []).flatMap(({ key_ref }, index) => {
    const ref = /^credentials:(.+)$/.exec(key_ref)?.[1];
    return refUse(config, ref, `/server/auth/config/keys/${index}/key_ref`);
  });
  const stored = (['access_key_ref', 'secret_key_ref'] as const).flatMap((key) =>
    refUse(config, storage?.artifacts?.[key], `/storage/artifacts/${key}`),
  );
  const signal = refUse(config, server?.signal?.credentials_ref, '/server/signal/credentials_ref');
  return [...keyed, ...keys, ...stored, ...signal];
}

/** An entry whose `credentials_ref` is written. */
interface Named {
  readonly ref: string;
  readonly pointer: string;
  /** The templates of its texts. */
  readonly used: readonly Use[];
  /** Nothing but a template carries it: no header is made of it. */
  readonly isCarried: boolean;
}

function namedRefs(config: Checked<'Workspace'>): readonly Named[] {
  return (['mcp_servers', 'command_packs'] as const).flatMap((list) =>
    (config.value[list] ?? []).flatMap((entry: Keyed & Partial<Pick<McpServer, 'transport'>>, index) => {
      const pointer = pointerTo('', list, index);
      const { credentials_ref: ref, transport = 'stdio' } = entry;
      if (ref === undefined) return [];
      return [{ ref, pointer, used: textUses(config, entry, pointer), isCarried: transport === 'stdio' }];
    }),
  );
}

/** A program gets the credential from a template of `env` alone, and no other one beside it. */
function checkNamed(config: Checked<'Workspace'>, report: Report): void {
  for (const { ref, pointer, used, isCarried } of namedRefs(config)) {
    for (const other of used.filter((use) => use.ref !== ref)) {
      report.add(other.place, {
        code: 'credentials.other-ref',
        severity: 'warning',
        message: `\`credentials_ref\` names \`${ref}\`, so \`{credential.${other.ref}}\` is refused here`,
        help: `write \`{credential.${ref}}\`, or leave \`credentials_ref\` out: templates may then name any entry`,
      });
    }
    if (!isCarried || used.length > 0) continue;
    report.add(
      { artifact: config, pointer: `${pointer}/credentials_ref` },
      {
        code: 'credentials.unused-ref',
        severity: 'warning',
        message: `no program gets the credential \`${ref}\`: \`env\` does not name it`,
        help: `write \`env: { NAME: "{credential.${ref}}" }\` with the variable that the program reads`,
      },
    );
  }
}

/**
 * Entries are complete, and every reference leads to one. A webhook's reference is a warning,
 * judged with the triggers.
 */
export function checkCredentials(linked: Linked, report: Report): void {
  const { config, skills } = linked.registries;
  const { credentials = {} } = config.value;
  const entries = Object.keys(credentials);
  for (const [name, entry] of Object.entries(credentials)) checkEntry(config, name, entry, report);
  checkNamed(config, report);
  const skillUses = [...skills.values()].flatMap((skill) => {
    const { implementation } = skill.value;
    const ref = implementation.type === 'agent' ? implementation.credentials_ref : undefined;
    return refUse(skill, ref, '/implementation/credentials_ref');
  });
  for (const use of [...workspaceUses(config), ...skillUses]) {
    if (entries.includes(use.ref)) continue;
    report.add(use.place, {
      code: 'credentials.unknown-ref',
      message: `no credentials entry is called \`${use.ref}\``,
      help: didYouMean(use.ref, entries) ?? 'declare it under `credentials` in workspace.yaml',
    });
  }
}
