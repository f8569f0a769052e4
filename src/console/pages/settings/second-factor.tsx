import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { QrCode } from '../../components/qr-code.tsx'
import { callProfile } from '../../api/client.ts'
import { type ApiFailure, type Me, ME_KEY, useRequest } from '../../api/index.ts'
import {
  Button,
  Card,
  CodeBlock,
  CopyButton,
  errorOf,
  Form,
  FormError,
  TextField,
} from '../../components/index.ts'
import { CurrentPasswordField } from '../../sign-in/fields.tsx'

/** Sets up and removes the second factor of the signed-in member. */
export function SecondFactorCard({ me }: { me: Me }) {
  const client = useQueryClient()
  const [codes, setCodes] = useState<readonly string[]>()
  const onChanged = (recoveryCodes: readonly string[] | undefined) => {
    setCodes(recoveryCodes)
    void client.invalidateQueries({ queryKey: ME_KEY })
  }
  return (
    <Card title="Second factor" description="A code of an authenticator app in addition to your password.">
      {codes && (
        <>
          <p>Store these recovery codes. Each replaces a code once, when your device is lost.</p>
          <CodeBlock label="Recovery codes" code={codes.join('\n')} />
        </>
      )}
      {me.has_second_factor ? <TurnOff onChanged={onChanged} /> : <TurnOn onChanged={onChanged} />}
    </Card>
  )
}

interface FactorProps {
  /** Called with new recovery codes, or undefined when the second factor was turned off. */
  onChanged(recoveryCodes: readonly string[] | undefined): void
}

function TurnOn({ onChanged }: FactorProps) {
  const [setup, setSetup] = useState<{ secret: string; url: string }>()
  const [code, setCode] = useState('')
  const { failure, run } = useRequest()
  const start = () => run(async () => setSetup(await callProfile('POST', '/auth/totp')))
  const confirm = () =>
    run(async () => {
      const reply = await callProfile<{ recovery_codes: string[] }>('POST', '/auth/totp/confirm', { code })
      onChanged(reply.recovery_codes)
    })
  if (!setup)
    return (
      <>
        <Button onClick={() => void start()}>Set up an authenticator app</Button>
        <FormError failure={failure} />
      </>
    )
  return (
    <Form onSubmit={() => void confirm()}>
      <p>
        Scan this code with your authenticator app, enter the secret by hand, or{' '}
        <a href={setup.url}>open the app on this device</a>. Then enter the code that it shows.
      </p>
      <QrCode text={setup.url} label="Secret of the second factor, for a camera" />
      <p className="row">
        <code>{setup.secret}</code> <CopyButton text={setup.secret} />
      </p>
      <CodeField value={code} onChange={setCode} failure={failure} />
      <FormError failure={failure} />
      <Button look="primary" type="submit">
        Turn on
      </Button>
    </Form>
  )
}

function TurnOff({ onChanged }: FactorProps) {
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const { failure, run } = useRequest()
  const remove = () =>
    run(async () => {
      await callProfile('POST', '/auth/totp/remove', { password, code })
      onChanged(undefined)
    })
  return (
    <Form onSubmit={() => void remove()}>
      <CurrentPasswordField value={password} onChange={setPassword} failure={failure} />
      <CodeField value={code} onChange={setCode} failure={failure} />
      <FormError failure={failure} />
      <Button look="danger" type="submit">
        Turn off
      </Button>
    </Form>
  )
}

const CodeField = ({
  value,
  onChange,
  failure,
}: {
  value: string
  onChange(value: string): void
  failure: ApiFailure | null
}) => (
  <TextField
    label="Code"
    autoComplete="one-time-code"
    required
    value={value}
    onChange={(event) => onChange(event.target.value)}
    error={errorOf(failure, 'code')}
  />
)
