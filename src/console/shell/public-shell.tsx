import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Brand } from '../components/brand.tsx'
import { Interruptions } from '../components/interruptions.tsx'

/** The frame around pages that need no sign-in. */
export const PublicShell = ({ children }: { children: ReactNode }) => (
  <div className="column">
    <a className="skip" href="#content">
      Skip to content
    </a>
    <header className="top public-top">
      <Link className="brand" href="/docs">
        <Brand />
      </Link>
      <Link className="button plain" href="/home">
        Sign in
      </Link>
    </header>
    <Interruptions />
    <main id="content" tabIndex={-1}>
      {children}
    </main>
  </div>
)
