import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { LiveProvider } from './api/live.js';
import { SessionProvider, useSignIn } from './api/session.js';
import { SignIn } from './pages/sign-in.js';
import { Loading } from './parts/small.js';
import { Shell } from './shell.js';

function App() {
  const { state, signIn } = useSignIn();
  switch (state.kind) {
    case 'loading':
      return <Loading />;
    case 'handed-back':
      return (
        <main className="sign-in">
          <h1>kit</h1>
          <p role="status">This window has done its part. The page that asked for it goes on; close this one.</p>
        </main>
      );
    case 'unreachable':
      return (
        <main className="sign-in">
          <h1>kit</h1>
          <p className="problem" role="alert">
            {state.message}
          </p>
          <button type="button" onClick={() => location.reload()}>
            Try again
          </button>
        </main>
      );
    case 'signed-out':
      return <SignIn asks={state.asks} refusal={state.refusal} signIn={signIn} />;
    case 'signed-in':
      return (
        <SessionProvider session={state.session}>
          <LiveProvider>
            <Router base="/console">
              <Shell />
            </Router>
          </LiveProvider>
        </SessionProvider>
      );
  }
}

const root = document.getElementById('root');
if (root !== null) createRoot(root).render(<App />);
