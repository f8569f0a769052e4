import type { Sealer } from '../../platform/crypto/index.ts'
import type { SubscriptionRow } from './store.ts'

const contextOf = (id: string, part: 'secret' | 'former_secret') => `webhook_subscriptions:${id}:${part}`

export const sealSecret = (sealer: Sealer, id: string, secret: string): Buffer =>
  sealer.seal(secret, contextOf(id, 'secret'))
export const sealFormer = (sealer: Sealer, id: string, secret: string): Buffer =>
  sealer.seal(secret, contextOf(id, 'former_secret'))
export const openSecret = (sealer: Sealer, { id, secret }: Pick<SubscriptionRow, 'id' | 'secret'>): string =>
  sealer.open<string>(secret, contextOf(id, 'secret'))
export const openFormer = (sealer: Sealer, id: string, sealed: Buffer): string =>
  sealer.open<string>(sealed, contextOf(id, 'former_secret'))
