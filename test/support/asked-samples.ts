import type { ReviewRequest } from '../../src/view/asked.js';

/** What is asked of a release run, as somebody who may decide sees it in a list. */
export const askedSample = (over: Partial<ReviewRequest> = {}): ReviewRequest => ({
  runId: '0123456789ab',
  topology: { name: 'release', version: '1.0.0', description: 'Writes the notes and has them signed.' },
  input: { text: 'Release 1.7', chars: 11, isCut: false },
  attachments: [],
  submittedBy: { identity: 'dana', assurance: 'asserted' },
  labels: {},
  correlationId: null,
  source: 'cli',
  submittedAt: '2026-01-02T03:00:00.000Z',
  askedAt: '2026-01-02T03:04:06.000Z',
  ageMs: 600_000,
  spent: { costUsd: 0.02, inputTokens: 1_200, outputTokens: 300 },
  call: null,
  critique: null,
  decisions: [],
  led: null,
  you: { canDecide: true, whyNot: null },
  ...over,
});

/**
 * Colours, a cleared screen, a title, a hidden link, a bell, a carriage return, text that runs
 * backwards, wide and combined characters.
 */
export const HOSTILE =
  '\u001b[31mred\u001b[2J\u001b]0;title\u0007\u001b]8;;http://x\u001b\\link\u0007\r\u202egnp.exe\u2066\u061c漢字漢字🙂👩‍👩‍👧é\u009b1A\u0000\ttab\u2028line';

/** The same with every text hostile. */
export const hostileAsked = (): ReviewRequest =>
  askedSample({
    topology: { name: HOSTILE, version: HOSTILE, description: HOSTILE },
    input: { text: `${HOSTILE}\n${HOSTILE}`, chars: 9_000, isCut: true },
    attachments: [HOSTILE],
    submittedBy: { identity: HOSTILE, assurance: 'anonymous' },
    labels: { [HOSTILE]: HOSTILE },
    correlationId: HOSTILE,
    source: HOSTILE,
    call: { name: HOSTILE, reason: HOSTILE, details: { [HOSTILE]: { [HOSTILE]: HOSTILE } }, approvers: [HOSTILE] },
    led: {
      steps: [
        {
          depth: 50,
          kind: 'call',
          name: HOSTILE,
          status: HOSTILE,
          count: 3,
          modelCalls: 2,
          durationMs: 5,
          costUsd: 0.1,
        },
      ],
      leftOut: 7,
    },
    you: { canDecide: false, whyNot: HOSTILE },
  });
