import type { AdapterSpec } from '../../domain/generated/artifacts.js';
import type { Art } from '../link/registries.js';
import type { Report } from '../report.js';

/** What the schema takes for the sake of adapters that others wrote, and kit would not keep. */
interface Broken {
  readonly pointer: string;
  readonly message: string;
  readonly help: string;
}

function brokenPromises({ grant = {}, interaction, gate, on_unanswerable }: AdapterSpec): readonly Broken[] {
  return [
    ...Object.keys(grant).map((key) => ({
      pointer: `/spec/grant/${key}`,
      message: '`grant` passes permissions as arguments, and kit grants them through the gate only',
      help: 'remove it, and describe the hook of the program in `gate`',
    })),
    ...(interaction?.driver === 'hold-stream'
      ? [
          {
            pointer: '/spec/interaction/driver',
            message: '`hold-stream` keeps the program running while people decide, which kit does not support',
            help: 'write `driver: park-resume`',
          },
        ]
      : []),
    ...((interaction?.max_approval_wait_seconds ?? 0) > 0
      ? [
          {
            pointer: '/spec/interaction/max_approval_wait_seconds',
            message: 'a wait for people has no time limit, so this key has no effect',
            help: 'write 0, or remove the key',
          },
        ]
      : []),
    ...(on_unanswerable === 'relay' && gate === undefined
      ? [
          {
            pointer: '/spec/on_unanswerable',
            message: '`on_unanswerable: relay` needs a `gate`: only a hook that waits can be answered by people',
            help: 'add `gate`, or write `deny` or `abort`',
          },
        ]
      : []),
  ];
}

/** An adapter that promises what kit would not do is refused, before a run relies on it. */
export function checkRelay(artifact: Art, spec: AdapterSpec, report: Report): void {
  for (const { pointer, message, help } of brokenPromises(spec))
    report.add({ artifact, pointer }, { code: 'adapter.no-effect', message, help });
}
