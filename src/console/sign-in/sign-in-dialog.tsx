import { useLayoutEffect } from 'react'
import { callConsole } from '../api/client.ts'
import { completeSignIn, type SignInReason } from '../api/sign-in-request.ts'
import { notifyTabs, onTabMessage } from '../api/tabs.ts'
import { queryClient } from '../api/hooks.ts'
import { ME_KEY } from '../api/session.ts'
import { Dialog } from '../components/dialog.tsx'
import { SignInForms } from './sign-in-form.tsx'

const TITLES: Readonly<Record<SignInReason, string>> = {
  expired: 'Your session has expired',
  signed_out: 'You signed out in another tab',
}

/** Signs in again above the page, which keeps its input. */
export function SignInDialog({ reason }: { reason: SignInReason }) {
  useSignInElsewhere()
  return (
    <Dialog
      title={TITLES[reason]}
      description="Sign in again to continue. What you entered on the page is still there."
      isOpen
      isClosable={false}
      onClose={() => {}}
    >
      <SignInForms isNewTab onDone={onSignedIn} />
    </Dialog>
  )
}

function onSignedIn(): void {
  notifyTabs({ type: 'signed_in' })
  onDone()
}

function onDone(): void {
  void queryClient.invalidateQueries({ queryKey: ME_KEY })
  completeSignIn()
}

/** Continues when the person has signed in in another tab, and returns to this one. */
function useSignInElsewhere(): void {
  // Before the dialog is visible: a sign-in that follows at once is noticed, too.
  useLayoutEffect(() => {
    const check = () => {
      callConsole('GET', '/auth/me').then(onDone, () => undefined)
    }
    const stop = onTabMessage(({ type }) => {
      if (type === 'signed_in') check()
    })
    addEventListener('focus', check)
    document.addEventListener('visibilitychange', check)
    return () => {
      stop()
      removeEventListener('focus', check)
      document.removeEventListener('visibilitychange', check)
    }
  }, [])
}
