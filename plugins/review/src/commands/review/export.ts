import { writeFile } from 'node:fs/promises';
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
    await writeProof(resolve(this.settings.cwd, flags.output), text);
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

/** Throws KIT_USAGE for a file that exists, or a place where none can be written. */
async function writeProof(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text, { flag: 'wx' });
  } catch (cause) {
    const exists = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
    throw new KitError('KIT_USAGE', exists ? `${file} exists` : `${file} cannot be written`, {
      hint: 'Name another file with --output.',
      cause,
    });
  }
}
