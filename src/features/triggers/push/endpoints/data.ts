import type { CompiledWebhook } from '../../../../catalog/index.ts'
import type { Encryptor, ProjectEncryptor } from '../../../../platform/crypto/index.ts'
import type { EndpointRow } from './store.ts'

export type EndpointData = Readonly<Record<string, string>>

const encryptionContext = (id: string) => `webhook_endpoints:${id}:data`

export const decryptData = (
  encryptor: Encryptor,
  { id, data }: Pick<EndpointRow, 'id' | 'data'>,
): EndpointData => (data ? encryptor.decrypt<EndpointData>(data, encryptionContext(id)) : {})
export const encryptData = (encryptor: ProjectEncryptor, id: string, data: EndpointData): Buffer =>
  encryptor.encrypt(data, encryptionContext(id))

/** Required setup fields without a value. Fields that the application sends itself are not setup fields. */
export const missingFields = ({ setup }: CompiledWebhook, data: EndpointData): string[] =>
  setup.filter(({ name, required = true }) => required && !data[name]).map(({ name }) => name)
