import { identityLabel, type KnownIdentity } from '../../identity/identity.ts'

/** Tells users as whom they are connected, so that they notice the wrong one of two accounts immediately. */
export function connectedIdentityText(known: KnownIdentity | undefined): string {
  const close = 'You can close this page and go back to the application.'
  if (!known?.current) return close
  const before = known.before ? ` Before, it was ${identityLabel(known.before)}.` : ''
  return `You are connected as ${identityLabel(known.current)}.${before} ${close}`
}
