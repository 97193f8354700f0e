import { Args, KitCommand, onlyHere, workspaceArg, workspaceFlag } from '@kit-run/kit/command';

export class AdaptersBuild extends KitCommand {
  static override baseFlags = onlyHere;
  static override summary = 'Build the container image of an adapter.';
  static override description =
    'A run builds the image when it is missing; this command builds it beforehand. It also checks that permissions and skills reach kit from inside the container.';
  static override args = {
    adapter: Args.string({ required: true, description: 'Id of the adapter, as `adapters list` shows it.' }),
    workspace: workspaceArg,
  };
  static override flags = { workspace: workspaceFlag };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(AdaptersBuild);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: args.workspace });
    const { buildImage } = await import('../../sandbox/build-image.js');
    const id = args.adapter;
    const onLine = (line: string): void => void (this.settings.quiet || this.logToStderr(line));
    const built = await this.kit.adapters.build({ workspace, id }, (parts) => buildImage({ ...parts, id, onLine }));
    this.log(`built ${built.image} with ${built.runtime}`);
    if (!built.has_node)
      this.log('It has no Node.js 20 or newer: an agent with `permissions` or skills cannot work in it.');
    return { adapter: id, ...built };
  }
}
