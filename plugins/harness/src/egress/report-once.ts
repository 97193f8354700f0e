import { type ExecutorContext, type HostAnswer, hostsOnce } from '@kit-run/kit/plugin';

/** Records each host and answer once in a launch; what is more than anybody reads, in one line. */
export const reportOnce = (emit: ExecutorContext['emit']): ((answer: HostAnswer) => Promise<void>) =>
  hostsOnce<HostAnswer>(
    (answer) => emit({ type: 'network', ...answer }),
    (text) => emit({ type: 'message', role: 'warning', text }),
  );
