import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import type { Overview } from '../../../contract/overview.ts'
import type { ExecuteReply } from '../../../contract/tools/execution.ts'
import { may, useApiMutation, useBoot, useMe, useScreenRequest } from '../../api/index.ts'
import { Button } from '../../components/button.tsx'
import { JsonView } from '../../components/code.tsx'
import { FormError } from '../../components/field.tsx'
import { Icon } from '../../components/icons.tsx'
import { Card } from '../../components/page.tsx'
import { ToolkitLogo } from '../applications/logo.tsx'
import { HandToAgent } from './hand-to-agent.tsx'

const HIDDEN = 'patchbay.first-run'
const FIRST_APPLICATIONS = [
  { slug: 'github', name: 'GitHub' },
  { slug: 'slack', name: 'Slack' },
  { slug: 'gmail', name: 'Gmail' },
  { slug: 'linear', name: 'Linear' },
  { slug: 'notion', name: 'Notion' },
]
const FIRST_CALL = {
  method: 'POST' as const,
  path: '/tools/execute/UTILITIES_GET_CURRENT_TIME',
  body: { user_id: 'default', arguments: { timezone: Intl.DateTimeFormat().resolvedOptions().timeZone } },
}

/** Four steps from an empty project to an agent that uses an application. Each works as it stands. */
export function FirstRun({ overview }: { overview: Overview | undefined }) {
  const [isHidden, setHidden] = useState(localStorage.getItem(HIDDEN) === 'hidden')
  const [isHanded, setHanded] = useState(false)
  const [parameters] = useSearchParams()
  const isAgentWanted = parameters.get('step') === 'agent'
  const change = (next: boolean) => {
    localStorage.setItem(HIDDEN, next ? 'hidden' : 'shown')
    setHidden(next)
  }
  if (isHidden && !isAgentWanted)
    return (
      <p>
        <Button look="quiet" isSmall onClick={() => change(false)}>
          Show the first steps
        </Button>
      </p>
    )
  return (
    <Card
      title="First steps"
      actions={
        <Button look="quiet" isSmall onClick={() => change(true)}>
          Hide
        </Button>
      }
    >
      <Step number={1} title="Run a tool" isDone={(overview?.calls.total ?? 0) > 0}>
        <RunTool />
      </Step>
      <Step number={2} title="Connect an application" isDone={(overview?.accounts.active ?? 0) > 0}>
        <ChooseApplication />
      </Step>
      <Step number={3} title="Hand it to an agent" isDone={isHanded} isWanted={isAgentWanted}>
        <HandToAgent firstUser={parameters.get('user')} onCall={() => setHanded(true)} />
      </Step>
      <Step number={4} title="Prepare for production" isDone={false}>
        <Production />
      </Step>
    </Card>
  )
}

interface StepProps {
  number: number
  title: string
  isDone: boolean
  /** Whether the person came for this step: it is scrolled to. */
  isWanted?: boolean
  children: ReactNode
}

function Step({ number, title, isDone, isWanted = false, children }: StepProps) {
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isWanted) section.current?.scrollIntoView({ block: 'start' })
  }, [isWanted])
  return (
    <section className="first-step" ref={section}>
      <h3 className="step-head">
        <span className={isDone ? 'step-mark done' : 'step-mark'} aria-hidden="true">
          {isDone ? <Icon name="check" /> : number}
        </span>
        {title}
        {isDone && <span className="visually-hidden">(done)</span>}
      </h3>
      {children}
    </section>
  )
}

function RunTool() {
  const run = useApiMutation<void, ExecuteReply>(() => FIRST_CALL, { invalidates: ['/overview'] })
  useScreenRequest(FIRST_CALL)
  return (
    <>
      <p className="hint">This tool needs no account: it returns the current time in your time zone.</p>
      <Button look="primary" icon="play" isBusy={run.isPending} onClick={() => run.mutate()}>
        Run UTILITIES_GET_CURRENT_TIME
      </Button>
      <FormError failure={run.error} />
      {run.data && <JsonView label="Result" value={run.data.data} />}
    </>
  )
}

const ChooseApplication = () => (
  <>
    <ul className="tiles">
      {FIRST_APPLICATIONS.map(({ slug, name }) => (
        <li key={slug}>
          <Link href={`/applications/${slug}?tab=connect`} className="tile">
            <ToolkitLogo slug={slug} />
            <strong>{name}</strong>
          </Link>
        </li>
      ))}
    </ul>
    <p className="row">
      <Link href="/applications">All applications</Link>
      <Link href="/applications/import">Import your own API</Link>
    </p>
  </>
)

function Production() {
  const { data: me } = useMe()
  const { data: boot } = useBoot()
  const isPublic = boot?.public_url.startsWith('https://') ?? false
  return (
    <ul className="checklist">
      <li>
        <Icon name={isPublic ? 'check' : 'warning'} />
        {isPublic
          ? `The server is reached at ${boot?.public_url}.`
          : 'Set PUBLIC_URL to an https URL: vendors and agents on the internet need it.'}
      </li>
      <li>
        <Icon name="info" />
        Copy the encryption keys to a safe place: the file encryption.keys in DATA_DIR, or ENCRYPTION_KEYS.
      </li>
      <li>
        <Icon name="info" />
        Back up the data directory, or the database of DATABASE_URL, every day.
      </li>
      {may(me, 'administrator') && (
        <li>
          <Icon name="info" />
          <span>
            <Link href="/settings/members">Invite a second owner</Link>, so that one lost password locks
            nobody out.
          </span>
        </li>
      )}
    </ul>
  )
}
