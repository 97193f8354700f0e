import compare from 'semver/functions/compare.js';
import satisfies from 'semver/functions/satisfies.js';
import type { BreakingChange } from '../../domain/breaking-changes.js';
import { BREAKING_CHANGES } from '../../domain/breaking-changes.js';
import { KitError } from '../../domain/errors.js';
import type { ProgramEnd } from '../../domain/ports/programs.js';
import type {
  KitFacts,
  ListedChange,
  PluginFit,
  Stranded,
  UpgradeOutcome,
  UpgradePlan,
} from '../../view/upgrade-report.js';
import { installWords, TARGET } from '../../view/wire-upkeep.js';
import { installKind, type PlaceFacts } from './install-kind.js';
import { type KitPackage, readKitPackage } from './read-facts.js';
import type { UpgradeApp, UpgradeAsk } from './upgrade-app.js';

/** Lies after `from`, and not after `to`; both ways round for a downgrade. */
function isBetween(at: string, from: string | null, to: string | null): boolean {
  if (from === null || to === null) return false;
  const [low, high] = compare(from, to) <= 0 ? [from, to] : [to, from];
  return compare(at, low) > 0 && compare(at, high) <= 0;
}

/** The whole table, each change with whether it lies between here and the target. Pure. */
const listChanges = (
  table: readonly BreakingChange[],
  installed: KitFacts,
  target: KitFacts,
): readonly ListedChange[] =>
  table.map((change) => ({
    ...change,
    isBetween:
      'level' in change.at
        ? isBetween(change.at.level, installed.level, target.level)
        : isBetween(change.at.version, installed.version, target.version),
  }));

/** What of a workspace a later or an earlier kit has to go on with. */
export interface KeptRuns {
  /** The journal of each run that is not over. */
  readonly engines: readonly number[];
  readonly store: number;
}

export interface UpgradeDeps {
  readonly place: Omit<PlaceFacts, 'name'>;
  /** Text of the installed package.json. */
  readonly installed: () => Promise<string>;
  /** A program of PATH, without a shell. */
  readonly run: (argv: readonly [string, ...string[]], cwd: string) => Promise<ProgramEnd>;
  /** The Node that runs this. */
  readonly node: string;
  readonly cwd: string;
  readonly plugins: () => Promise<readonly Omit<PluginFit, 'fits'>[]>;
  /** Workspaces of this user that are still there, with what lies in their stores. */
  readonly kept: () => Promise<readonly { readonly workspace: string; readonly runs: KeptRuns }[]>;
}

const VERSION = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;
const TAIL_CHARS = 2_000;
/** npm waits more than a minute by itself before it says that nobody answers. */
const NO_LONG_WAIT = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-timeout=20000'];

const registryOf = (registry: string | null): readonly string[] => (registry === null ? [] : ['--registry', registry]);

const unknown = (why: string, hint: string): KitError => new KitError('KIT_UPGRADE_UNKNOWN', why, { hint });

async function here(deps: UpgradeDeps): Promise<KitPackage> {
  const found = readKitPackage(JSON.parse(await deps.installed()));
  if (found !== null) return found;
  throw unknown('the package.json of this kit says no version', 'Install kit anew.');
}

/** What the registry has. It is asked through npm, whose settings say where it is and who asks. */
async function there(name: string, { to, registry }: UpgradeAsk, deps: UpgradeDeps): Promise<KitPackage> {
  if (to !== null && !VERSION.test(to))
    throw new KitError('KIT_USAGE', `--to takes a version such as 1.2.3, not "${to.slice(0, 80)}"`);
  const wanted = `${name}@${to ?? 'latest'}`;
  const asked = ['npm', 'view', wanted, '--json', ...NO_LONG_WAIT, ...registryOf(registry)] as const;
  const { code, stdout, stderr } = await deps.run(asked, deps.cwd);
  if (code === null) throw unknown('npm, which asks the registry, is not on PATH', 'Install npm, or upgrade by hand.');
  let value: unknown = null;
  try {
    value = JSON.parse(stdout);
  } catch {}
  const found = code === 0 ? readKitPackage(Array.isArray(value) ? value.at(-1) : value) : null;
  if (found !== null && found.name === name && (to === null || found.facts.version === to)) return found;
  if (found !== null)
    throw unknown(`the registry answers with another package than ${wanted}`, 'Look at the registry.');
  const why = /E404|ETARGET|notarget/.test(stdout + stderr)
    ? `the registry has no ${wanted}`
    : 'the registry cannot be asked';
  throw unknown(why, 'Look at the network and the registry of npm; --to names a version.');
}

/** Null where the target does not say which plugin API it has, or the plugin which it takes. */
const fitOf = (plugin: Omit<PluginFit, 'fits'>, { pluginApi }: KitFacts): PluginFit => ({
  ...plugin,
  fits: plugin.range === null || pluginApi === null ? null : satisfies(pluginApi, plugin.range),
});

function strandedIn(workspace: string, { engines, store }: KeptRuns, target: KitFacts): readonly Stranded[] {
  const lost = target.engines === null ? [] : engines.filter((engine) => target.engines?.includes(engine) !== true);
  return [
    ...(lost.length === 0
      ? []
      : [
          {
            workspace,
            problem: `${lost.length} ${lost.length === 1 ? 'run that is' : 'runs that are'} not over, of a journal that ${target.version} does not go on with`,
          },
        ]),
    ...(target.store === null || store <= target.store
      ? []
      : [{ workspace, problem: `its store has schema ${store}, ${target.version} opens ${target.store} at most` }]),
  ];
}

async function planUpgrade(ask: UpgradeAsk, deps: UpgradeDeps): Promise<UpgradePlan> {
  const installed = await here(deps);
  const target = await there(installed.name, ask, deps);
  const order = compare(target.facts.version, installed.facts.version);
  const [plugins, kept] = await Promise.all([deps.plugins(), order === 0 ? [] : deps.kept()]);
  return {
    name: installed.name,
    installed: installed.facts,
    target: target.facts,
    move: order > 0 ? 'upgrade' : order === 0 || ask.to === null ? 'none' : 'downgrade',
    install: installKind({ ...deps.place, name: installed.name }),
    // The later of the two knows more.
    changes: listChanges(target.breaking ?? BREAKING_CHANGES, installed.facts, target.facts),
    plugins: plugins.map((plugin) => fitOf(plugin, target.facts)),
    stranded: kept.flatMap(({ workspace, runs }) => strandedIn(workspace, runs, target.facts)),
  };
}

async function installUpgrade(
  plan: UpgradePlan,
  { registry }: Pick<UpgradeAsk, 'registry'>,
  deps: UpgradeDeps,
): Promise<UpgradeOutcome> {
  const { install, installed, target } = plan;
  if (!('command' in install))
    throw new KitError('KIT_UPGRADE_MANUAL', install.how.replace(TARGET, target.version), {
      data: { method: install.kind },
    });
  const put = async (version: string): Promise<ProgramEnd> => {
    const [program, ...words] = installWords(plan, version) ?? install.command;
    return deps.run([program, ...words, ...registryOf(registry)], install.cwd);
  };
  const says = async (version: string): Promise<boolean> => {
    const { code, stdout } = await deps.run([deps.node, install.program, '--version'], install.cwd);
    return code === 0 && (stdout.split(/\s/)[0] ?? '').endsWith(`/${version}`);
  };
  const { code, stdout, stderr } = await put(target.version);
  const said = (stdout + stderr).trim().slice(-TAIL_CHARS);
  if (code === 0 && (await says(target.version)))
    return { exitCode: 0, version: target.version, isRestored: false, said };
  // An installer that was stopped on the way may have left half of it.
  if (await says(installed.version))
    return { exitCode: code || 1, version: installed.version, isRestored: false, said };
  const back = await put(installed.version);
  const isRestored = back.code === 0 && (await says(installed.version));
  return { exitCode: code || 1, version: isRestored ? installed.version : 'none', isRestored, said };
}

/** See `UpgradeApp`. */
export const createUpgradeApp = (deps: UpgradeDeps): UpgradeApp => ({
  plan: (ask) => planUpgrade(ask, deps),
  install: (plan, ask) => installUpgrade(plan, ask, deps),
});
