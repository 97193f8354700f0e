import {
  Args,
  colorFlag,
  Flags,
  KitCommand,
  KitError,
  listView,
  onlyHere,
  workspaceArg,
  workspaceFlag,
} from '@kit-run/kit/command';
import { adapterDetailsJson } from '@kit-run/kit/text/adapters-json';
import { approvalText } from '@kit-run/kit/text/adapters-text';

export class AdaptersApprove extends KitCommand {
  static override baseFlags = onlyHere;
  static override summary = 'Approve what an adapter of the workspace starts.';
  static override description =
    'Shows what has changed since the last approval, who gave it and when, then asks. The approval is valid for this workspace, this adapter and exactly this spec. It is kept in your config directory; `kit run --trust` records the same one.';
  static override args = {
    adapter: Args.string({ required: true, description: 'Id of the adapter, as `adapters list` shows it.' }),
    workspace: workspaceArg,
  };
  static override flags = {
    workspace: workspaceFlag,
    fingerprint: Flags.string({
      description: 'Approve without being asked, if the adapter still has this fingerprint.',
      helpValue: 'SHA256',
    }),
    color: colorFlag,
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(AdaptersApprove);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: args.workspace });
    const ask = { workspace, id: args.adapter };
    const details = await this.kit.adapters.show(ask);
    this.log(approvalText(details, listView(this.settings, flags.color)));
    if (details.approval !== 'needs-review') {
      this.log(details.approval === 'bundled' ? 'kit brings it: nobody has to approve it' : 'it is approved');
      return adapterDetailsJson(details);
    }
    if (flags.fingerprint === undefined && !(await this.#asks(details))) {
      this.log('not approved');
      this.exitWith(1);
      return adapterDetailsJson(details);
    }
    const approved = await this.kit.adapters.approve({ ...ask, fingerprint: flags.fingerprint ?? details.fingerprint });
    this.log(`approved ${approved.id}`);
    return adapterDetailsJson(approved);
  }

  #asks(details: { readonly id: string; readonly fingerprint: string }): Promise<boolean> {
    return this.confirm(
      `Approve ${details.id}?`,
      new KitError('KIT_USAGE', 'there is no terminal to ask on', {
        hint: `Read what is printed above, then: kit adapters approve ${details.id} --fingerprint ${details.fingerprint}`,
      }),
    );
  }
}
