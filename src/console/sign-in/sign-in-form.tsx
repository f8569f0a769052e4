import { useState } from 'react'
import { callConsole } from '../api/client.ts'
import { useBoot } from '../api/session.ts'
import { useRequest } from '../api/use-request.ts'
import { Button } from '../components/button.tsx'
import { errorOf, Form, FormError, TextField } from '../components/field.tsx'
import { Loaded } from '../components/states.tsx'
import { Tabs } from '../components/tabs.tsx'
import { CurrentPasswordField, EmailField } from './fields.tsx'
import { OtherSignIn } from './other-sign-in.tsx'

/** Sends a form of the sign-in, and remembers what went wrong. */
export function useSubmit(onDone: () => void, send: typeof callConsole = callConsole) {
  const { failure, isBusy, run } = useRequest()
  const submit = (path: string, body: object) =>
    run(async () => {
      await send('POST', path, body)
      onDone()
    })
  return { failure, isBusy, submit }
}

interface FormProps {
  onDone(): void
}

/** All ways to sign in that the server allows. */
export function SignInForms({ onDone, isNewTab = false }: FormProps & { isNewTab?: boolean }) {
  const boot = useBoot()
  if (!boot.data) return <Loaded query={boot}>{() => null}</Loaded>
  return (
    <>
      <OtherSignIn onDone={onDone} isNewTab={isNewTab} />
      {!boot.data.sign_in.is_sso_only && (
        <Tabs
          label="Ways to sign in"
          tabs={[
            { id: 'password', label: 'E-mail and password', content: <PasswordForm onDone={onDone} /> },
            { id: 'key', label: 'API key', content: <KeyForm onDone={onDone} /> },
          ]}
        />
      )}
    </>
  )
}

function PasswordForm({ onDone }: FormProps) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const { failure, isBusy, submit } = useSubmit(onDone)
  const [isCodeNeeded, setCodeNeeded] = useState(false)
  if (failure?.slug === 'Member_CodeRequired' && !isCodeNeeded) setCodeNeeded(true)
  return (
    <Form onSubmit={() => void submit('/auth/login', { email, password, ...(code && { code }) })}>
      <EmailField value={email} onChange={setEmail} failure={failure} />
      <CurrentPasswordField value={password} onChange={setPassword} failure={failure} />
      {isCodeNeeded && (
        <TextField
          label="Code"
          autoComplete="one-time-code"
          autoFocus
          required
          value={code}
          onChange={(event) => setCode(event.target.value)}
          hint="Six digits of your authenticator app, or a recovery code."
        />
      )}
      <FormError failure={failure} />
      <Button look="primary" type="submit" isBusy={isBusy}>
        Sign in
      </Button>
    </Form>
  )
}

/** Signs in with an API key. The key is exchanged for a session, and not stored in the browser. */
function KeyForm({ onDone }: FormProps) {
  const [key, setKey] = useState('')
  const { failure, isBusy, submit } = useSubmit(onDone)
  return (
    <Form onSubmit={() => void submit('/auth/key', { key })}>
      <TextField
        label="API key"
        name="key"
        type="password"
        autoComplete="off"
        autoFocus
        required
        value={key}
        onChange={(event) => setKey(event.target.value)}
        error={errorOf(failure, 'key')}
        hint={
          <>
            A key of a project (<code>ak_…</code>) or of the organization (<code>oak_…</code>). The command{' '}
            <code>patchbay keys show --reveal</code> prints them on the server.
          </>
        }
      />
      <FormError failure={failure} />
      <Button look="primary" type="submit" isBusy={isBusy}>
        Sign in
      </Button>
    </Form>
  )
}
