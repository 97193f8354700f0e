import { resolve } from 'node:path';
import {
  Args,
  countText,
  Flags,
  KitCommand,
  KitError,
  onlyHere,
  workspaceArg,
  workspaceFlag,
  writeOutput,
} from '@kit-run/kit/command';

export class ReviewExport extends KitCommand {
  static override baseFlags = onlyHere;
  static override summary =
    'Write the proof of a gate: artifact, policy, registry, decisions and the log, in one signed file.';
  static override examples = ['<%= config.bin %> review export 4f2a91c03b7d:release --output release.proof.json'];
  static override args = {
    gate: Args.string({
      required: true,
      description: 'Gate: RUN:AGENT, or the run where it has one gate; ids may be shortened.',
    }),
    workspace: workspaceArg,
  };
  static override flags = {
    workspace: workspaceFlag,
    output: Flags.string({
      char: 'o',
      description: 'File to write; it must not exist. Default: stdout.',
      helpValue: 'FILE',
    }),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(ReviewExport);
    if (this.jsonEnabled() && flags.output === undefined)
      throw new KitError('KIT_USAGE', '--json would wrap the proof, and a proof must keep its bytes', {
        hint: 'Add --output FILE, or leave out --json.',
      });
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: args.workspace });
    const { text, proof } = await this.kit.proofs.export({ workspace, gate: args.gate });
    if (flags.output === undefined) {
      this.io.stdout.write(text);
      return undefined;
    }
    const exists = { code: 'KIT_USAGE', hint: 'Name another file with --output.' } as const;
    await writeOutput(resolve(this.settings.cwd, flags.output), text, { force: false, exists });
    const last = proof.rounds.at(-1);
    this.logToStderr(
      `wrote ${flags.output}: gate ${proof.gateId}, ${last?.status ?? 'pending'}, ${countText(proof.decisions.length, 'decision')}, ${countText(proof.events.length, 'event')}`,
    );
    return {
      gate_id: proof.gateId,
      file: flags.output,
      digest: proof.digest,
      status: last?.status ?? 'pending',
      key_id: proof.signature?.keyId ?? null,
    };
  }
}
