import { useState } from 'react'

/** The response of `POST /connected_accounts/link`, which your backend passes on. */
export interface ConnectLink {
  redirect_url: string
  connected_account_id: string
}

export interface ConnectResult {
  /** `closed`: the user closed the popup. */
  status: 'success' | 'failed' | 'closed'
  connectedAccountId: string | null
  error: string | null
}

declare global {
  interface Window {
    /** From `/connect.js` of the Patchbay server. */
    Patchbay?: {
      openConnect(options: {
        link: ConnectLink | (() => Promise<ConnectLink>)
        timeoutMs?: number
      }): Promise<ConnectResult>
      finishConnect(): void
    }
  }
}

interface ConnectButtonProps {
  /** Name of the application to connect, such as `GitHub`. */
  name: string
  /** Asks your backend for a link. The backend has the API key; the browser never sees it. */
  createLink(): Promise<ConnectLink>
  onConnected(accountId: string): void
}

/** A button that connects an account of the user in a popup. */
export function ConnectButton({ name, createLink, onConnected }: ConnectButtonProps) {
  const [state, setState] = useState<'ready' | 'open' | 'closed' | 'failed'>('ready')
  const connect = async () => {
    setState('open')
    try {
      if (!window.Patchbay) throw new Error('connect.js is not loaded.')
      const { status, connectedAccountId } = await window.Patchbay.openConnect({ link: createLink })
      if (status === 'success' && connectedAccountId) onConnected(connectedAccountId)
      setState(status === 'success' ? 'ready' : status)
    } catch {
      setState('failed')
    }
  }
  return (
    <>
      <button type="button" disabled={state === 'open'} onClick={() => void connect()}>
        Connect {name}
      </button>
      <p role="status">{MESSAGES[state]}</p>
    </>
  )
}

const MESSAGES = {
  ready: '',
  open: 'Continue in the window that opened.',
  closed: 'The window was closed. Nothing was connected.',
  failed: 'The account was not connected. Try again.',
} as const
