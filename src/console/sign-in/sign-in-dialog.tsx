import { completeSignIn } from '../api/sign-in-request.ts'
import { queryClient } from '../api/hooks.ts'
import { ME_KEY } from '../api/session.ts'
import { Dialog } from '../components/dialog.tsx'
import { SignInForms } from './sign-in-form.tsx'

/** Signs in again above the page, which keeps its input. */
export function SignInDialog() {
  return (
    <Dialog
      title="Your session has expired"
      description="Sign in again to continue. What you entered on the page is still there."
      isOpen
      isClosable={false}
      onClose={() => {}}
    >
      <SignInForms
        onDone={() => {
          void queryClient.invalidateQueries({ queryKey: ME_KEY })
          completeSignIn()
        }}
      />
    </Dialog>
  )
}
