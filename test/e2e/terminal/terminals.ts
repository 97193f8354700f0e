import { afterAll, afterEach, beforeAll } from 'vitest';
import { kitInTerminal, type PseudoTerminal, shellInTerminal } from '../../support/components/pseudo-terminal.js';
import { makeWorld, type World } from '../world.js';
import { startTeamServer, type TeamServer, teamWorkspace } from './team.js';

/** A team at work in a workspace of its own, and terminals to look at it. */
export interface Team {
  readonly server: TeamServer;
  readonly dir: string;
  readonly env: NodeJS.ProcessEnv;
  /** `kit run` of the team on a terminal. */
  run(flags?: readonly string[], look?: Look): PseudoTerminal;
  /** A line of `sh` in which `$RUN` is `kit run` of the team. */
  shell(line: string, look?: Look): PseudoTerminal;
}

interface Look {
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * One world for a file; each team has its own server, and every terminal is gone when its test is
 * over.
 */
export function terminalTests(): { readonly world: () => World; team(members: number): Promise<Team> } {
  let world: World;
  let count = 0;
  const opened: { readonly terminals: PseudoTerminal[]; readonly server: TeamServer }[] = [];
  beforeAll(async () => {
    world = await makeWorld();
  });
  afterEach(async () => {
    for (const { terminals, server } of opened.splice(0)) {
      for (const terminal of terminals) await terminal.dispose();
      await server.close();
    }
  });
  afterAll(() => world.dispose());
  return {
    world: () => world,
    team: async (members) => {
      const server = await startTeamServer(members);
      const terminals: PseudoTerminal[] = [];
      opened.push({ terminals, server });
      count += 1;
      const dir = world.files(`team-${count}`, teamWorkspace(members));
      const env = {
        ...world.env,
        MODEL_URL: server.url,
        LOCAL_KEY: 'key-of-the-test',
        KIT_MAX_TOOLS: String(Math.max(10, members)),
      };
      const keep = (terminal: PseudoTerminal): PseudoTerminal => {
        terminals.push(terminal);
        return terminal;
      };
      const argv = ['run', dir, 'team', '--input', 'hi'];
      const options = ({ env: more, ...size }: Look) => ({ ...size, cwd: world.base, env: { ...env, ...more } });
      return {
        server,
        dir,
        env,
        run: (flags = [], look = {}) => keep(kitInTerminal([...argv, ...flags], options(look))),
        shell: (line, look = {}) => keep(shellInTerminal(`RUN="$KIT ${argv.join(' ')}"; ${line}`, options(look))),
      };
    },
  };
}

/** Lines of a terminal without what differs from run to run: times and ids. */
export const withoutTimes = (lines: readonly string[]): readonly string[] =>
  lines.map((line) =>
    line
      .replaceAll(/\b\d+(\.\d)? (ms|s)\b/g, 'TIME')
      .replaceAll(/\b[0-9a-f]{12}\b/g, 'RUN')
      .replaceAll(/ {2,}/g, '  ')
      .trimEnd(),
  );

/** The same without blank rows at the end. */
export const shownOf = (lines: readonly string[]): readonly string[] =>
  lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);

/** Escape sequences of colours and of bold and faint text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is looked for
export const STYLES = /\u001b\[[\d;]*m/;
