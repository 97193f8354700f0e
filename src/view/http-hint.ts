import { ERROR_REGISTRY, type ErrorCode } from '../domain/error-registry.js';

/**
 * Hints of the registry that only a shell could follow, as a client of HTTP follows them. What has
 * no route says who does it, and where.
 */
const BY_CODE: Readonly<Partial<Record<ErrorCode, string>>> = {
  KIT_USAGE: 'GET /openapi.json describes every route and what it takes.',
  KIT_INTERNAL: 'Give whoever operates the server the request id: its log has the cause.',
  KIT_ADAPTER_UNTRUSTED:
    'Whoever operates the server reads the launch command and approves it in the directory of the workspace: `kit run --trust <digest>`.',
  KIT_AUTHOR_UNIDENTIFIED: 'Submit with a key or token of a person of the role registry.',
};

/** Commands and the route that does the same; `$1` is the id that a command names. */
const COMMANDS: readonly (readonly [RegExp, string])[] = [
  [/kit (?:run(?: [\w./-]+)* --resume=|resume )(\S+)/, 'POST /jobs/$1/resume'],
  [/kit (?:run(?: [\w./-]+)* --resume=|resume )(\S+) --anew/, 'POST /jobs/$1/resume?anew=true'],
  [/kit review (?:approve|reject|answer|resolve) (\S+) --as \S+ --\S+(?: --comment .+)?/, 'POST /review/$1/resolve'],
  [/kit review (approve|reject|answer|resolve) (\S+) --as \S+/, 'POST /review/$2/$1'],
  [/kit review approve/, 'POST /review/{id}/approve'],
  [/kit review gate (\S+)/, 'GET /gates/$1'],
  [/kit review show (\S+)/, 'GET /review/$1'],
  [/kit review list(?: --queue)?/, 'GET /review'],
  [/kit retry (\S+)/, 'POST /jobs/$1/retry'],
  [/kit stop (\S+)/, 'POST /jobs/$1/stop'],
  [/kit why (\S+)/, 'GET /jobs/$1/why'],
  [/kit why/, 'GET /jobs/{id}/why'],
  [/kit logs --loose/, 'GET /events/loose'],
  [/kit logs (\S+)/, 'GET /jobs/$1'],
  [/kit (?:debug|trace) (\S+)/, 'GET /observability/runs/$1/trace'],
  // One document holds the diff of each agent.
  [/kit diff (\S+)(?: AGENT)?/, 'GET /jobs/$1/diff'],
  [/kit (?:status|checkpoints)/, 'GET /jobs'],
  [/kit validate(?: --tree)?/, 'GET /validate'],
  [/kit artifacts list(?: --json)?/, 'GET /artifacts'],
  [/kit triggers list/, 'GET /triggers'],
  [/kit queue-stats/, 'GET /queue/stats'],
  [/kit memory quarantine/, 'GET /memory/quarantine'],
  [/kit memory get/, 'GET /memory/item'],
  [/kit memory add/, 'POST /memory'],
  [/kit skill list --available/, 'GET /api/skill-catalogue'],
  [/kit credentials list/, 'GET /api/oauth/credentials'],
  [/kit credentials login(?: \S+)?(?: --owner \S+)?/, 'POST /api/oauth/login'],
  [/kit skill check/, 'GET /api/skills/check'],
  [/kit storage status/, 'GET /storage'],
  [/kit usage/, 'GET /usage'],
  [/kit canary list/, 'GET /canary'],
  [/kit canary promote (\S+) \S+/, 'POST /canary/$1/promote'],
  [/kit canary rollback (\S+)/, 'POST /canary/$1/rollback'],
  [/kit (?:system|plugins inspect)/, 'GET /system'],
];

const OPERATOR_TRUSTS =
  'Whoever operates the server reads the adapter file and approves it in the directory of the workspace: kit run ';

const ID = /^[\w:.<>-]+$/;

/** `kit stop 0123` as `POST /jobs/0123/stop`; null = no route does it. */
export function routeOf(command: string): string | null {
  for (const [pattern, route] of COMMANDS) {
    const found = new RegExp(`^${pattern.source}$`).exec(command);
    if (found === null || !found.slice(1).every((id) => ID.test(id))) continue;
    return found.slice(1).reduce((text, id, at) => text.replace(`$${at + 1}`, () => id), route);
  }
  return null;
}

const QUOTED = /(?:\bRun )?`(kit [^`\n]{1,200})`/g;
/** A command that ends its sentence, as `... go on with: kit run --resume=ID`. */
const BARE =
  /((?:: |\bRun |\bwith |\bbefore |, ))(kit (?:run|resume|retry|stop|review|storage) [^`\n]{1,600}?)((?: with the topology .*| alone)?\.?)$/;

/**
 * A sentence for people as it is said over HTTP: a command of the shell becomes the route that does
 * the same, and who somebody is comes from their key. What no route does stays as it is.
 */
export function overHttp(text: string): string {
  return text
    .replaceAll(QUOTED, (all: string, command: string) => {
      const route = routeOf(command);
      if (route === null) return all;
      return all.startsWith('Run ') ? `Ask ${route}` : route;
    })
    .replace(BARE, (all: string, before: string, command: string, after: string) => {
      const route = routeOf(command);
      return route === null ? all : `${before}${route}${after}`;
    })
    .replaceAll(/ with --as <identity>/g, ' with a key or token of that person')
    .replace(/ (with|into) --comment(?=[. ])/, ' $1 `comment`')
    .replace(/^Read the adapter file, then add (?=--trust )/, OPERATOR_TRUSTS);
}

/** What a client of HTTP should do next. `hint`: of the throw site; absent = that of the code. */
export function httpHint(code: ErrorCode, hint: string | undefined): string {
  const own = ERROR_REGISTRY[code].hint;
  return hint === undefined || hint === own ? (BY_CODE[code] ?? overHttp(own)) : overHttp(hint);
}
