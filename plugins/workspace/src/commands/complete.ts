import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { KitCommand, LOCAL_AUTH, onlyHere, whoActs } from '@kit-run/kit/command';

/** What a shell asks for while somebody types. */
const KINDS = ['topologies', 'runs', 'items', 'agents', 'skills'] as const;
type Kind = (typeof KINDS)[number];

/** More is not read from a list. */
const MOST = 50;
/** Shells expand what they are given: a name with anything else in it is not offered. */
const SAFE = /^[A-Za-z0-9@%+=:,./_-]+$/;

/**
 * Names of what there is now, a line each, for the scripts of `kit completion`. It never fails: a
 * shell that completes shows nothing else.
 */
export class Complete extends KitCommand {
  static override baseFlags = onlyHere;
  static override hidden = true;
  static override summary = 'Print the names that a shell offers: topologies, runs, items, agents or skills.';
  static override strict = false;

  override async run(): Promise<unknown> {
    const [kind, ...typed] = this.argv.filter((word) => word !== '--json');
    const names = await this.names(kind, typed).catch((): readonly string[] => []);
    const values = [...new Set(names)].filter((name) => SAFE.test(name));
    for (const name of values) this.log(name);
    return { values };
  }

  private async names(kind: string | undefined, typed: readonly string[]): Promise<readonly string[]> {
    if (!isKind(kind)) return [];
    const workspace = this.workspaceDir(this.placeOf(typed));
    switch (kind) {
      case 'topologies':
        return (await this.kit.info.inventory(workspace)).topologies;
      case 'runs':
        return (await this.kit.observe.status({ workspace, limit: MOST })).map(({ job }) => job.id);
      case 'items': {
        const viewer = { identity: whoActs(this.settings, undefined).identity, auth: LOCAL_AUTH };
        const filter = { kind: null, gate: null, show: 'pending', limit: MOST, afterId: null, viewer } as const;
        const { items } = await this.kit.review.list({ workspace, ...filter });
        return [...items.map(({ jobId }) => jobId), ...items.map(({ id }) => id)];
      }
      case 'agents':
        return this.agents(workspace);
      case 'skills':
        return (await this.kit.skills.list({ workspace })).map(({ id }) => id);
    }
  }

  /** Of the newest run: those of a topology that was never run are not asked about. */
  private async agents(workspace: string): Promise<readonly string[]> {
    const [newest] = await this.kit.observe.status({ workspace, limit: 1 });
    if (newest === undefined) return [];
    const { view } = await this.kit.observe.trace({ workspace, run: newest.job.id });
    return view.order.map((activation) => view.agents[activation]?.agentId ?? '');
  }

  /** The workspace as it was typed so far: `-w DIR`, else a directory that is one. */
  private placeOf(typed: readonly string[]): { readonly flag?: string; readonly arg?: string } {
    const at = typed.findIndex((word) => word === '-w' || word === '--workspace');
    const flag = at < 0 ? typed.find((word) => word.startsWith('--workspace='))?.slice(12) : typed[at + 1];
    if (flag !== undefined) return { flag };
    const arg = typed.find((word) => !word.startsWith('-') && holdsWorkspace(resolve(this.settings.cwd, word)));
    return arg === undefined ? {} : { arg };
  }
}

const isKind = (word: string | undefined): word is Kind => KINDS.some((kind) => kind === word);

function holdsWorkspace(dir: string): boolean {
  try {
    return readdirSync(dir).some((name) => /^workspace\.(ya?ml|json)$/.test(name));
  } catch {
    return false;
  }
}
