import {
  Flags,
  installWords,
  KitCommand,
  KitError,
  oneLine,
  onlyHere,
  toWireUpgrade,
  type UpgradePlan,
} from '@kit-run/kit/command';

const levelOf = (level: string | null): string => (level === null ? '' : ` (interface level ${level})`);

function fitText({ name, version, range, fits }: UpgradePlan['plugins'][number]): string {
  const word = fits === null ? 'nobody can tell whether it fits' : fits ? 'fits' : 'DOES NOT FIT';
  return `plugin ${oneLine(name)} ${oneLine(version)}: ${word}${range === null ? '' : ` (plugin API ${oneLine(range)})`}`;
}

/** What an upgrade would be, for people. */
function upgradeText(plan: UpgradePlan): string {
  const { installed, target, move, install, changes, plugins, stranded } = plan;
  const words = installWords(plan, target.version);
  const between = changes.filter(({ isBetween }) => isBetween);
  return [
    `installed  ${oneLine(installed.version)}${levelOf(installed.level)}`,
    `target     ${oneLine(target.version)}${levelOf(target.level)}`,
    `method     ${install.kind}${words === null ? '' : `: ${oneLine(words.join(' '), 1000)}`}`,
    ...(move === 'none' ? ['nothing newer: this is it'] : []),
    ...(between.length === 0 ? [] : ['breaking changes in between:']),
    ...between.map(
      ({ at, summary, migration }) =>
        `  ${'level' in at ? at.level : at.version}  ${oneLine(summary, 500)}\n           what to do: ${oneLine(migration, 500)}`,
    ),
    ...plugins.map(fitText),
    ...stranded.map(({ workspace, problem }) => `stranded: ${oneLine(workspace, 300)}: ${oneLine(problem, 300)}`),
  ].join('\n');
}

export class Upgrade extends KitCommand {
  static override baseFlags = onlyHere;
  static override summary = 'Replace this version of kit with another. No other command looks for a new version.';
  static override description =
    'Shows the installed version and how it was installed, breaking changes, plugins that do not fit, and runs and stores that the other version cannot continue; then asks. --check only looks: exit code 1 when there is a newer version. The new kit is started once; if it fails, the old one is restored.';
  static override examples = [
    '<%= config.bin %> upgrade --check',
    '<%= config.bin %> upgrade --yes',
    '<%= config.bin %> upgrade --to 0.2.0',
  ];
  static override flags = {
    check: Flags.boolean({ description: 'Look and install nothing; exit 1 when there is a newer one.' }),
    yes: Flags.boolean({ char: 'y', description: 'Install without asking.' }),
    to: Flags.string({ description: 'Version to install, older ones too (default: the newest).', helpValue: 'X.Y.Z' }),
    force: Flags.boolean({ description: 'Upgrade even if runs or stores cannot be continued.' }),
    registry: Flags.string({ description: 'Registry to ask (default: that of npm).', helpValue: 'URL' }),
  };

  override async run(): Promise<unknown> {
    const { flags } = await this.parse(Upgrade);
    const ask = { to: flags.to ?? null, registry: flags.registry ?? null };
    const plan = await this.kit.upgrade.plan(ask);
    this.log(upgradeText(plan));
    if (flags.check) {
      if (plan.move === 'upgrade') this.exitWith(1);
      return toWireUpgrade(plan);
    }
    if (plan.move === 'none') return { ...toWireUpgrade(plan), status: 'newest' };
    if (!('command' in plan.install))
      throw new KitError('KIT_UPGRADE_MANUAL', plan.install.how.replace('{target}', plan.target.version));
    if (plan.stranded.length > 0 && !flags.force)
      throw new KitError('KIT_UPGRADE_REFUSED', `${plan.target.version} cannot continue what is listed`, {
        data: { stranded: plan.stranded },
      });
    await this.assertAgreed(plan, flags.yes);
    return this.install(plan, ask);
  }

  private async install(
    plan: UpgradePlan,
    ask: { readonly registry: string | null },
  ): Promise<Readonly<Record<string, unknown>>> {
    const { exitCode, version, isRestored, said } = await this.kit.upgrade.install(plan, ask);
    const shown = { ...toWireUpgrade(plan), version, restored: isRestored };
    if (exitCode === 0) {
      this.log(`now ${version}`);
      return { ...shown, status: 'installed' };
    }
    this.logToStderr(oneLine(said, 2000));
    this.logToStderr(isRestored ? `${version} was put back` : `there is ${version}`);
    this.io.exitCode = exitCode;
    return { ...shown, status: 'failed' };
  }

  /** Yes is the default, but not where something breaks. */
  private async assertAgreed({ changes, move, target }: UpgradePlan, isAgreed: boolean): Promise<void> {
    if (isAgreed) return;
    const refusal = new KitError('KIT_USAGE', 'nothing was installed: there is no terminal to ask on', {
      hint: 'Pass --yes to install without a question, or --check to look alone.',
    });
    const isCareful = move === 'downgrade' || changes.some(({ isBetween }) => isBetween);
    const answer = await this.question(`Install ${target.version}? ${isCareful ? '[y/N]' : '[Y/n]'}`, refusal);
    const isWanted = answer !== null && (isCareful ? /^y(es)?$/i : /^(y(es)?)?$/i).test(answer);
    if (!isWanted) throw new KitError('KIT_USAGE', 'nothing was installed', { hint: 'Answer yes, or pass --yes.' });
  }
}
