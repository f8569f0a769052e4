import { withEnvFile } from './environment.ts'
import { valueOf, type Variables } from './names.ts'
import { settings, type Setting } from './settings.ts'

/** A setting of this process, without the value of a secret. `is_set`: a variable sets it. */
export interface SettingDescription {
  name: string
  /** As text; null for a secret, and without a value. */
  value: string | null
  is_set: boolean
  is_secret: boolean
  description: string
}

/** Describes every setting of this process, from its environment and `.env`. */
export function describeSettings(cwd = process.cwd(), env: Variables = process.env): SettingDescription[] {
  const { values } = withEnvFile(cwd, env)
  return Object.values<Setting<unknown>>(settings).map((setting) => {
    const text = valueOf(values, setting.name)?.text
    const fallback = setting.defaultMeans ?? (typeof setting.default === 'string' ? setting.default : '')
    return {
      name: setting.name,
      value: setting.secret ? null : (text ?? (fallback === '' ? null : fallback)),
      is_set: text !== undefined,
      is_secret: setting.secret === true,
      description: setting.description,
    }
  })
}
