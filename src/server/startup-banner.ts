import type { Config } from '../platform/config.ts'
import type { NewKeys } from './first-keys.ts'
import { keysFilePath } from './keys-file.ts'
import { localUrl } from './port.ts'
import type { Progress } from './progress.ts'

/** Tells where everything is, and a first call that works as it stands. A key is shown only in the start that made it up. */
export function printBanner(
  progress: Progress,
  { config, keys, hasFile }: { config: Config; keys: NewKeys; hasFile: boolean },
): void {
  const { dataDir } = config
  const url = localUrl(config)
  const file = keysFilePath(dataDir)
  const isGiven = config.bootstrapProjectApiKey && config.bootstrapOrgApiKey
  progress.line()
  if (config.publicUrl !== url) progress.line(`Public address    ${config.publicUrl}`)
  progress.line(`API reference     ${url}/reference`)
  progress.line(
    `Keys              ${hasFile ? `${file} (only you can read it)` : isGiven ? 'as given by BOOTSTRAP_PROJECT_API_KEY and BOOTSTRAP_ORG_API_KEY' : 'those of the first start on this database'}`,
  )
  if (keys.project) progress.line(`Project key       ${keys.project}   (shown this once)`)
  if (keys.organization) progress.line(`Organization key  ${keys.organization}   (shown this once)`)
  progress.line()
  progress.line('Execute a first tool:')
  const key =
    keys.project ??
    (hasFile
      ? `$(sed -n 's/.*"project_api_key": "\\(.*\\)".*/\\1/p' '${file.replaceAll("'", "'\\''")}')`
      : isGiven
        ? '$BOOTSTRAP_PROJECT_API_KEY'
        : '$PROJECT_API_KEY')
  progress.line(
    `curl -s ${url}/api/v3.1/tools/execute/UTILITIES_GET_CURRENT_TIME -H "x-api-key: ${key}" -H 'content-type: application/json' -d '{"arguments":{"timezone":"Europe/Paris"}}'`,
  )
  progress.line()
}
