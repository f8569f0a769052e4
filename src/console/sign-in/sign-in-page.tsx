import { useEffect } from 'react'
import { queryClient } from '../api/hooks.ts'
import { Brand } from '../components/brand.tsx'
import { Interruptions } from '../components/interruptions.tsx'
import { SsoFailure } from './other-sign-in.tsx'
import { SignInForms } from './sign-in-form.tsx'

/** The page for people who are not signed in. The URL stays, so that they arrive where they wanted to go. */
export function SignInPage() {
  useEffect(() => {
    document.title = 'Sign in – Patchbay'
  }, [])
  return (
    <main className="sign-in">
      <div className="card">
        <Interruptions />
        <div className="brand">
          <Brand />
        </div>
        <h1>Sign in</h1>
        <SsoFailure />
        <SignInForms onDone={() => void queryClient.resetQueries()} />
      </div>
    </main>
  )
}
