import { Flags, type FlagsOf, KitError, type PlanRun } from '@kit-run/kit/command';
import { parseLabels, parsePatience, parseTimeout } from './parse-flags.js';

/**
 * What is decided when a run is submitted: a resumed run keeps it, and a flag without an effect is
 * refused.
 */
export const startFlags = {
  input: Flags.string({ char: 'i', description: 'What the run is asked; - reads stdin.', helpValue: 'TEXT' }),
  attach: Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    description: 'Image of the workspace for the first message.',
    helpValue: 'PATH',
  }),
  label: Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    description: 'Label of the run; repeatable.',
    helpValue: 'KEY=VALUE',
  }),
  'correlation-id': Flags.string({
    description: 'Id that several runs of one piece of work share.',
    helpValue: 'ID',
  }),
  supersedes: Flags.string({ description: 'Id of the run that this one replaces.', helpValue: 'RUN' }),
  timeout: Flags.string({ description: 'Longest execution time: seconds, or 90s, 5m, 2h.', helpValue: 'TIME' }),
  patience: Flags.string({
    description: 'How long the run waits for a provider that is down (60s without a terminal, else 15m).',
    helpValue: 'TIME',
  }),
  'dry-run': Flags.boolean({ description: 'Show what would run; call nothing, write nothing.' }),
  record: Flags.string({
    description: 'Keep every answer of models, commands and harnesses in a new file.',
    helpValue: 'FILE',
    exclusive: ['replay', 'dry-run'],
  }),
  replay: Flags.string({
    description: 'Answer everything from a file of --record; call nothing.',
    helpValue: 'FILE',
    exclusive: ['dry-run', 'trust'],
  }),
};

type StartFlags = FlagsOf<{ readonly flags: typeof startFlags }>;

/** What the flags ask of a run. Throws KIT_USAGE, KIT_LABEL_INVALID. */
export function demandsOf(flags: StartFlags, { stderrIsTty }: { readonly stderrIsTty: boolean }) {
  return {
    attachments: (flags.attach ?? []).map((path) => ({ path })),
    correlationId: flags['correlation-id'] ?? null,
    labels: parseLabels(flags.label ?? []),
    supersedes: flags.supersedes ?? null,
    timeoutMs: flags.timeout === undefined ? null : parseTimeout(flags.timeout),
    ...parsePatience(flags.patience, stderrIsTty),
  } satisfies Partial<PlanRun>;
}

export function refuseStartFlags(flags: Readonly<Partial<Record<keyof StartFlags, unknown>>>): void {
  const given = Object.keys(startFlags).filter((name) => {
    const value = flags[name as keyof StartFlags];
    return value !== undefined && value !== false;
  });
  if (given.length === 0) return;
  throw new KitError(
    'KIT_USAGE',
    `--resume goes on with a run as it was submitted: ${given.map((name) => `--${name}`).join(', ')} cannot be changed`,
    {
      hint: 'Leave the flag out, or submit a new run with --supersedes.',
    },
  );
}
