import { pointerTo } from '../../lib/pointer-to.js';
import { packCommands, syntheticSkillId } from '../link/command-packs.js';
import type { Linked } from '../link/link-workspace.js';
import type { Checked } from '../link/registries.js';
import { didYouMean, type Place, type Report } from '../report.js';

type Config = Checked<'Workspace'>;

interface Entries {
  readonly list: readonly { readonly id: string }[] | undefined;
  /** Where the list stands. */
  readonly pointer: string;
}

/** Reports a second entry of one list that carries an id already taken. */
function checkUnique(config: Config, { list = [], pointer }: Entries, code: string, noun: string, report: Report) {
  const seen = new Map<string, Place>();
  for (const [index, { id }] of list.entries()) {
    const place: Place = { artifact: config, pointer: pointerTo(pointer, index, 'id') };
    const first = seen.get(id);
    if (first === undefined) seen.set(id, place);
    else
      report.add(place, {
        code,
        message: `two ${noun}s are called \`${id}\``,
        help: 'rename one of them',
        related: [{ ...first, message: 'first defined here' }],
      });
  }
}

function checkOverrides(config: Config, report: Report): void {
  config.value.command_packs?.forEach((pack, index) => {
    const commands = pack.commands.map(({ id }) => id);
    for (const key of ['permission_overrides', 'timeout_overrides'] as const) {
      for (const id of Object.keys(pack[key] ?? {})) {
        if (commands.includes(id)) continue;
        report.add(
          { artifact: config, pointer: pointerTo('', 'command_packs', index, key, id), onKey: true },
          {
            code: 'command-pack.unknown-command',
            message: `the pack has no command \`${id}\``,
            help: didYouMean(id, commands),
          },
        );
      }
    }
  });
}

function checkSynthetic(linked: Linked, report: Report): void {
  const { config, skills } = linked.registries;
  const taken = new Map<string, Place>();
  for (const command of packCommands(config.value)) {
    const id = syntheticSkillId(command);
    const place: Place = { artifact: config, pointer: pointerTo(command.pointer, 'id') };
    const file = skills.get(id);
    // A skill file that stands for this very command is the author's own wording of it, not a
    // clash.
    const own = file?.value.implementation;
    const isOwn = own?.type === 'command' && own.pack === command.pack && own.command === command.id;
    const first = file !== undefined && !isOwn ? { artifact: file, pointer: '/metadata/id' } : taken.get(id);
    if (first !== undefined) {
      report.add(place, {
        code: 'command-pack.id-collision',
        message: `the command has the id of the skill \`${id}\`, which exists already`,
        help: 'rename the command or the skill',
        related: [{ ...first, message: 'defined here' }],
      });
    }
    taken.set(id, place);
  }
}

/** Rules on servers and command packs of the workspace file. */
export function checkCommandPacks(linked: Linked, report: Report): void {
  const { config } = linked.registries;
  const { mcp_servers: servers, command_packs: packs } = config.value;
  const ofServers = { list: servers, pointer: '/mcp_servers' };
  checkUnique(config, ofServers, 'workspace.duplicate-server', 'MCP server', report);
  checkUnique(config, { list: packs, pointer: '/command_packs' }, 'workspace.duplicate-pack', 'command pack', report);
  packs?.forEach(({ id, commands }, index) => {
    const pointer = pointerTo('', 'command_packs', index);
    const ofCommands = { list: commands, pointer: pointerTo(pointer, 'commands') };
    checkUnique(config, ofCommands, 'command-pack.duplicate-command', 'command', report);
    if (id === 'workspace') {
      report.add(
        { artifact: config, pointer: pointerTo(pointer, 'id') },
        {
          code: 'command-pack.reserved-id',
          message: 'the pack id `workspace` is reserved',
          help: '`pack:workspace` stands for the topologies of the workspace',
        },
      );
    }
  });
  checkOverrides(config, report);
  checkSynthetic(linked, report);
}
