import type { AuthSchemeManifest } from '../../manifest/format/index.ts'

/** How to sign in, as a person says it in a line. What it cannot say is written as in a manifest. */
export type AuthForm =
  | { readonly type: 'none' | 'basic' }
  | { readonly type: 'bearer'; readonly prefix?: string | undefined }
  | {
      readonly type: 'api_key'
      readonly in?: 'header' | 'query' | undefined
      readonly name?: string | undefined
      readonly prefix?: string | undefined
    }
  | {
      readonly type: 'oauth2'
      readonly authorization_url: string
      readonly token_url: string
      readonly scopes?: readonly string[] | undefined
    }
  | {
      readonly type: 'client_credentials'
      readonly token_url: string
      readonly scopes?: readonly string[] | undefined
    }

/**
 * The schemes of a manifest that the forms mean. Those that are schemes already stay as they are; that they
 * are sound is judged with the toolkit.
 */
export const authFrom = (forms: readonly (AuthForm | AuthSchemeManifest)[]): AuthSchemeManifest[] =>
  forms.map((one) => ('scheme' in one ? one : schemeOf(one)))

/** Braces would be places of a template. */
const plain = (text: string): string => text.replaceAll('{', '{{')

function schemeOf(form: AuthForm): AuthSchemeManifest {
  switch (form.type) {
    case 'none':
      return { scheme: 'NO_AUTH' }
    case 'basic':
      return { scheme: 'BASIC' }
    case 'bearer':
      return form.prefix === undefined
        ? { scheme: 'BEARER_TOKEN' }
        : {
            scheme: 'BEARER_TOKEN',
            apply: { headers: { authorization: `${plain(spaced(form.prefix))}{token}` } },
          }
    case 'api_key': {
      const value = `${form.prefix === undefined ? '' : plain(spaced(form.prefix))}{generic_api_key}`
      const name = form.name ?? 'X-API-Key'
      return {
        scheme: 'API_KEY',
        apply:
          form.in === 'query' ? { query: { [name]: value } } : { headers: { [name.toLowerCase()]: value } },
      }
    }
    case 'oauth2':
      return {
        scheme: 'OAUTH2',
        authorize: { url: plain(form.authorization_url) },
        token: { url: plain(form.token_url) },
        refresh: { rotates: 'sometimes' },
        ...scopesOf(form.scopes),
      }
    case 'client_credentials':
      return { scheme: 'S2S_OAUTH2', token: { url: plain(form.token_url) }, ...scopesOf(form.scopes) }
  }
}

const scopesOf = (scopes: readonly string[] | undefined) =>
  scopes && scopes.length > 0 ? { scopes: { default: [...scopes], available: [...scopes] } } : {}

/** `Token` means `Token `: a word and what follows it are two. */
const spaced = (prefix: string): string => (/[A-Za-z0-9]$/.test(prefix) ? `${prefix} ` : prefix)
