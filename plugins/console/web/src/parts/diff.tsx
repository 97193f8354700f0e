import { createTwoFilesPatch } from 'diff';
import { useMemo, useState } from 'react';
import type { ArtifactText } from '../api/types.js';
import { type ChangedFile, changedFiles } from './changed-files.js';
import { Pre } from './small.js';
import { visible } from './visible.js';
import { count } from './words.js';

/** Files that nobody reads line by line. */
const GENERATED = /(^|\/)(package-lock\.json|yarn\.lock|pnpm-lock\.yaml|.*\.lock|dist\/.*|.*\.min\.(js|css)|.*\.snap)$/;
const MANY_LINES = 400;

/** A unified diff, by file. */
export function Diff({ text }: { readonly text: string }) {
  if (text === '') return <p className="quiet">No file changed.</p>;
  const files = changedFiles(text);
  if (files === null) return <Pre>{text}</Pre>;
  return (
    <div className="diff">
      {files.map((file, place) => (
        <File key={place} file={file} />
      ))}
    </div>
  );
}

function File({ file }: { readonly file: ChangedFile }) {
  const { name, facts } = file;
  const lines = file.hunks.flatMap((hunk) => hunk.lines);
  const [isOpen, setOpen] = useState(!GENERATED.test(name) && facts.length + lines.length <= MANY_LINES);
  const added = lines.filter((line) => line.startsWith('+')).length;
  const removed = lines.filter((line) => line.startsWith('-')).length;
  return (
    <details className="file" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {name} <span className="added">+{count(added)}</span> <span className="removed">-{count(removed)}</span>{' '}
        <span className="quiet">{factsInWords(facts)}</span>
      </summary>
      {isOpen && (
        <Pre>
          {facts.length > 0 && <span className="hunk">{`${facts.join('\n')}\n`}</span>}
          {file.hunks.map((hunk) => (
            <span key={`${hunk.oldStart} ${hunk.newStart}`}>
              <span className="hunk">{`@@ -${hunk.oldStart} +${hunk.newStart} @@\n`}</span>
              {hunk.lines.map((line, place) => (
                <span key={place} className={classOf(line)}>
                  {visible(`${line}\n`)}
                </span>
              ))}
            </span>
          ))}
        </Pre>
      )}
    </details>
  );
}

const BYTES = 'GIT binary patch';

/** In one line what a file is besides its lines; the bytes of a binary file are not for reading. */
function factsInWords(facts: readonly string[]): string {
  const bytesAt = facts.indexOf(BYTES);
  const said = bytesAt < 0 ? facts : [...facts.slice(0, bytesAt), 'binary'];
  return said.slice(0, MOST_FACTS).join(', ');
}

const MOST_FACTS = 6;

const classOf = (line: string): string => (line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : '');

/** What changed between two artifacts, as a diff; null where one of them is not text. */
export function Changes({ before, after }: { readonly before: ArtifactText; readonly after: ArtifactText }) {
  if (before.text === null || after.text === null)
    return <p className="quiet">The bytes changed; they are not text.</p>;
  if (before.sha256 === after.sha256) return <p className="quiet">The same bytes as you decided about.</p>;
  return <TextChanges before={before.text} after={after.text} />;
}

/** Lines that may differ before both texts are shown instead: finding more takes too long. */
const MAX_EDITS = 4_000;

/** What changed between two texts, as a diff. */
export function TextChanges({ before, after }: { readonly before: string; readonly after: string }) {
  const text = useMemo(() => {
    // Where neither ends its last line, a diff would say so after each of them.
    const end = before.endsWith('\n') || after.endsWith('\n') ? '' : '\n';
    return createTwoFilesPatch('before', 'Changes', `${before}${end}`, `${after}${end}`, '', '', {
      context: 3,
      maxEditLength: MAX_EDITS,
    });
  }, [before, after]);
  if (text !== undefined) return <Diff text={text} />;
  return (
    <>
      <p className="quiet">They differ in most of their lines: before, and now.</p>
      <Pre>{before}</Pre>
      <Pre>{after}</Pre>
    </>
  );
}
