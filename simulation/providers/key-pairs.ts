import { generateKeyPairSync } from 'node:crypto'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

/** The key of every client and machine that signs with RSA; made anew at each start. */
export const RSA = { publicKey, pem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }
