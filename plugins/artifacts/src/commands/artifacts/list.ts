import { resolve } from 'node:path';
import {
  Args,
  Flags,
  isDirectory,
  KitCommand,
  listView,
  toWireArtifact,
  workspaceArg,
  workspaceFlag,
} from '@kit-run/kit/command';
import { artifactsText } from '@kit-run/kit/text/artifacts-text';

export class ArtifactsList extends KitCommand {
  static override summary = 'List the artifacts of runs, newest first.';
  static override description =
    'An artifact is a result that a run keeps for people: a draft under review, a saved output. The ref at the start of a line, with its digest, always names the same version.';
  static override examples = [
    '<%= config.bin %> artifacts list',
    '<%= config.bin %> artifacts list release-7',
    '<%= config.bin %> artifacts list --run-id 4f2a -w ./team --json',
  ];
  static override args = {
    correlation: Args.string({ description: 'Correlation id, as --correlation-id.' }),
    workspace: workspaceArg,
  };
  static override flags = {
    workspace: workspaceFlag,
    'correlation-id': Flags.string({
      description: 'Only artifacts with this correlation id; for a run without one, its run id.',
      helpValue: 'ID',
    }),
    'run-id': Flags.string({ description: 'Only of this run: its id or a unique prefix.', helpValue: 'RUN' }),
    limit: Flags.integer({
      char: 'n',
      default: 100,
      min: 1,
      max: 1000,
      description: 'How many, newest first.',
      helpValue: 'N',
    }),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(ArtifactsList);
    const { correlation: word } = args;
    // A directory alone is the workspace (docs/design/decisions.md#workspace-argument).
    const isPlace = word !== undefined && args.workspace === undefined && isDirectory(resolve(this.settings.cwd, word));
    const correlation = flags['correlation-id'] ?? (isPlace ? null : (word ?? null));
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: isPlace ? word : args.workspace });
    const artifacts = await this.kit.artifacts.list({
      workspace,
      correlation,
      run: flags['run-id'] ?? null,
      limit: flags.limit,
    });
    if (artifacts.length === 0) this.log('there are no artifacts');
    else if (!this.jsonEnabled()) {
      this.log(artifactsText(artifacts, listView(this.settings, undefined)));
    }
    return {
      correlation_id: correlation,
      refs: artifacts.map(({ ref }) => ref),
      artifacts: artifacts.map(toWireArtifact),
    };
  }
}
