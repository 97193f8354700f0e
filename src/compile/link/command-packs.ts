import type { PackCommand as CommandBlock, CommandPack, Workspace } from '../../domain/generated/artifacts.js';
import { DEFAULTS } from '../../domain/generated/defaults.js';
import type { JsonSchema } from '../../domain/json.js';
import type { LinkedCommand, LinkedSkill } from '../../domain/linked-skill.js';
import { own } from '../../lib/own.js';
import { pointerTo } from '../../lib/pointer-to.js';
import { runs } from '../../prompts/tools.js';
import { onInDoubt } from './effects.js';
import { skillAudit } from './skill-audit.js';

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

export const placeholdersOf = (argv: readonly string[]): readonly string[] => [
  ...new Set(argv.flatMap((argument) => [...argument.matchAll(PLACEHOLDER)].map((match) => match[1] ?? ''))),
];

function linkCommand(pack: CommandPack, { id, argv, output }: CommandBlock): LinkedCommand {
  const { permission, timeout_seconds, max_output_bytes } = { ...DEFAULTS.CommandPack, ...pack };
  const requires = (pack.requires ?? []).flatMap(({ binary, version }) =>
    // That a binary is there at all is found out when the workspace is loaded.
    version === undefined ? [] : [{ binary, version }],
  );
  return {
    id,
    argv,
    cwd: pack.cwd ?? '',
    env: pack.env ?? {},
    credentialsRef: pack.credentials_ref ?? null,
    timeoutMs: (own(pack.timeout_overrides ?? {}, id) ?? timeout_seconds) * 1000,
    maxOutputBytes: max_output_bytes,
    parse: output?.parse ?? DEFAULTS['PackCommand.output'].parse,
    permission: own(pack.permission_overrides ?? {}, id) ?? permission,
    ...(requires.length === 0 ? {} : { requires }),
  };
}

function packCommand(pack: CommandPack, command: CommandBlock, pointer: string): PackCommand {
  const { argv, effects = DEFAULTS.PackCommand.effects } = command;
  return {
    pack: pack.id,
    id: command.id,
    pointer,
    description: command.description ?? runs(argv.join(' ')),
    placeholders: placeholdersOf(argv),
    effects,
    onInDoubt: onInDoubt(command.on_in_doubt, effects),
    command: linkCommand(pack, command),
  };
}

/**
 * Every command of every pack, in file order. `workspace` is the linked tree: `env` still holds
 * references.
 */
export const packCommands = ({ command_packs: packs = [] }: Workspace): readonly PackCommand[] =>
  packs.flatMap((pack, packIndex) =>
    pack.commands.map((command, index) =>
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
  audit: skillAudit('capability'),
  implementation: { type: 'command', pack: command.pack, command: command.command },
});
