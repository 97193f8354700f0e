import { type JsonObject, type ObserveApp, oneLine } from '@kit-run/kit/command';

/** A run that waits for people of an agent that runs elsewhere: nobody decides it here. */
export interface GateElsewhere {
  readonly run: string;
  readonly topology: string;
  /** How the agent calls itself: a stranger's word. */
  readonly agent: string;
  readonly gateUrl: string;
}

/** Runs that are looked at, the newest first. */
const MAX_RUNS = 100;
/** Runs whose log is read. */
const MAX_READ = 20;

/** Where people of other systems decide what runs of this workspace wait for. */
export async function gatesElsewhere(
  observe: Pick<ObserveApp, 'status' | 'trace'>,
  workspace: string,
): Promise<readonly GateElsewhere[]> {
  const running = await observe.status({ workspace, limit: MAX_RUNS, filter: { status: ['running'] } });
  const waiting = running.filter(({ outage }) => outage !== null).slice(0, MAX_READ);
  const found = waiting.map(async ({ job }) => {
    const { view } = await observe.trace({ workspace, run: job.id });
    return Object.values(view.outages).flatMap(({ remote }): readonly GateElsewhere[] =>
      remote == null || remote.gateUrl === null
        ? []
        : [{ run: job.id, topology: job.topology, agent: remote.agent, gateUrl: remote.gateUrl }],
    );
  });
  return (await Promise.all(found)).flat();
}

export const elsewhereLines = (gates: readonly GateElsewhere[]): readonly string[] =>
  gates.map(
    ({ run, topology, agent, gateUrl }) =>
      `run ${run} of ${oneLine(topology, 40)} waits for people of the agent ${oneLine(agent, 60)} elsewhere: ${oneLine(gateUrl, 400)}`,
  );

export const elsewhereToWire = (gates: readonly GateElsewhere[]): readonly JsonObject[] =>
  gates.map(({ run, topology, agent, gateUrl }) => ({ run, topology, agent, gate_url: gateUrl }));
