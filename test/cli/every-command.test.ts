import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gated } from '../e2e/review/gated-workspace.js';
import { talk } from '../e2e/workspaces.js';
import { lastOf, makeWorld, type World } from '../e2e/world.js';
import { projectRoot } from '../support/kit-process.js';
import { writePlugin } from '../support/plugin-package.js';
import { triggerFile } from '../support/triggers/trigger-world.js';
import { shown } from './masked-result.js';

/**
 * Every command of every plugin, and every exit code, through the real program in a process of its
 * own; `main` in the process of the test says the same: other tests may take the cheaper way.
 */
interface Line {
  readonly argv: (known: Known) => readonly string[];
  readonly code: number;
  readonly stdin?: string;
  /** What later lines name by this word: the id in the last line of `--json`. */
  readonly keeps?: keyof Known;
}

interface Known {
  parked: string;
  done: string;
}

const line = (text: string, code = 0, more: Pick<Line, 'stdin' | 'keeps'> = {}): Line => ({
  argv: (known) => text.split(' ').map((word) => word.replace(/<(\w+)>/, (_, name: keyof Known) => known[name])),
  code,
  ...more,
});

const TABLE: readonly Line[] = [
  line('--version'),
  line('--help'),
  line('run --help'),
  line('help review'),
  line('no-such-command', 2),
  line('no-such-command --json', 2),
  line('validate sound'),
  line('validate broken', 1),
  line('validate broken --format sarif', 1),
  line('validate nowhere --json', 2),
  line('open sound --no-browser'),
  line('dev sound --port no', 2),
  line('graph -w sound'),
  line('graph nobody -w sound --json', 2),
  line('init fresh --template hello --yes'),
  line('schemas sound'),
  line('schemas nowhere', 2),
  line('completion bash'),
  line('complete topologies -w sound'),
  line('new'),
  line('new topology', 2),
  line('new topology more --agents reader -w sound --dry-run'),
  line('new agent writer -w sound --dry-run --json'),
  line('new skill ask -w sound --dry-run'),
  line('new tool-server files -w sound --dry-run -- npx server'),
  line('new tool-server files -w sound', 2),
  line('new role qa --member ada -w sound --dry-run'),
  line('new funnel sign-off --role qa -w sound', 2),
  line('new funnel second --role qa -w gated --dry-run'),
  line('new trigger nightly --topology talk -w sound --dry-run --json'),
  line('new provider company --base-url https://models.example.org -w sound --dry-run'),
  line('new eval answers --topology talk -w sound --dry-run'),
  line('new eval answers --topology nobody -w sound', 2),
  line('new knowledge books --topology talk -w sound', 2),
  line('credentials list sound --json'),
  line('credentials login nobody -w sound', 2),
  line('credentials logout nobody -w sound', 2),
  line('credentials rotate-key sound --json'),
  line('skill list -w sound --json'),
  line('skill list --available -w sound --json'),
  line('skill search read file -w sound --json'),
  line('skill show read-file -w sound'),
  line('skill show nothing -w sound', 1),
  line('skill add filesystem -w sound --dry-run --json'),
  line('skill add nothing -w sound', 1),
  line('skill add filesystem -w sound', 2),
  line('skill import nowhere -w sound', 1),
  line('skill check -w sound'),
  line('skill remove nothing -w sound', 1),
  line('run sound talk --input hi --json', 0, { keeps: 'done' }),
  line('run sound talk', 0, { stdin: 'from a pipe' }),
  line('run sound talk', 2),
  line('run sound nobody --input hi', 2),
  line('run failing talk --input hi', 1),
  line('run failing talk --input hi --json', 1),
  line('run gated release --input hi --as dana --json', 3, { keeps: 'parked' }),
  line('run gated release --input hi --as dana', 3),
  line('run sound talk --dry-run'),
  line('run sound talk --resume', 2),
  line('stop <done> sound'),
  line('stop', 2),
  line('wait <done> sound'),
  line('wait <parked> gated', 3),
  line('resume <done> sound', 2),
  line('status sound --status completed --since 1h'),
  line('checkpoints gated'),
  line('chat sound talk', 0, { stdin: 'hello\nexit\n' }),
  line('conversations sound'),
  line('retry <done> sound', 2),
  line('debug fork <done> sound --from nothing', 2),
  line('eval smoke sound', 2),
  line('memory add billing currency euro -w kept --json'),
  line('memory add billing currency dollar -w kept --json', 1),
  line('memory list -w kept --json'),
  line('memory get billing nothing -w kept --json', 1),
  line('memory quarantine -w kept'),
  line('memory resolve nothing --accept -w kept', 2),
  line('logs sound --last 2 --format json'),
  line('logs gated --run-id <parked> --type agent'),
  line('status gated'),
  line('trace <parked> gated'),
  line('debug <done> sound'),
  line('report <done> sound --output report.html'),
  line('canary promote talk 1.0.0 sound', 2),
  line('canary rollback talk sound --yes', 2),
  ...['gaps', 'usage', 'queue-stats', 'canary list', 'comprehension'].map((name) => line(`${name} sound --json`)),
  line('ask what? sound --offline --run <done>'),
  line('storage status sound --json'),
  line('system sound --json'),
  line('artifacts list gated --json'),
  line('artifacts get nothing gated', 2),
  line('auth token ci --json'),
  line('auth token', 2),
  line('auth login', 2),
  line('auth status --json'),
  line('auth logout http://127.0.0.1:9 --json'),
  line('adapters list sound --json'),
  line('adapters show claude-code sound'),
  line('adapters approve claude-code sound'),
  line('adapters approve nothing sound', 2),
  line('adapters verify test-runner', 2),
  line('adapters build claude-code sound', 2),
  line('trust list sound --json'),
  line('trust show nothing sound', 2),
  line('trust apply nothing sound', 2),
  line('trust clear nothing sound', 2),
  line('diff <done> -w sound', 2),
  line('apply <done> -w sound', 2),
  line('apply <parked> -w gated', 2),
  line('providers list sound'),
  line('providers show openai -w sound --json'),
  line('triggers list sound'),
  line('triggers fire now sound --json'),
  line('triggers fire nothing sound', 2),
  line('review gated', 2),
  line('review list gated --json'),
  line('review show mpa-<parked>:writer-0-qa gated'),
  line('review gate <parked>:writer gated'),
  line('review simulate release gated --author dana --approve qa-1,ops-1 --json'),
  line('review changes <parked> gated -m no', 2),
  line('config list --json'),
  line('config set colour red', 2),
  line('config unset identity'),
  line('review answer mpa-<parked>:writer-0-qa yes gated', 2),
  line('review approve mpa-<parked>:writer-0-qa gated', 2),
  line('review reject mpa-<parked>:writer-0-qa gated', 2),
  line('review resolve mpa-<parked>:writer-0-qa gated --as qa-1 --approve'),
  line('review resolve mpa-<parked>:writer-0-ops gated --as ops-1 --approve --json'),
  line('review export <parked>:writer gated --output proof.json'),
  line('review key --json'),
  line('verify proof.json'),
  line('why <parked> gated'),
  line('docs gates', 0),
  line('doctor --share 2 --crash', 2),
  line('top sound --once'),
  line('agents list sound --json'),
  line('agents list nowhere', 2),
  line('agents probe http://127.0.0.1:9/card -w sound --json', 1),
  line('agents probe http://169.254.169.254/card -w sound', 2),
  line('agents probe http://127.0.0.1:9/card', 1),
  line('agents probe http://127.0.0.1:9/card -w nowhere', 2),
  line('agents probe', 2),
  line('agents card -w sound'),
  line('agents card talk -w sound --a2a-version 0.3 --json'),
  line('agents card nobody -w sound', 2),
  line('mcp serve sound', 0, { stdin: '' }),
  line('mcp serve nowhere', 2),
  line('upgrade --check', 2),
  line('upgrade --to nonsense', 2),
  line('worker sound --once', 2),
  line('serve nowhere', 2),
  line('storage migrate sound', 2),
  line('storage prune sound --dry-run --json'),
  line('plugins --json'),
  line('plugins list'),
  line('plugins inspect @kit-run/plugin-run --json'),
  line('plugins inspect nothing', 2),
  line('plugins check nowhere', 2),
  line('plugins install nowhere.tgz --yes', 2),
  line('plugins update nothing --yes', 2),
  line('plugins uninstall nothing', 2),
  line('plugins new commands mine --name @acme/kit-plugin-mine --json'),
  line('plugins link ending --yes'),
  line('ending --code 4', 4),
  line('ending --code 130 --json', 130),
];

const ENDING = `
import { Flags, KitCommand } from '@kit-run/kit/command';
export class Ending extends KitCommand {
  static flags = { code: Flags.integer({ required: true }) };
  async run() {
    this.exitWith((await this.parse(Ending)).flags.code);
    this.log('ended');
    return {};
  }
}
`;

const failing = talk();
const FILES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  sound: { ...talk(), 'triggers/now.yaml': triggerFile('now', 'type: manual\ntargets: [talk]\n') },
  broken: { ...talk(), 'topologies/talk.yaml': 'apiVersion: kit/v1\nkind: Topology\n' },
  failing: {
    ...failing,
    'topologies/talk.yaml': (failing['topologies/talk.yaml'] ?? '').replaceAll(
      'name: m1 }',
      'name: m1, options: { script: [{ fail: { kind: auth } }] } }',
    ),
  },
  gated: gated(),
  kept: { 'workspace.yaml': 'apiVersion: kit/v1\nkind: Workspace\nmetadata: { id: kept, name: Kept }\n' },
};

async function open(): Promise<{ readonly world: World; readonly known: Known }> {
  const world = await makeWorld();
  for (const [name, files] of Object.entries(FILES)) world.files(name, files);
  await writePlugin(world.base, { name: 'ending', commands: { ending: ENDING } });
  return { world, known: { parked: '', done: '' } };
}

let here: Awaited<ReturnType<typeof open>>;
let there: Awaited<ReturnType<typeof open>>;
beforeAll(async () => {
  [here, there] = await Promise.all([open(), open()]);
});
afterAll(() => Promise.all([here.world.dispose(), there.world.dispose()]));

describe('the table', () => {
  const words = TABLE.map(({ argv }) => argv({ parked: '', done: '' }).filter((word) => !word.startsWith('-')));

  it('has a line (in TABLE, above) that calls each command of each plugin', () => {
    const plugins = join(projectRoot, 'plugins');
    const ids = readdirSync(plugins).flatMap((plugin): readonly string[] =>
      Object.keys(JSON.parse(readFileSync(join(plugins, plugin, 'oclif.manifest.json'), 'utf8')).commands),
    );
    /** The longest command that a line begins with is the one that it calls. */
    const called = words.map((line) => {
      const prefixes = line.map((_word, index) => line.slice(0, line.length - index).join(':'));
      return prefixes.find((prefix) => ids.includes(prefix));
    });

    expect(ids.filter((id) => !called.includes(id))).toEqual([]);
    expect(ids.length).toBeGreaterThan(50);
  });

  it('has a line that ends with each exit code', () => {
    expect([...new Set(TABLE.map(({ code }) => code))].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 130]);
  });
});

describe('each command, in a process of its own and in that of the test', () => {
  it.each(TABLE.map((row) => ({ ...row, title: row.argv({ parked: '<parked>', done: '<done>' }).join(' ') })))(
    'kit $title exits $code and says the same',
    async ({ argv, code, stdin, keeps }) => {
      const given = stdin === undefined ? {} : { stdin };
      const [ours, real] = await Promise.all([
        here.world.here(argv(here.known), given),
        there.world.kit(argv(there.known), given),
      ]);
      if (keeps !== undefined) {
        here.known[keeps] = String(lastOf(ours).id);
        there.known[keeps] = String(lastOf(real).id);
      }

      expect(real.code, `${real.stderr}${real.stdout}`).toBe(code);
      expect(shown(ours, here.world)).toEqual(shown(real, there.world));
    },
  );
});
