import type { AuthConfig } from '../../../contract/auth-configs/index.ts'
import { schemeName } from '../../../contract/scheme-names.ts'
import type { SchemeSetup } from '../../../contract/toolkits/index.ts'
import { CheckField } from '../../components/index.ts'

/** Names a way to sign in: as the application does, or as its scheme. */
export const signInName = ({ mode, name }: SchemeSetup): string => (name === mode ? schemeName(mode) : name)

/** The newest enabled auth config of each scheme except one: a link offers each scheme once. */
export const otherSignIns = (
  schemes: readonly SchemeSetup[],
  configs: readonly AuthConfig[],
  mode: string,
): { id: string; label: string }[] =>
  schemes.flatMap((scheme) => {
    const config = configs.find((one) => one.auth_scheme === scheme.mode && one.status === 'ENABLED')
    return config && scheme.mode !== mode ? [{ id: config.id, label: signInName(scheme) }] : []
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
