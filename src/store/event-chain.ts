import { type ChainLink, chainText } from '../domain/event-chain.js';
import type { RunEvent } from '../domain/events.js';
import { quoteJson } from '../lib/canonical-json.js';
import { sha256Hex } from '../lib/sha256.js';

/** Digest of one event and, through `prevHash`, of every earlier event of its run. */
export const chainHash = (event: Omit<RunEvent, 'payload'>, link: ChainLink): string =>
  sha256Hex(chainText(event, link, quoteJson));
