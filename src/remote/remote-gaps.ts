import { GAPS } from '../view/schemas/gap.js';
import type { RemoteContext } from './remote-context.js';

/** Gaps, and what is wired and never fired. */
export const readGaps = ({ client }: RemoteContext) => client.readAs(GAPS, client.http.GET('/gaps/all'));
