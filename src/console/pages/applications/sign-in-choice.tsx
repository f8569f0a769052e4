import type { AuthConfig } from '../../../contract/auth-configs/index.ts'
import type { SchemeSetup } from '../../../contract/toolkits/index.ts'
import { CheckField } from '../../components/index.ts'

const SCHEME_NAMES: Readonly<Record<string, string>> = {
  OAUTH2: 'OAuth 2.0',
  OAUTH1: 'OAuth 1.0a',
  DCR_OAUTH: 'OAuth with automatic registration',
  S2S_OAUTH2: 'OAuth 2.0 client credentials',
  API_KEY: 'API key',
  BEARER_TOKEN: 'Access token',
  BASIC: 'User name and password',
}

/** Names an auth scheme: `API key` for `API_KEY`. */
export const schemeLabel = (mode: string): string => SCHEME_NAMES[mode] ?? mode
export const schemeName = ({ mode, name }: SchemeSetup): string => (name === mode ? schemeLabel(mode) : name)

/** The newest enabled auth config of each scheme except one: a link offers each scheme once. */
export const otherSignIns = (
  schemes: readonly SchemeSetup[],
  configs: readonly AuthConfig[],
  mode: string,
): { id: string; label: string }[] =>
  schemes.flatMap((scheme) => {
    const config = configs.find((one) => one.auth_scheme === scheme.mode && one.status === 'ENABLED')
    return config && scheme.mode !== mode ? [{ id: config.id, label: schemeName(scheme) }] : []
  })

interface SignInChoiceProps {
  options: readonly { id: string; label: string }[]
  chosen: readonly string[]
  onChange(chosen: readonly string[]): void
}

/** Further ways to sign in that the page of the user offers. Nothing if the project has only one. */
export function SignInChoice({ options, chosen, onChange }: SignInChoiceProps) {
  if (options.length === 0) return null
  return (
    <fieldset>
      <legend>Users may choose another way to sign in</legend>
      {options.map(({ id, label }) => (
        <CheckField
          key={id}
          label={label}
          checked={chosen.includes(id)}
          onChange={(event) =>
            onChange(event.target.checked ? [...chosen, id] : chosen.filter((other) => other !== id))
          }
        />
      ))}
    </fieldset>
  )
}
