import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { Link, Route, Switch, useLocation } from 'wouter';
import { useAsked, useLive } from './api/live.js';
import { useSession } from './api/session.js';
import type { InboxPage } from './api/types.js';
import { INBOX_PATH, Inbox } from './pages/inbox.js';
import { SignInAgain } from './pages/sign-in.js';
import { useArrival } from './parts/arrival.js';
import { useKeys } from './parts/keys.js';
import { Problems } from './parts/problems.js';
import { SaidLine } from './parts/said.js';
import { Boundary, Empty, Loading } from './parts/small.js';

const Item = lazy(async () => ({ default: (await import('./pages/item.js')).Item }));
const Runs = lazy(async () => ({ default: (await import('./pages/runs.js')).Runs }));
const Run = lazy(async () => ({ default: (await import('./pages/run.js')).Run }));
const Beside = lazy(async () => ({ default: (await import('./pages/beside.js')).Beside }));
const Gate = lazy(async () => ({ default: (await import('./pages/gate.js')).Gate }));
const Topologies = lazy(async () => ({ default: (await import('./pages/topologies.js')).Topologies }));
const Topology = lazy(async () => ({ default: (await import('./pages/topologies.js')).Topology }));
const Fleet = lazy(async () => ({ default: (await import('./pages/fleet.js')).Fleet }));
const Triggers = lazy(async () => ({ default: (await import('./pages/triggers.js')).Triggers }));
const Chat = lazy(async () => ({ default: (await import('./pages/chat.js')).Chat }));
const ConversationPage = lazy(async () => ({ default: (await import('./pages/chat.js')).ConversationPage }));
const Evals = lazy(async () => ({ default: (await import('./pages/evals.js')).Evals }));
const Report = lazy(async () => ({ default: (await import('./pages/evals.js')).Report }));
const Memory = lazy(async () => ({ default: (await import('./pages/memory.js')).Memory }));
const Usage = lazy(async () => ({ default: (await import('./pages/usage.js')).Usage }));
const Log = lazy(async () => ({ default: (await import('./pages/log.js')).Log }));

/** What the head of every page leads to; the key comes after `g`. */
const PLACES = [
  { path: '/', name: 'Inbox', key: 'i' },
  { path: '/runs', name: 'Runs', key: 'r' },
  { path: '/topologies', name: 'Topologies', key: 't' },
  { path: '/chat', name: 'Chat', key: 'c' },
  { path: '/triggers', name: 'Triggers', key: 's' },
  { path: '/fleet', name: 'Fleet', key: 'f' },
  { path: '/memory', name: 'Memory', key: 'm' },
  { path: '/evals', name: 'Evals', key: 'e' },
  { path: '/usage', name: 'Usage', key: 'u' },
  { path: '/log', name: 'Log', key: 'l' },
] as const;

const HELP: readonly (readonly [string, string])[] = [
  ...PLACES.map(({ key, name }) => [`g ${key}`, name] as const),
  ['j k', 'Next and previous row'],
  ['Enter', 'Open it; send a decision'],
  ['a r c', 'Approve, reject, request changes'],
  ['n', 'Next item'],
  ['/', 'Filter'],
  ['u', 'Back'],
];

/**
 * How many items are the looker's own to decide: a notice says it where it is allowed.
 */
function useOwn(): number {
  const { data } = useAsked<InboxPage>(INBOX_PATH);
  const own = data?.items.filter(({ you }) => you?.can_decide === true) ?? [];
  const newest = own.at(-1);
  const [known, setKnown] = useState<number | null>(null);
  useEffect(() => {
    if (data === null) return;
    if (
      known !== null &&
      own.length > known &&
      newest !== undefined &&
      globalThis.Notification?.permission === 'granted'
    )
      new Notification('kit: somebody waits for you', {
        body: `${newest.request.topology}, from ${newest.request.submitted_by.identity}`,
      });
    setKnown(own.length);
  }, [data]);
  return own.length;
}

const isAt = (location: string, path: string): boolean =>
  path === '/' ? location === '/' || /^\/(items|gates)\//.test(location) : location.startsWith(path);

/** A part of the address; one that is not such text names nothing, and stays as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function Shell() {
  const { who, signOut, ended } = useSession();
  const { isConnected } = useLive();
  const own = useOwn();
  const [location, go] = useLocation();
  const main = useArrival({ location, places: PLACES, own });
  const [isHelp, setHelp] = useState(false);
  const [isGoing, setGoing] = useState(false);
  useKeys(
    useMemo(
      () => ({
        '?': () => setHelp((last) => !last),
        Escape: () => setHelp(false),
        g: () => setGoing(true),
        u: () => history.back(),
        // After `g` the keys of places come before the others.
        ...(isGoing
          ? Object.fromEntries(
              PLACES.map(({ key, path }) => [
                key,
                () => {
                  setGoing(false);
                  go(path);
                },
              ]),
            )
          : {}),
      }),
      [isGoing, go],
    ),
  );
  return (
    <>
      <a className="skip" href="#page">
        To the page
      </a>
      <nav>
        <Link href="/" className="brand">
          kit
        </Link>
        <span className="places">
          {PLACES.map(({ path, name }) => (
            <Link key={path} href={path} aria-current={isAt(location, path) ? 'page' : undefined}>
              {name} {path === '/' && own > 0 && <span className="count">{own}</span>}
            </Link>
          ))}
        </span>
        <span className="far who">
          <span className="quiet">
            {who.mode === 'none' && (
              <span title="The server asks nobody who they are.">Nobody proves who decides here. </span>
            )}
            {who.client_name}
          </span>
          {signOut !== null && (
            <button type="button" onClick={signOut}>
              Sign out
            </button>
          )}
          <button type="button" aria-expanded={isHelp} aria-label="Keys" onClick={() => setHelp(!isHelp)}>
            ?
          </button>
        </span>
      </nav>
      {ended !== null && <SignInAgain ended={ended} />}
      {!isConnected && (
        <p className="problem" role="status">
          The server does not answer. What you see may be old; it is asked again by itself.
        </p>
      )}
      <Problems />
      {isHelp && <Help />}
      <SaidLine />
      <main id="page" ref={main} tabIndex={-1}>
        <Boundary place={location}>
          <Suspense fallback={<Loading />}>
            <Switch>
              <Route path="/" component={Inbox} />
              <Route path="/items/:id">{({ id }) => <Item id={decoded(id)} />}</Route>
              <Route path="/runs" component={Runs} />
              <Route path="/runs/:id">{({ id }) => <Run id={decoded(id)} />}</Route>
              <Route path="/runs/:id/beside/:other">
                {({ id, other }) => <Beside id={decoded(id)} other={decoded(other)} />}
              </Route>
              <Route path="/gates/:id">{({ id }) => <Gate id={decoded(id)} />}</Route>
              <Route path="/topologies" component={Topologies} />
              <Route path="/topologies/:id">{({ id }) => <Topology id={decoded(id)} />}</Route>
              <Route path="/triggers" component={Triggers} />
              <Route path="/fleet" component={Fleet} />
              <Route path="/chat" component={Chat} />
              <Route path="/chat/:id">{({ id }) => <ConversationPage key={id} id={decoded(id)} />}</Route>
              <Route path="/memory" component={Memory} />
              <Route path="/evals" component={Evals} />
              <Route path="/evals/:name">{({ name }) => <Report name={decoded(name)} />}</Route>
              <Route path="/usage" component={Usage} />
              <Route path="/log" component={Log} />
              <Route>
                <h1>Nothing to show</h1>
                <Empty>There is no such page.</Empty>
              </Route>
            </Switch>
          </Suspense>
        </Boundary>
      </main>
    </>
  );
}

function Help() {
  const canAsk = globalThis.Notification?.permission === 'default';
  return (
    <aside className="help">
      <dl>
        {HELP.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      {canAsk && (
        <button type="button" onClick={() => void Notification.requestPermission()}>
          Tell me on the desktop when something waits
        </button>
      )}
    </aside>
  );
}
