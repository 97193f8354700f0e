import { Flags, type SkillWork } from '@kit-run/kit/command';
import { idArg, NewPartCommand, partFlags } from '../../new/new-part-command.js';

/** Writes a skill: what an agent may call. */
export class NewSkill extends NewPartCommand {
  static override summary = 'Write a skill: a prompt, a tool of a server, or a run of another topology.';
  static override examples = [
    '<%= config.bin %> new skill summarise',
    '<%= config.bin %> new skill read-file --server files --tool read_text_file',
    '<%= config.bin %> new skill research --topology research',
  ];
  static override args = { id: idArg };
  static override flags = {
    ...partFlags,
    server: Flags.string({
      description: 'Id of the tool server that offers the tool.',
      helpValue: 'ID',
      dependsOn: ['tool'],
    }),
    tool: Flags.string({ description: 'Its name on the server.', helpValue: 'NAME', dependsOn: ['server'] }),
    topology: Flags.string({
      description: 'Topology that a call runs.',
      helpValue: 'NAME',
      exclusive: ['server', 'tool'],
    }),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(NewSkill);
    return this.make(flags, { part: 'skill', id: await this.idOf('skill', args.id), does: workOf(flags) });
  }
}

function workOf(flags: {
  readonly server: string | undefined;
  readonly tool: string | undefined;
  readonly topology: string | undefined;
}): SkillWork {
  if (flags.topology !== undefined) return { by: 'topology', topology: flags.topology };
  if (flags.server !== undefined && flags.tool !== undefined)
    return { by: 'tool', server: flags.server, tool: flags.tool };
  return { by: 'prompt' };
}
