import { useEffect } from 'react'
import { Link } from 'wouter'
import type { ConnectedAccount } from '../../../contract/connected-accounts/index.ts'
import { invalidatePaths, useApi } from '../../api/index.ts'
import { Button, Card, CopyButton, StatusBadge } from '../../components/index.ts'

const POLL_MS = 2_000
/** What shows accounts, or counts them. */
const CHANGED = ['/connected_accounts', '/users', '/overview']

/** The response to a request for a connection: the page on which a user signs in. */
export interface ConnectLink {
  redirect_url: string
  connected_account_id: string
}

interface ProgressProps {
  link: ConnectLink
  slug: string
  name: string
  onAgain(): void
}

/** Shows the page of the user's sign-in, waits until the account is active, and then says what to do with it. */
export function Progress({ link, slug, name, onAgain }: ProgressProps) {
  const path = `/connected_accounts/${link.connected_account_id}`
  const account = useApi<ConnectedAccount>({ path }, { refetchInterval: POLL_MS })
  const status = account.data?.status ?? 'INITIATED'
  const isActive = status === 'ACTIVE'
  useEffect(() => {
    if (isActive) void invalidatePaths(CHANGED)
  }, [isActive])
  const isWaiting = status === 'INITIATED' || status === 'INITIALIZING'
  return (
    <Card title={`Connect ${name}`}>
      <p aria-live="polite">
        <StatusBadge status={status} {...(isWaiting && { label: 'Waiting' })} />{' '}
        {messageFor(status, account.data)}
      </p>
      <div className="actions">
        {isActive ? (
          <NextSteps slug={slug} user={account.data?.user_id ?? ''} onAgain={onAgain} />
        ) : (
          <>
            <CopyButton text={link.redirect_url} label="Copy link for another person" />
            <Button onClick={onAgain}>Start again</Button>
            <a className="button primary" href={link.redirect_url} target="_blank" rel="noopener">
              Open the sign-in page
            </a>
          </>
        )}
      </div>
    </Card>
  )
}

const NextSteps = ({ slug, user, onAgain }: { slug: string; user: string; onAgain(): void }) => (
  <>
    <Button onClick={onAgain}>Connect another account</Button>
    <Link className="button plain" href={`/applications/${slug}?tab=tools`}>
      Try a tool
    </Link>
    <Link className="button primary" href={`/home?step=agent&user=${encodeURIComponent(user)}`}>
      Hand it to an agent
    </Link>
  </>
)

function messageFor(status: string, account: ConnectedAccount | undefined): string {
  if (status === 'ACTIVE') return `Connected as ${account?.identity?.label ?? account?.user_id}.`
  if (status === 'FAILED' || status === 'EXPIRED')
    return account?.status_reason ?? 'The sign-in did not finish. Connect again.'
  return 'Open the page and sign in there. This page continues when you are done.'
}
