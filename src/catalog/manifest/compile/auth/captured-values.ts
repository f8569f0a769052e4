import type { DcrOAuthManifest, OAuth2Manifest, S2SOAuth2Manifest } from '../../format/index.ts'

/** Names of connection values that making a connection brings along: nobody types them in. */
export function capturedValueNames(scheme: OAuth2Manifest | DcrOAuthManifest | S2SOAuth2Manifest): string[] {
  const { token } = scheme
  const callback = 'callback' in scheme ? scheme.callback?.capture : undefined
  const derived = 'derived_tokens' in scheme ? (scheme.derived_tokens ?? []) : []
  return [
    ...Object.keys({ ...token?.capture, ...callback }),
    ...(token?.steps ?? []).flatMap(({ capture }) => Object.keys(capture ?? {})),
    ...derived.map(({ name }) => name),
  ]
}
