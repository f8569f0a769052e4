import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { isForeign, nearest, settingFor, valueOf, type Variables } from './names.ts'

export interface Environment {
  values: Variables
  /** Problems of `.env`, one sentence each, without values. */
  problems: string[]
}

/**
 * Merges the environment with the `.env` file of `cwd`. The environment has priority, under both names of a
 * setting. Unknown variables are normal in the environment. In the file, an unknown name would have no
 * effect, so it is a problem.
 */
export function withEnvFile(cwd: string, env: Variables): Environment {
  const file = join(cwd, '.env')
  const values = { ...env }
  const problems: string[] = []
  for (const [variable, text] of Object.entries(readFile(file, problems))) {
    const name = settingFor(variable)
    if (name !== undefined) {
      if (!valueOf(env, name)) values[variable] = text
    } else if (!isForeign(variable)) {
      problems.push(unknownSettingText(`${variable} in ${file}`, variable))
    }
  }
  return { values, problems }
}

export function unknownSettingText(place: string, variable: string): string {
  const suggestion = nearest(variable)
  return `${place} is not a setting.${suggestion ? ` Did you mean ${suggestion}?` : ''}`
}

function readFile(file: string, problems: string[]): Variables {
  try {
    // Some editors write a byte order mark first.
    return parseEnv(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      problems.push(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
    return {}
  }
}
