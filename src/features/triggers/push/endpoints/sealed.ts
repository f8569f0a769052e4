import type { CompiledWebhook } from '../../../../catalog/index.ts'
import type { Encryptor } from '../../../../platform/crypto/index.ts'
import type { EndpointRow } from './store.ts'

export type EndpointData = Readonly<Record<string, string>>

const contextOf = (id: string) => `webhook_endpoints:${id}:data`

export const openData = (
  encryptor: Encryptor,
  { id, data }: Pick<EndpointRow, 'id' | 'data'>,
): EndpointData => (data ? encryptor.decrypt<EndpointData>(data, contextOf(id)) : {})
export const sealData = (encryptor: Encryptor, id: string, data: EndpointData): Buffer =>
  encryptor.encrypt(data, contextOf(id))

/** What an endpoint has to hold before anything can be proven; fields that the application brings itself are none. */
export const missingOf = ({ setup }: CompiledWebhook, data: EndpointData): string[] =>
  setup.filter(({ name, required = true }) => required && !data[name]).map(({ name }) => name)
