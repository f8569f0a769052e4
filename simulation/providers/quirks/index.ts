import type { Quirk } from '../quirk.ts'
import { ASSERTIONS } from './assertions.ts'
import { AUTHORIZE_CLIENTS } from './authorize-clients.ts'
import { AUTHORIZE_HOSTS } from './authorize-hosts.ts'
import { AUTHORIZE_PARAMETERS } from './authorize-parameters.ts'
import { AUTHORIZE_SCOPES } from './authorize-scopes.ts'
import { CALLBACKS } from './callback.ts'
import { KEY_HEADERS } from './key-headers.ts'
import { KEYS } from './keys.ts'
import { REFRESH } from './refresh.ts'
import { REPLY } from './reply.ts'
import { SCHEMES } from './schemes.ts'
import { SIGNATURES } from './signatures.ts'
import { SIGNED_TOKENS } from './signed-tokens.ts'
import { TOKEN_REQUESTS } from './token-request.ts'

/** Every peculiarity that is imitated, in the order of the list of them. */
export const QUIRKS: readonly Quirk[] = [
  ...SCHEMES,
  ...AUTHORIZE_SCOPES,
  ...AUTHORIZE_PARAMETERS,
  ...AUTHORIZE_HOSTS,
  ...AUTHORIZE_CLIENTS,
  ...CALLBACKS,
  ...TOKEN_REQUESTS,
  ...ASSERTIONS,
  ...REPLY,
  ...REFRESH,
  ...KEY_HEADERS,
  ...KEYS,
  ...SIGNATURES,
  ...SIGNED_TOKENS,
].sort((a, b) => a.number - b.number)
