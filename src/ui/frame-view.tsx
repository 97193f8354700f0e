import { Box, Static, Text, type TextProps } from 'ink';
import type { ReactNode } from 'react';
import type { AgentLine, Frame, FrameLine } from '../text/live/frame.js';
import type { SaidLine } from '../text/live/live-state.js';
import type { Tone } from '../view/lines/tone.js';
import { manyLines } from '../view/lines/words.js';

/** What never changes while the screen is open. */
export interface Look {
  readonly color: boolean;
  readonly columns: number;
}

/** Lines that stay, then the frame that is drawn over and over. A function of its props alone. */
export function Screen(props: {
  readonly said: readonly Printed[];
  readonly frame: Frame;
  readonly look: Look;
}): ReactNode {
  const { said, frame, look } = props;
  return (
    <>
      <Static items={[...said]}>{(item, index) => <PrintedItem key={index} item={item} look={look} />}</Static>
      <FrameView frame={frame} look={look} />
    </>
  );
}

/** What goes into the scrollback: a line, or the tree of the end. */
export type Printed = SaidLine | Frame;

function PrintedItem({ item, look }: { readonly item: Printed; readonly look: Look }): ReactNode {
  if ('lines' in item) return <FrameView frame={item} look={look} />;
  return (
    <Box width={look.columns}>
      <Text {...styleOf(item.tone, look)}>{manyLines(item.text)}</Text>
    </Box>
  );
}

export function FrameView({ frame, look }: { readonly frame: Frame; readonly look: Look }): ReactNode {
  return (
    <Box flexDirection="column" width={look.columns}>
      {frame.lines.map((line) => (
        <LineView key={line.key} line={line} frame={frame} look={look} />
      ))}
    </Box>
  );
}

function LineView({
  line,
  frame,
  look,
}: {
  readonly line: FrameLine;
  readonly frame: Frame;
  readonly look: Look;
}): ReactNode {
  if (line.kind === 'agent') return <AgentLineView line={line} frame={frame} look={look} />;
  return (
    <Text wrap={line.cut === 'start' ? 'truncate-start' : 'truncate-end'} {...styleOf(line.tone, look)}>
      {line.text}
    </Text>
  );
}

const NARROW_COLUMNS = 60;

/**
 * Names take at most half of the screen, or two thirds of a narrow one; figures keep their columns,
 * and what is between gives way.
 */
function AgentLineView({
  line,
  frame,
  look,
}: {
  readonly line: AgentLine;
  readonly frame: Frame;
  readonly look: Look;
}): ReactNode {
  return (
    <Box columnGap={2} height={1} width={look.columns}>
      <Box
        width={Math.min(frame.nameWidth, Math.ceil(look.columns * (look.columns < NARROW_COLUMNS ? 2 / 3 : 1 / 2)))}
        flexShrink={0}
      >
        <Text wrap="truncate-end">{line.name}</Text>
      </Box>
      <Box flexGrow={1} flexShrink={1} flexBasis={0} minWidth={0}>
        <Text wrap="truncate-end" {...styleOf(line.tone, look)}>
          {line.words}
        </Text>
      </Box>
      {frame.factsWidth === 0 ? null : (
        <Box width={frame.factsWidth} flexShrink={0}>
          <Text {...styleOf('dim', look)}>{line.facts}</Text>
        </Box>
      )}
    </Box>
  );
}

/** The same tones as in lines; none of them without colour. */
const STYLES: Readonly<Record<Tone, Pick<TextProps, 'color' | 'bold' | 'dimColor'>>> = {
  good: { color: 'green' },
  bad: { color: 'red' },
  warn: { color: 'yellow' },
  dim: { dimColor: true },
  strong: { bold: true },
  plain: {},
};

export const styleOf = (tone: Tone, look: Look): Pick<TextProps, 'color' | 'bold' | 'dimColor'> =>
  look.color ? STYLES[tone] : {};
