import { DEFAULTS } from '../../domain/generated/defaults.js';
import type { JsonObject, JsonSchema } from '../../domain/json.js';
import type { LinkedCommand, LinkedSkill } from '../../domain/linked-skill.js';
import { pointerTo } from '../../lib/pointer-to.js';
import { runs } from '../../prompts/tools.js';
import { numberAt, objectAt, objectsAt, textAt, textMapAt, textsAt } from '../read.js';
import { effectsOr, onInDoubt } from './effects.js';
import { skillAudit } from './skill-audit.js';
import { tierOr } from './tiers.js';

/** One command of a pack, with where it stands in the workspace file. */
export interface PackCommand {
  readonly pack: string;
  readonly id: string;
  readonly pointer: string;
  readonly description: string;
  readonly placeholders: readonly string[];
  readonly effects: LinkedSkill['effects'];
  readonly onInDoubt: LinkedSkill['onInDoubt'];
  readonly command: LinkedCommand;
}

/** `{name}` inside an argument; `{credential.x}` has a dot and is refused there by a rule. */
const PLACEHOLDER = /\{([a-zA-Z_][a-zA-Z0-9_-]*)\}/g;
const PARSES = ['text', 'json', 'lines'] as const;

export const placeholdersOf = (argv: readonly string[]): readonly string[] => [
  ...new Set(argv.flatMap((argument) => [...argument.matchAll(PLACEHOLDER)].map((match) => match[1] ?? ''))),
];

function linkCommand(pack: JsonObject, command: JsonObject): LinkedCommand {
  const id = textAt(command, 'id') ?? '';
  const seconds =
    numberAt(objectAt(pack, 'timeout_overrides'), id) ??
    numberAt(pack, 'timeout_seconds') ??
    DEFAULTS.CommandPack.timeout_seconds;
  const permission = textAt(objectAt(pack, 'permission_overrides'), id) ?? textAt(pack, 'permission');
  const parse = textAt(objectAt(command, 'output'), 'parse');
  const requires = versionsOf(pack);
  return {
    id,
    argv: textsAt(command, 'argv'),
    cwd: textAt(pack, 'cwd') ?? '',
    env: textMapAt(pack, 'env'),
    credentialsRef: textAt(pack, 'credentials_ref'),
    timeoutMs: seconds * 1000,
    maxOutputBytes: numberAt(pack, 'max_output_bytes') ?? DEFAULTS.CommandPack.max_output_bytes,
    parse: PARSES.find((word) => word === parse) ?? DEFAULTS['PackCommand.output'].parse,
    permission: tierOr(permission, DEFAULTS.CommandPack.permission),
    ...(requires.length === 0 ? {} : { requires }),
  };
}

/** That a binary is there at all is found out when the workspace is loaded. */
function versionsOf(pack: JsonObject): NonNullable<LinkedCommand['requires']> {
  return objectsAt(pack, 'requires').flatMap((entry) => {
    const version = textAt(entry, 'version');
    return version === null ? [] : [{ binary: textAt(entry, 'binary') ?? '', version }];
  });
}

function packCommand(pack: JsonObject, command: JsonObject, pointer: string): PackCommand {
  const linked = linkCommand(pack, command);
  const effects = effectsOr(textAt(command, 'effects'), DEFAULTS.PackCommand.effects);
  return {
    pack: textAt(pack, 'id') ?? '',
    id: linked.id,
    pointer,
    description: textAt(command, 'description') ?? runs(linked.argv.join(' ')),
    placeholders: placeholdersOf(linked.argv),
    effects,
    onInDoubt: onInDoubt(textAt(command, 'on_in_doubt'), effects),
    command: linked,
  };
}

/**
 * Every command of every pack, in file order. `workspace` is the linked tree: `env` still holds
 * references.
 */
export const packCommands = (workspace: JsonObject): readonly PackCommand[] =>
  objectsAt(workspace, 'command_packs').flatMap((pack, packIndex) =>
    objectsAt(pack, 'commands').map((command, index) =>
      packCommand(pack, command, pointerTo('', 'command_packs', packIndex, 'commands', index)),
    ),
  );

export const syntheticSkillId = (command: PackCommand): string => `${command.pack}-${command.id}`;

/** A skill's inputs are the placeholders of its command: strings, all required, nothing else. */
export const commandInputs = (command: PackCommand): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(command.placeholders.map((name) => [name, { type: 'string' }])),
  required: [...command.placeholders],
  additionalProperties: false,
});

/** The skill `<pack>-<command>` that stands for a command without a skill file. */
export const syntheticSkill = (command: PackCommand): LinkedSkill => ({
  id: syntheticSkillId(command),
  description: command.description,
  category: 'capability',
  inputs: commandInputs(command),
  outputs: null,
  requiredScopes: [],
  effects: command.effects,
  onInDoubt: command.onInDoubt,
  audit: skillAudit('capability', null),
  implementation: { type: 'command', pack: command.pack, command: command.command },
});
