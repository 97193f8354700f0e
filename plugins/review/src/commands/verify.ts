import { resolve } from 'node:path';
import { Args, Flags, KitCommand, onlyHere } from '@kit-run/kit/command';
import { proofVerdictText } from '@kit-run/kit/text/proof-verdict-text';

export class Verify extends KitCommand {
  static override baseFlags = onlyHere;
  static override summary = 'Check a proof that `kit review export` wrote, offline and without a store.';
  static override description =
    'Without --key the best result is `intact, origin not proven`: anybody who can write a whole store can make a consistent proof. With the public key of the signer, a changed proof, or one of another signer, fails.';
  static override examples = [
    '<%= config.bin %> verify release.proof.json --key "$(cat trusted.pub)"',
    '<%= config.bin %> verify release.proof.json --require-origin --key ops.pub',
  ];
  static override args = { file: Args.string({ required: true, description: 'The proof.' }) };
  static override flags = {
    key: Flags.string({
      multiple: true,
      description: 'Public key of an accepted signer, or a file that holds it; repeatable.',
      helpValue: 'KEY|FILE',
    }),
    'require-origin': Flags.boolean({ description: 'Fail when the origin is not proven.' }),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(Verify);
    const verdict = await this.kit.proofs.verify({
      path: resolve(this.settings.cwd, args.file),
      keys: flags.key ?? [],
    });
    const { text, wire, passed } = proofVerdictText(verdict, { requireOrigin: flags['require-origin'] });
    if (!this.jsonEnabled()) this.log(text);
    if (!passed) this.exitWith(1);
    return wire;
  }
}
