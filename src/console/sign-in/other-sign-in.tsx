import { useState } from 'react'
import { useBoot } from '../api/session.ts'
import { useRequest } from '../api/use-request.ts'
import { Button } from '../components/button.tsx'
import { FormError } from '../components/field.tsx'
import { hasPasskeys, signInWithPasskey } from './passkey.ts'

/** Why the sign-in at the identity provider failed, by the code that the server adds to the URL. */
const SSO_FAILURES: Readonly<Record<string, string>> = {
  unavailable: 'The identity provider cannot be reached. The log of the server says why.',
  expired: 'The sign-in took too long, or was started in another browser. Try again.',
  failed: 'The identity provider did not confirm the sign-in. Try again; the log of the server says why.',
  no_email: 'The identity provider sent no e-mail address. An administrator can add the scope or claim.',
  unverified_email: 'The identity provider has not verified your e-mail address.',
  domain: 'E-mail addresses of your domain may not sign in here.',
  no_role: 'Your groups at the identity provider give you no role here. Ask an administrator.',
  not_invited: 'You have not been invited. Ask an administrator for an invitation.',
}

/** Says why the last sign-in at the identity provider failed. */
export function SsoFailure() {
  const [code] = useState(() => new URLSearchParams(location.search).get('sign_in_error'))
  if (code === null || !Object.hasOwn(SSO_FAILURES, code)) return null
  return (
    <div className="form-error" role="alert">
      <p>{SSO_FAILURES[code]}</p>
    </div>
  )
}

/** The page that opens after the sign-in: the present one, below `/console`. */
function nextPage(): string {
  const query = new URLSearchParams(location.search)
  query.delete('sign_in_error')
  const path = location.pathname.slice(location.pathname.indexOf('/console') + '/console'.length)
  return `${path || '/'}${query.size ? `?${query}` : ''}`
}

interface Props {
  onDone(): void
  /** Opens the provider in a new tab, because the page has input. */
  isNewTab: boolean
}

/** Sign-in at the identity provider, if the server has one, and with a passkey, if the browser has them. */
export function OtherSignIn({ onDone, isNewTab }: Props) {
  const boot = useBoot()
  const { failure, isBusy, run } = useRequest()
  if (!boot.data) return null
  const { public_url: url, sign_in: ways } = boot.data
  const usePasskey = () =>
    run(async () => {
      await signInWithPasskey()
      onDone()
    })
  return (
    <div className="other-sign-in">
      {ways.sso && (
        <a
          className={ways.is_sso_only ? 'button primary' : 'button plain'}
          href={`${url}/console/auth/oidc/start?next=${encodeURIComponent(isNewTab ? '/' : nextPage())}`}
          {...(isNewTab && { target: '_blank', rel: 'noreferrer' })}
        >
          Continue with {ways.sso.name}
        </a>
      )}
      {!ways.is_sso_only && hasPasskeys() && (
        <Button icon="key" isBusy={isBusy} onClick={() => void usePasskey()}>
          Sign in with a passkey
        </Button>
      )}
      <FormError failure={failure} />
    </div>
  )
}
