import { pointerTo } from '../../lib/pointer-to.js';
import { packCommands, syntheticSkillId } from '../link/command-packs.js';
import type { Linked } from '../link/link-workspace.js';
import type { Art } from '../link/registries.js';
import { objectAt, objectsAt, textAt } from '../read.js';
import { didYouMean, type Place, type Report } from '../report.js';

/** Reports a second entry of one list that carries an id already taken. */
function checkUnique(
  config: Art,
  list: readonly (readonly [string, Place])[],
  code: string,
  noun: string,
  report: Report,
): void {
  const seen = new Map<string, Place>();
  for (const [id, place] of list) {
    const first = seen.get(id);
    if (first === undefined) seen.set(id, place);
    else
      report.add(place, {
        code,
        message: `two ${noun}s are called \`${id}\``,
        help: 'rename one of them',
        related: [{ ...first, artifact: config, message: 'first defined here' }],
      });
  }
}

const idsOf = (config: Art, key: string): readonly (readonly [string, Place])[] =>
  objectsAt(config.value, key).map(
    (entry, index) =>
      [textAt(entry, 'id') ?? '', { artifact: config, pointer: pointerTo('', key, index, 'id') }] as const,
  );

function checkOverrides(config: Art, report: Report): void {
  objectsAt(config.value, 'command_packs').forEach((pack, index) => {
    const commands = objectsAt(pack, 'commands').map((command) => textAt(command, 'id') ?? '');
    for (const key of ['permission_overrides', 'timeout_overrides']) {
      for (const id of Object.keys(objectAt(pack, key) ?? {})) {
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
    const implementation = objectAt(file?.value ?? null, 'implementation');
    const isOwn = textAt(implementation, 'pack') === command.pack && textAt(implementation, 'command') === command.id;
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
  checkUnique(config, idsOf(config, 'mcp_servers'), 'workspace.duplicate-server', 'MCP server', report);
  checkUnique(config, idsOf(config, 'command_packs'), 'workspace.duplicate-pack', 'command pack', report);
  objectsAt(config.value, 'command_packs').forEach((pack, index) => {
    const pointer = pointerTo('', 'command_packs', index);
    const commands = objectsAt(pack, 'commands').map(
      (command, at) =>
        [textAt(command, 'id') ?? '', { artifact: config, pointer: pointerTo(pointer, 'commands', at, 'id') }] as const,
    );
    checkUnique(config, commands, 'command-pack.duplicate-command', 'command', report);
    if (textAt(pack, 'id') === 'workspace') {
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
