import type { ChatMessage } from './chat-words.js';

/**
 * Whose form the body has. `slack` is also what Mattermost, Rocket.Chat and Google Chat take.
 */
export const FORMATS = ['slack', 'discord', 'teams'] as const;
export type Format = (typeof FORMATS)[number];

/** Nothing in the text calls anybody or leads anywhere (`<!channel>`, `<https://…|…>`). */
const inSlack = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Signs of Markdown are signs: no link with another name, no picture. */
const inMarkdown = (text: string): string => text.replaceAll(/[\\`*_~[\]()<>|#]/g, '\\$&');

/** Discord takes 2,000 characters. */
const MAX_DISCORD = 1_900;

/** The body that an incoming webhook of the service takes. */
export function bodyOf({ text, link }: ChatMessage, format: Format): object {
  switch (format) {
    case 'slack':
      return { text: link === null ? inSlack(text) : `${inSlack(text)}\n<${inSlack(link.url)}|${link.label}>` };
    case 'discord':
      return {
        content: `${inMarkdown(text).slice(0, MAX_DISCORD - (link?.url.length ?? 0))}${link === null ? '' : `\n${link.label}: <${link.url}>`}`,
        allowed_mentions: { parse: [] },
      };
    case 'teams':
      return {
        type: 'message',
        attachments: [
          {
            contentType: 'application/vnd.microsoft.card.adaptive',
            content: {
              $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
              type: 'AdaptiveCard',
              version: '1.4',
              body: inMarkdown(text)
                .split('\n')
                .map((line) => ({ type: 'TextBlock', text: line, wrap: true })),
              actions: link === null ? [] : [{ type: 'Action.OpenUrl', title: link.label, url: link.url }],
            },
          },
        ],
      };
  }
}
