import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Redirect, Route, Router, Switch, useLocation } from 'wouter'
import { PREFIX } from './api/base.ts'
import { queryClient } from './api/hooks.ts'
import { requestSignIn, signInReason } from './api/sign-in-request.ts'
import { currentProject } from './api/project.ts'
import { may, ME_KEY, useMe } from './api/session.ts'
import { useStore } from './api/store.ts'
import { notifyTabs, onTabMessage } from './api/tabs.ts'
import { Interruptions } from './components/interruptions.tsx'
import { onDemand } from './components/on-demand.tsx'
import { EmptyState, ErrorState, Skeleton } from './components/states.tsx'
import { Page } from './components/page.tsx'
import { RestrictedForms } from './components/read-only.tsx'
import { Toasts } from './components/toast.tsx'
import { DOCS_PAGES } from './pages/docs-pages.ts'
import { type PageEntry, PAGES } from './pages/index.ts'
import { ErrorBoundary } from './shell/error-boundary.tsx'
import { loadPage } from './shell/load-page.ts'
import { PublicShell } from './shell/public-shell.tsx'
import { Shell } from './shell/shell.tsx'
import { SignInDialog } from './sign-in/sign-in-dialog.tsx'
import { SetupPage } from './sign-in/setup-page.tsx'
import { SignInPage } from './sign-in/sign-in-page.tsx'

// Created once: a component that is created while rendering would lose its state.
const components = new Map(
  PAGES.map(({ path, load }) => [path, onDemand(async () => (await loadPage(load)).default, <Skeleton />)]),
)

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
  const reason = useStore(signInReason)
  const project = useStore(currentProject)
  useSessionOfOtherTabs(me.data !== undefined, me.error?.status === 401)
  if (me.isPending)
    return (
      <main>
        <Interruptions />
        <Skeleton />
      </main>
    )
  // With the data of an earlier response, the page stays as it is: it may have input.
  if (!me.data && me.error?.status !== 401)
    return (
      <main>
        <Interruptions />
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
        <ErrorBoundary key={project} path={location}>
          <Routes pages={PAGES} />
        </ErrorBoundary>
      </Shell>
      {reason && <SignInDialog reason={reason} />}
    </>
  )
}

/** Follows sign-ins and sign-outs in other tabs, and notices a session that has ended. */
function useSessionOfOtherTabs(isSignedIn: boolean, isExpired: boolean): void {
  useEffect(() => {
    if (isSignedIn) notifyTabs({ type: 'signed_in' })
    return onTabMessage(({ type }) => {
      if (type === 'signed_out' && isSignedIn) void requestSignIn('signed_out')
      if (type === 'signed_in' && !isSignedIn) void queryClient.invalidateQueries({ queryKey: ME_KEY })
    })
  }, [isSignedIn])
  useEffect(() => {
    if (isSignedIn && isExpired) void requestSignIn()
  }, [isSignedIn, isExpired])
}

const Routes = ({ pages }: { pages: readonly PageEntry[] }) => (
  <Switch>
    {pages.map((page) => (
      <Route key={page.path} path={page.path}>
        <PageContent page={page} />
      </Route>
    ))}
    <Route path="/">
      <Redirect to={firstPage(pages)} replace />
    </Route>
    <Route>
      <MissingPage />
    </Route>
  </Switch>
)

/** Forms of a page that the person may not use any more stay, read-only. */
function PageContent({ page: { path, needs } }: { page: PageEntry }) {
  const me = useMe()
  const Content = components.get(path)!
  return (
    <RestrictedForms isAllowed={needs === undefined || may(me.data, needs)}>
      <Content />
    </RestrictedForms>
  )
}

const firstPage = (pages: readonly PageEntry[]): string => pages.find(({ icon }) => icon)?.path ?? '/'

const MissingPage = () => (
  <Page title="This page does not exist">
    <EmptyState icon="search" title="Nothing is at this URL">
      Check the URL, or choose a page from the navigation.
    </EmptyState>
  </Page>
)
