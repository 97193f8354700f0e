import { overHttp } from '@kit-run/kit/command';
import type { FastifyRequest } from 'fastify';

/**
 * How sentences for people are said to whoever asks: routes in place of commands, unless a command
 * line asks (`kit-words: commands`), whose people type commands.
 */
export const wordsFor = (request: Pick<FastifyRequest, 'headers'>): ((text: string) => string) =>
  asksInCommands(request) ? (text) => text : overHttp;

/** Whether a command line asks. */
export const asksInCommands = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  headers['kit-words'] === 'commands';
