import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Redirect, Route, Router, Switch, useLocation } from 'wouter'
import { PREFIX } from './api/base.ts'
import { queryClient } from './api/hooks.ts'
import { isSignInNeeded } from './api/sign-in-request.ts'
import { currentProject } from './api/project.ts'
import { useMe } from './api/session.ts'
import { useStore } from './api/store.ts'
import { EmptyState, ErrorState, Skeleton } from './components/states.tsx'
import { Page } from './components/page.tsx'
import { Toasts } from './components/toast.tsx'
import { DOCS_PAGES } from './pages/docs-pages.ts'
import { type PageEntry, PAGES } from './pages/index.ts'
import { ErrorBoundary } from './shell/error-boundary.tsx'
import { PublicShell } from './shell/public-shell.tsx'
import { Shell } from './shell/shell.tsx'
import { SignInDialog } from './sign-in/sign-in-dialog.tsx'
import { SetupPage } from './sign-in/setup-page.tsx'
import { SignInPage } from './sign-in/sign-in-page.tsx'

// Created once: a component that is created while rendering would lose its state.
const components = new Map(PAGES.map((page) => [page.path, lazy(page.load)]))

export const App = () => (
  // Base UI would insert style elements, which the content security policy blocks.
  <CSPProvider disableStyleElements>
    <QueryClientProvider client={queryClient}>
      <Router base={`${PREFIX}/console`}>
        <Screens />
      </Router>
      <Toasts />
    </QueryClientProvider>
  </CSPProvider>
)

function Screens() {
  const me = useMe()
  const [location] = useLocation()
  const isExpired = useStore(isSignInNeeded)
  const project = useStore(currentProject)
  if (me.isPending) return <Skeleton />
  if (me.error && me.error.status !== 401)
    return (
      <main>
        <ErrorState failure={me.error} onRetry={() => void me.refetch()} />
      </main>
    )
  if (location === '/setup') return <SetupPage />
  if (!me.data)
    return /^\/docs(?:\/|$)/.test(location) ? (
      <PublicShell>
        <Routes pages={DOCS_PAGES} />
      </PublicShell>
    ) : (
      <SignInPage />
    )
  return (
    <>
      <Shell me={me.data}>
        <ErrorBoundary key={project}>
          <Routes pages={PAGES} />
        </ErrorBoundary>
      </Shell>
      {isExpired && <SignInDialog />}
    </>
  )
}

const Routes = ({ pages }: { pages: readonly PageEntry[] }) => (
  <Suspense fallback={<Skeleton />}>
    <Switch>
      {pages.map((page) => (
        <Route key={page.path} path={page.path} component={components.get(page.path) as never} />
      ))}
      <Route path="/">
        <Redirect to={firstPage(pages)} replace />
      </Route>
      <Route>
        <MissingPage />
      </Route>
    </Switch>
  </Suspense>
)

const firstPage = (pages: readonly PageEntry[]): string => pages.find(({ icon }) => icon)?.path ?? '/'

const MissingPage = () => (
  <Page title="This page does not exist">
    <EmptyState icon="search" title="Nothing is at this URL">
      Check the URL, or choose a page from the navigation.
    </EmptyState>
  </Page>
)
