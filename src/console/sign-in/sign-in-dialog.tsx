import { useEffect } from 'react'
import { callConsole } from '../api/client.ts'
import { completeSignIn } from '../api/sign-in-request.ts'
import { queryClient } from '../api/hooks.ts'
import { ME_KEY } from '../api/session.ts'
import { Dialog } from '../components/dialog.tsx'
import { SignInForms } from './sign-in-form.tsx'

/** Signs in again above the page, which keeps its input. */
export function SignInDialog() {
  useSignInElsewhere()
  return (
    <Dialog
      title="Your session has expired"
      description="Sign in again to continue. What you entered on the page is still there."
      isOpen
      isClosable={false}
      onClose={() => {}}
    >
      <SignInForms isNewTab onDone={onDone} />
    </Dialog>
  )
}

function onDone(): void {
  void queryClient.invalidateQueries({ queryKey: ME_KEY })
  completeSignIn()
}

/** Continues when the person has signed in in another tab, and returns to this one. */
function useSignInElsewhere(): void {
  useEffect(() => {
    const check = () => {
      if (document.hidden) return
      callConsole('GET', '/auth/me').then(onDone, () => undefined)
    }
    addEventListener('focus', check)
    document.addEventListener('visibilitychange', check)
    return () => {
      removeEventListener('focus', check)
      document.removeEventListener('visibilitychange', check)
    }
  }, [])
}
