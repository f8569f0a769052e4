import { identityLabel, type KnownIdentity } from '../../identity/identity.ts'
import { type PageText, text } from '../language/index.ts'

/** Tells users as whom they are connected, so that they notice the wrong one of two accounts immediately. */
export function connectedIdentityText(known: KnownIdentity | undefined): PageText {
  const close = text('close_page')
  if (!known?.current) return close
  const before = known.before
    ? [text('flow.connected_before', { identity: identityLabel(known.before) })]
    : []
  return [text('flow.connected_as', { identity: identityLabel(known.current) }), ...before, close]
}
