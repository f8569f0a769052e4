import { useState } from 'react'
import type { Sso, SsoProvider } from '../../../../contract/sso.ts'
import { useApiMutation } from '../../../api/index.ts'
import { Button, Card, ConfirmDialog, FormError, showToast } from '../../../components/index.ts'

interface Props {
  sso: Sso
  provider: SsoProvider
}

/** Whether the provider is the only way to sign in. A person who has used it can turn the other ways off. */
export function OnlyWay({ sso, provider }: Props) {
  const [isAsking, setAsking] = useState(false)
  const change = useApiMutation<boolean>(
    (isOnly) => ({ method: 'PUT', path: '/org/sso/only', body: { is_only: isOnly } }),
    {
      invalidates: ['/org/sso'],
      onSuccess: (_reply, isOnly) => {
        setAsking(false)
        showToast(isOnly ? 'The provider is the only way to sign in' : 'Other ways to sign in are allowed')
      },
    },
  )
  return (
    <Card title="Only this provider">
      {provider.is_only ? (
        <OnlyNow isBusy={change.isPending} onAllow={() => change.mutate(false)} />
      ) : (
        <OnlyLater isProven={sso.is_proven} name={provider.name} onAsk={() => setAsking(true)} />
      )}
      {!isAsking && <FormError failure={change.error} />}
      <ConfirmDialog
        title={`Sign in with ${provider.name} only?`}
        action="Allow no other way"
        isOpen={isAsking}
        request={{ ...change, mutate: () => change.mutate(true) }}
        onClose={() => setAsking(false)}
      >
        <p>
          Passwords, passkeys and API keys no longer open this console, and sessions that began with them end
          at once. API keys of programs go on working. If the provider fails,{' '}
          <code>patchbay console link</code> on the server opens the console.
        </p>
      </ConfirmDialog>
    </Card>
  )
}

const OnlyNow = ({ isBusy, onAllow }: { isBusy: boolean; onAllow(): void }) => (
  <>
    <p>
      Members sign in at this provider only. To change more than its name, or to remove it, allow other ways
      first.
    </p>
    <Button isBusy={isBusy} onClick={onAllow}>
      Allow passwords and passkeys
    </Button>
  </>
)

const OnlyLater = ({ isProven, name, onAsk }: { isProven: boolean; name: string; onAsk(): void }) =>
  isProven ? (
    <>
      <p>You have signed in at {name}, so it works. You can turn passwords, passkeys and API keys off.</p>
      <Button onClick={onAsk}>Allow no other way to sign in</Button>
    </>
  ) : (
    <p className="hint">
      Passwords and passkeys can be turned off by an owner who has signed in at {name} as it is set now. Sign
      out, choose “Continue with {name}”, and come back to this page.
    </p>
  )
