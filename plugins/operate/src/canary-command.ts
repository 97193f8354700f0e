import { Flags, identityFlag, KitCommand, KitError, oneLine, workspaceFlag } from '@kit-run/kit/command';
import { weightsText } from './canary-text.js';

/** Flags of the commands that change traffic. */
export const canaryFlags = {
  workspace: workspaceFlag,
  yes: Flags.boolean({ char: 'y', description: 'Do not ask.' }),
  as: identityFlag('Identity that decides (default: the OS user).'),
};

/** What promoting and rolling back share: one question, which shows the split as it is. */
export abstract class CanaryCommand extends KitCommand {
  /**
   * Asks before all runs of a topology go to one version; `version` null: to the one that is listed
   * first. What the route does not have is left to the use case. Throws KIT_USAGE for a no, and
   * where nobody can be asked.
   */
  protected async requireYes(of: {
    readonly workspace: string;
    readonly topology: string;
    readonly version: string | null;
  }): Promise<void> {
    const { routes } = await this.kit.canary.list({ workspace: of.workspace });
    const route = routes.find(({ topology }) => topology === of.topology);
    const version = of.version ?? route?.versions[0]?.version ?? '';
    if (route?.versions.some((one) => one.version === version) !== true) return;
    const now = weightsText(Object.fromEntries(route.versions.map((one) => [one.version, one.weight])));
    const [topology, whereTo] = [oneLine(of.topology, 80), oneLine(version, 40)];
    const refusal = new KitError(
      'KIT_USAGE',
      `traffic of ${topology} would change, and there is no terminal to ask on`,
      {
        hint: 'Look with `kit canary list`, then add --yes.',
      },
    );
    if (await this.confirm(`Now ${now}. Send all new runs of ${topology} to ${whereTo}?`, refusal)) return;
    throw new KitError('KIT_USAGE', 'nothing was changed', { hint: 'Answer yes, or pass --yes.' });
  }
}
