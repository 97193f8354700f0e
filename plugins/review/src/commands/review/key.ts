import { KitCommand, onlyHere } from '@kit-run/kit/command';

export class ReviewKey extends KitCommand {
  static override baseFlags = onlyHere;
  static override summary = 'Print the public key for your decisions and exports; kit makes the key on first use.';
  static override description =
    'Give it to the people who check your proofs: `kit verify FILE --key KEY`. The private key stays in your config directory, or in KIT_SIGNING_KEY.';

  override async run(): Promise<unknown> {
    await this.parse(ReviewKey);
    const { publicKey, keyId, source } = await this.kit.proofs.key();
    if (!this.jsonEnabled()) {
      this.log(publicKey);
      this.logToStderr(`key ${keyId}, from ${source}`);
    }
    return { public_key: publicKey, key_id: keyId, source };
  }
}
