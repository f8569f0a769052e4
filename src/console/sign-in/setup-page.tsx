import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { callConsole } from '../api/client.ts'
import type { ApiFailure } from '../api/failure.ts'
import { queryClient } from '../api/hooks.ts'
import { Button } from '../components/button.tsx'
import { Form, FormError, TextField } from '../components/field.tsx'
import { Interruptions } from '../components/interruptions.tsx'
import { Loaded } from '../components/states.tsx'
import { EmailField, NewPasswordField } from './fields.tsx'
import { useSubmit } from './sign-in-form.tsx'

interface Link {
  kind: 'setup' | 'invite'
  email: string | null
  name: string | null
}

/** Sets a password with a one-time link: for the first owner, an invited member, or a new password. */
export function SetupPage() {
  // Read once, then removed from the URL and so from the history of the browser.
  const [token] = useState(() => new URLSearchParams(location.hash.slice(1)).get('t') ?? '')
  useEffect(() => {
    document.title = 'Set up – Patchbay'
    history.replaceState(null, '', location.pathname)
  }, [])
  const link = useQuery<Link, ApiFailure>({
    queryKey: ['link', token],
    queryFn: () => callConsole<Link>('POST', '/auth/link', { token }),
    retry: false,
    staleTime: Infinity,
  })
  return (
    <main className="sign-in">
      <div className="card">
        <Interruptions />
        <h1>{link.data?.kind === 'invite' ? 'Choose your password' : 'Set up the console'}</h1>
        <Loaded query={link}>{(data) => <SetupForm token={token} link={data} />}</Loaded>
      </div>
    </main>
  )
}

function SetupForm({ token, link }: { token: string; link: Link }) {
  const [, navigate] = useLocation()
  const [name, setName] = useState(link.name ?? '')
  const [email, setEmail] = useState(link.email ?? '')
  const [password, setPassword] = useState('')
  const isSetup = link.kind === 'setup'
  const { failure, isBusy, submit } = useSubmit(() => {
    navigate('/', { replace: true })
    void queryClient.resetQueries()
  })
  return (
    <Form onSubmit={() => void submit('/auth/setup', { token, password, ...(isSetup && { name, email }) })}>
      {isSetup && (
        <TextField
          label="Your name"
          autoComplete="name"
          autoFocus
          required
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      )}
      <EmailField value={email} onChange={setEmail} failure={failure} readOnly={!isSetup} />
      <NewPasswordField value={password} onChange={setPassword} failure={failure} />
      <FormError failure={failure} />
      <Button look="primary" type="submit" isBusy={isBusy}>
        {isSetup ? 'Create the owner' : 'Save and sign in'}
      </Button>
    </Form>
  )
}
