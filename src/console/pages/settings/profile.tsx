import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callProfile } from '../../api/client.ts'
import { type ApiFailure, useMe } from '../../api/index.ts'
import { Button, Card, DateTime, Form, FormError, Loaded, Page, showToast } from '../../components/index.ts'
import { PasskeysCard } from './passkeys.tsx'
import { SecondFactorCard } from './second-factor.tsx'
import { CurrentPasswordField, NewPasswordField } from '../../sign-in/fields.tsx'
import { useSubmit } from '../../sign-in/sign-in-form.tsx'
import { browserName } from './browser-name.ts'

interface Session {
  id: string
  is_current: boolean
  ip: string
  user_agent: string
  last_used_at: string
}

/** The own password, second factor and sessions. */
export default function Profile() {
  const me = useMe()
  return (
    <Page title="Profile" lead="How you sign in, and where you are signed in.">
      <Loaded query={me}>
        {(data) => (
          <div className="stack">
            {data.kind === 'member' && <PasswordCard />}
            {data.kind === 'member' && <PasskeysCard />}
            {data.kind === 'member' && <SecondFactorCard me={data} />}
            <SessionsCard />
          </div>
        )}
      </Loaded>
    </Page>
  )
}

function PasswordCard() {
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const { failure, isBusy, submit } = useSubmit(() => {
    setCurrent('')
    setPassword('')
    showToast('Password changed', 'Your other sessions have ended.')
  }, callProfile)
  return (
    <Card title="Password">
      <Form onSubmit={() => void submit('/auth/password', { current, password })}>
        <CurrentPasswordField
          label="Current password"
          name="current"
          value={current}
          onChange={setCurrent}
          failure={failure}
        />
        <NewPasswordField value={password} onChange={setPassword} failure={failure} />
        <FormError failure={failure} />
        <Button type="submit" isBusy={isBusy}>
          Change password
        </Button>
      </Form>
    </Card>
  )
}

function SessionsCard() {
  const sessions = useQuery<{ items: Session[] }, ApiFailure>({
    queryKey: ['sessions of the person'],
    queryFn: () => callProfile('GET', '/auth/sessions'),
  })
  const end = useMutation<void, ApiFailure, Session>({
    mutationFn: ({ id }) => callProfile('DELETE', `/auth/sessions/${id}`),
    onSuccess: () => void sessions.refetch(),
  })
  return (
    <Card title="Sessions" description="Browsers in which you are signed in.">
      <FormError failure={end.error} />
      <Loaded query={sessions}>
        {({ items }) => (
          <ul className="plain-list">
            {items.map((session) => (
              <li key={session.id} className="row">
                <span>
                  {session.ip} · <DateTime value={session.last_used_at} />{' '}
                  {session.is_current && <strong>(this browser)</strong>}
                  <span className="hint"> {browserName(session.user_agent)}</span>
                </span>
                {!session.is_current && (
                  <Button
                    isSmall
                    isBusy={end.isPending && end.variables.id === session.id}
                    onClick={() => end.mutate(session)}
                  >
                    End session
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  )
}
