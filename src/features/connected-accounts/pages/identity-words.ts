import { type KnownIdentity, whoIs } from '../identity.ts'

/** What a user reads at the end: as whom they are connected, so that the wrong one of two accounts is noticed at once. */
export function connectedWords(known: KnownIdentity | undefined): string {
  const close = 'You can close this page and go back to the application.'
  if (!known?.current) return close
  const before = known.before ? ` Before, it was ${whoIs(known.before)}.` : ''
  return `You are connected as ${whoIs(known.current)}.${before} ${close}`
}
