import {
  Args,
  type ArtifactText,
  colorFlag,
  Flags,
  identityFlag,
  KitCommand,
  LOCAL_AUTH,
  pastePlace,
  showPage,
  toWireAsked,
  toWireGate,
  toWireItem,
  toWireJob,
  webFlag,
  whoActs,
  workspaceArg,
  workspaceFlag,
} from '@kit-run/kit/command';
import { itemText } from '@kit-run/kit/text/item-text';
import { reviewView, whoLine } from '../../review-flags.js';

export class ReviewShow extends KitCommand {
  static override summary = 'Show one review item: what is asked, and its gate.';
  static override examples = ['<%= config.bin %> review show 4f2a', '<%= config.bin %> review show 4f2a --full'];
  static override args = {
    item: Args.string({
      required: true,
      description: 'Id of an item, run or gate, or its beginning. A run or a gate stands for the item of your role.',
    }),
    workspace: workspaceArg,
  };
  static override flags = {
    workspace: workspaceFlag,
    as: identityFlag(
      'Identity whose rights are shown (default: KIT_IDENTITY, `kit config set identity`, the OS user).',
    ),
    full: Flags.boolean({ description: 'Show the input and the artifact in full.' }),
    web: webFlag(['full']),
    color: colorFlag,
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(ReviewShow);
    const who = whoActs(this.settings, flags.as);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: args.workspace });
    const details = await this.kit.review.show({
      workspace,
      item: args.item,
      viewer: { identity: who.identity, auth: LOCAL_AUTH },
      isWhole: flags.full,
      withArtifact: !flags.web,
    });
    if (flags.web)
      return showPage(
        { kit: this.kit, browser: this.browser, out: this },
        { workspace, page: (links) => links.item(details.item.id), opens: true },
      );
    if (!this.jsonEnabled()) {
      this.log(whoLine(who));
      this.log(
        itemText(details, {
          ...reviewView(this.settings, { color: flags.color, named: flags.workspace ?? args.workspace }),
          isWhole: flags.full,
        }),
      );
    }
    const { item, gate, job, asked, artifact } = details;
    const request = asked === null ? {} : toWireAsked(asked);
    return {
      item: { ...toWireItem(item), ...request },
      gate: gate === null ? null : toWireGate(gate, pastePlace(this.settings, flags.workspace ?? args.workspace)),
      artifact: artifact === null ? null : artifactToWire(artifact, flags.full),
      job: toWireJob(job),
    };
  }
}

/** Characters of an artifact in JSON without `--full`. */
const MAX_JSON_CHARS = 20_000;

const artifactToWire = ({ ref, name, sha256, mediaType, sizeBytes, text }: ArtifactText, isWhole: boolean) => ({
  ref,
  name,
  sha256,
  media_type: mediaType,
  size_bytes: sizeBytes,
  text: text === null || isWhole ? text : text.slice(0, MAX_JSON_CHARS).toWellFormed(),
  is_cut: !isWhole && text !== null && text.length > MAX_JSON_CHARS,
});
