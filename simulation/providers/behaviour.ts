import type { Pkce } from './credentials.ts'
import type { Check, Demands, Params } from './demands.ts'
import type { AccessToken, Family, Lifetimes } from './families.ts'
import type { Answer, Incoming, ProviderError } from './http.ts'
import type { Provider } from './provider.ts'

/** One authorization: its code, and the tokens that it may be exchanged for. */
export interface Grant {
  code: string
  params: Params
  family: Family
  until: number
  used: boolean
}
/** What a reply of the token endpoint is made of. */
export interface Reply {
  tokens: Params & { expires_in?: unknown }
  family: Family
  provider: Provider
  refreshing: boolean
  request: Incoming
  params: Params
}

/** Everything that one provider does otherwise than a strict server of RFC 6749, 7636 and 9700. */
export interface Behaviour {
  lifetimes?: Partial<Lifetimes>
  authorize?: Demands & {
    responseType?: string
    pkce?: Pkce
    /** What the browser comes back with in place of `{code, state}`. */
    callback?: (params: Params, context: { grant: Grant; provider: Provider }) => Params
  }
  /** A refresh token is given only when the authorization asked for it so. */
  offline?: (params: Params) => boolean
  token?: Demands & {
    client?: 'post' | 'basic' | 'none' | Check<{ request: Incoming; params: Params; provider: Provider }>
    reply?: (context: Reply) => Answer
  }
  /** `null`: nothing is renewed here. */
  refresh?:
    | (Demands & {
        rotates?: boolean
        with?: 'refresh_token' | 'access_token'
        reply?: (context: Reply) => Answer
      })
    | null
  /** The API; the default is a bearer token (RFC 6750). */
  me?: {
    /** Default `/api/me`. */
    path?: string
    token?: (request: Incoming, provider: Provider) => string | undefined
    check?: Check<{ request: Incoming; token: AccessToken; provider: Provider }>
    /** In place of a token: keys, passwords, signatures. */
    accepts?: Check<{ request: Incoming; provider: Provider }>
    /** What a request shows of them: it may be taken back, and the answer says by its fingerprint which it was. */
    credential?: (request: Incoming) => string | undefined
    /** The response to wrong credentials; default 401. */
    errorReply?: (error: ProviderError) => Answer
  }
  /** Requests that only this provider knows, e.g. `POST /session`. */
  routes?: Readonly<
    Record<
      string,
      (call: { request: Incoming; params: Params; provider: Provider }) => Answer | Promise<Answer>
    >
  >
}
