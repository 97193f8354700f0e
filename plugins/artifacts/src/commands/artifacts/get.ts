import { resolve } from 'node:path';
import {
  Args,
  artifactText,
  assertOutput,
  Flags,
  KitCommand,
  KitError,
  toWireArtifact,
  toWireContent,
  workspaceArg,
  workspaceFlag,
  writeOutput,
} from '@kit-run/kit/command';

/**
 * What a terminal would obey instead of showing: control characters but for line breaks and tabs,
 * and marks that reorder text.
 */
const UNPRINTABLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

export class ArtifactsGet extends KitCommand {
  static override summary = 'Print an artifact, byte for byte.';
  static override description =
    'A ref without a digest means its newest version. The bytes are checked against their digest first. A terminal gets plain text only: write anything else to a file with --output.';
  static override examples = [
    '<%= config.bin %> artifacts get release-7/4f2a11c0d9be/output',
    '<%= config.bin %> artifacts get release-7/4f2a11c0d9be/output#0f3c9a51d27b --output release.zip',
  ];
  static override args = {
    ref: Args.string({ required: true, description: 'Ref as `artifacts list` shows it, with or without #digest.' }),
    workspace: workspaceArg,
  };
  static override flags = {
    workspace: workspaceFlag,
    output: Flags.string({ char: 'o', description: 'File to write; - is stdout.', helpValue: 'FILE' }),
    force: Flags.boolean({ description: 'Replace the file.' }),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(ArtifactsGet);
    assertOutput(flags.output, this.jsonEnabled());
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: args.workspace });
    const { record, bytes } = await this.kit.artifacts.get({ workspace, ref: args.ref });
    if (flags.output !== undefined && flags.output !== '-') {
      const file = resolve(this.settings.cwd, flags.output);
      const exists = { code: 'KIT_USAGE', hint: 'Name another file, or replace it with --force.' } as const;
      await writeOutput(file, bytes, { force: flags.force, exists });
      this.log(file);
      return { ...toWireArtifact(record), file };
    }
    if (this.jsonEnabled()) return { ...toWireArtifact(record), ...toWireContent(bytes) };
    const text = artifactText(bytes);
    if (this.settings.stdoutIsTty && flags.output === undefined && (text === null || UNPRINTABLE.test(text))) {
      throw new KitError(
        'KIT_USAGE',
        `${record.ref} is ${record.mediaType} and not plain text: a terminal cannot show it`,
        {
          hint: 'Write it to a file with --output FILE, or pipe it.',
        },
      );
    }
    await new Promise<void>((written) => this.io.stdout.write(bytes, () => written()));
    return undefined;
  }
}
