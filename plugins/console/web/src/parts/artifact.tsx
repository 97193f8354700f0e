import { lazy, Suspense, useEffect, useState } from 'react';
import { useSession } from '../api/session.js';
import type { ArtifactText } from '../api/types.js';
import { Pre } from './small.js';
import { bytes } from './words.js';

const Markdown = lazy(async () => ({ default: (await import('./markdown.js')).Markdown }));

const MAX_SHOWN_CHARS = 200_000;

/** An artifact by its type. HTML and SVG are shown as source: nothing of it is carried out. */
export function Artifact({ artifact }: { readonly artifact: ArtifactText }) {
  const { text, media_type: type } = artifact;
  return (
    <figure className="artifact">
      <figcaption>
        <strong title={artifact.ref}>{artifact.name}</strong>
        <span className="quiet">
          {type}, {bytes(artifact.size_bytes)}, sha256 {artifact.sha256.slice(0, 12)}
        </span>
      </figcaption>
      {text === null ? <Bytes artifact={artifact} /> : <Text text={text} type={type} />}
    </figure>
  );
}

function Text({ text, type }: { readonly text: string; readonly type: string }) {
  const [isWhole, setWhole] = useState(false);
  const isLong = text.length > MAX_SHOWN_CHARS;
  const shown = isLong && !isWhole ? text.slice(0, MAX_SHOWN_CHARS).toWellFormed() : text;
  return (
    <>
      {/^text\/markdown/.test(type) ? (
        <Suspense fallback={<Pre>{shown}</Pre>}>
          <Markdown text={shown} />
        </Suspense>
      ) : (
        <Pre>{/json/.test(type) ? pretty(shown) : shown}</Pre>
      )}
      {isLong && !isWhole && (
        <button type="button" onClick={() => setWhole(true)}>
          Show all of it
        </button>
      )}
    </>
  );
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

const IMAGES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** Fetched with the rights of whoever looks, and shown from the memory of the page. */
function Bytes({ artifact }: { readonly artifact: ArtifactText }) {
  const { client } = useSession();
  const [url, setUrl] = useState<string | null>(null);
  const isImage = IMAGES.has(artifact.media_type);
  const load = async (): Promise<string> => {
    const answer = await client.open(`/artifacts/${encodeURIComponent(artifact.ref)}`);
    const type = isImage ? artifact.media_type : 'application/octet-stream';
    return URL.createObjectURL(new Blob([await answer.arrayBuffer()], { type }));
  };
  useEffect(() => {
    if (!isImage) return;
    let made: string | null = null;
    void load().then((text) => {
      made = text;
      setUrl(text);
    });
    return () => {
      if (made !== null) URL.revokeObjectURL(made);
    };
  }, [artifact.ref]);
  if (isImage && url !== null) return <img src={url} alt={artifact.ref} />;
  return (
    <button
      type="button"
      onClick={() =>
        void load().then((href) => {
          const link = document.createElement('a');
          link.href = href;
          link.download = artifact.ref.split('/').at(-1) ?? 'artifact';
          link.click();
        })
      }
    >
      Download {bytes(artifact.size_bytes)}
    </button>
  );
}
