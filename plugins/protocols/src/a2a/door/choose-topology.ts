import type { Offered } from '@kit-run/kit/command';
import { badParams } from '../rpc/failure.js';

/**
 * Which topology a message is for: the one of the path, else the one that it names, else the only
 * one. Throws -32602.
 */
export function chooseTopology(
  { topologies }: Pick<Offered, 'topologies'>,
  of: { readonly path: string | null; readonly named: string | null },
): string {
  const names = topologies.map(({ name }) => name);
  const list = names.slice(0, 50).join(', ');
  if (of.path !== null && of.named !== null && of.named !== of.path)
    throw badParams(`this address is that of ${of.path}, and the message names ${of.named}`);
  const asked = of.path ?? of.named;
  if (asked === null) {
    const [only, ...others] = names;
    if (only !== undefined && others.length === 0) return only;
    throw badParams(
      names.length === 0
        ? 'this server has no topology'
        : `message.metadata.skill names none of the topologies; there are ${list}`,
    );
  }
  if (names.includes(asked)) return asked;
  throw badParams(`there is no topology ${asked}; there are ${names.length === 0 ? 'none' : list}`);
}
