import { isObject } from '../../json-object.ts'
import { type KmsRequest, requestKms, textField, toBase64 } from './request.ts'
import { type KeyWrapper, KmsError, type KmsKey } from './types.ts'

const SERVICE = 'Vault'

/**
 * Uses a key of the transit secrets engine of HashiCorp Vault or OpenBao (`POST /v1/<mount>/encrypt/<key>`). The token
 * needs `update` on the paths `encrypt` and `decrypt` of the key.
 */
export function vaultTransit(
  { url, mount, key }: Extract<KmsKey, { service: 'vault' }>,
  token: string | undefined,
): KeyWrapper {
  if (token === undefined) throw new KmsError('VAULT_TOKEN is not set')
  const send = async (operation: 'encrypt' | 'decrypt', id: string, fields: Record<string, string>) => {
    const request: KmsRequest = {
      method: 'POST',
      url: `${url}/v1/${mount}/${operation}/${key}`,
      headers: { 'content-type': 'application/json', 'x-vault-token': token, 'x-vault-request': 'true' },
      body: JSON.stringify({ ...fields, associated_data: toBase64(id) }),
    }
    const { data } = await requestKms(SERVICE, () => request, firstError)
    if (!isObject(data)) throw new KmsError(`${SERVICE} returned no data`)
    return data
  }
  return {
    name: `${SERVICE} key ${mount}/${key}`,
    wrap: async (id, bytes) =>
      textField(SERVICE, await send('encrypt', id, { plaintext: toBase64(bytes) }), 'ciphertext'),
    unwrap: async (id, ciphertext) =>
      Buffer.from(textField(SERVICE, await send('decrypt', id, { ciphertext }), 'plaintext'), 'base64'),
  }
}

const firstError = ({ errors }: Record<string, unknown>): unknown =>
  Array.isArray(errors) ? errors[0] : undefined
