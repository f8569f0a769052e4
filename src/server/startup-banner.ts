import type { App } from '../app/create-app.ts'
import { createSetupLink, hasMembers } from '../features/members/index.ts'
import type { Config } from '../platform/config.ts'
import { firstCall } from './first-call.ts'
import { type NewKeys, refreshKeysFile } from './first-keys.ts'
import { keysFilePath } from './keys-file.ts'
import { localUrl } from './port.ts'
import type { Progress } from './progress.ts'

interface BannerFacts {
  config: Config
  keys: NewKeys
  hasFile: boolean
  /** One-time link to create the first owner of the console. */
  setupUrl?: string | undefined
}

/**
 * Prints the URLs and keys of the server, and a first call that works when it is pasted. A key is printed
 * only by the start that created it.
 */
export async function printBanner(
  progress: Progress,
  app: App,
  config: Config,
  keys: NewKeys,
): Promise<void> {
  const url = localUrl(config)
  const facts: BannerFacts = {
    config,
    keys,
    hasFile: await refreshKeysFile(config.dataDir, url),
    setupUrl: await firstSetupUrl(app, config),
  }
  progress.line()
  if (config.publicUrl !== url) progress.line(`Public URL        ${config.publicUrl}`)
  if (config.console === 'on') {
    const consoleUrl = facts.setupUrl
      ? `${facts.setupUrl}   (open this; valid for 30 minutes)`
      : `${url}/console`
    progress.line(`Console           ${consoleUrl}`)
  }
  progress.line(`API reference     ${url}/reference`)
  progress.line(`Keys              ${keysText(facts)}`)
  if (keys.project) progress.line(`Project key       ${keys.project}   (shown only once)`)
  if (keys.organization) progress.line(`Organization key  ${keys.organization}   (shown only once)`)
  progress.line()
  progress.line('Execute a first tool:')
  progress.line(
    firstCall({
      url,
      key: keys.project,
      keysFile: facts.hasFile ? keysFilePath(config.dataDir) : undefined,
      keyVariable: hasOwnKeys(config) ? 'BOOTSTRAP_PROJECT_API_KEY' : 'PROJECT_API_KEY',
    }),
  )
  progress.line()
}

/** Returns a link to create the first owner; undefined when there is a member, or no console. */
async function firstSetupUrl({ db }: App, config: Config): Promise<string | undefined> {
  if (config.console === 'off' || (await hasMembers(db))) return undefined
  return createSetupLink(db, localUrl(config), Date.now())
}

const hasOwnKeys = ({ bootstrapProjectApiKey, bootstrapOrgApiKey }: Config): boolean =>
  Boolean(bootstrapProjectApiKey && bootstrapOrgApiKey)

/** On Windows, a new file has the permissions of its folder. */
const readersText = (platform: string = process.platform): string =>
  platform === 'win32' ? 'it has the permissions of its folder' : 'only you can read it'

function keysText({ config, hasFile }: BannerFacts): string {
  if (hasFile) return `${keysFilePath(config.dataDir)} (${readersText()})`
  return hasOwnKeys(config)
    ? 'set by BOOTSTRAP_PROJECT_API_KEY and BOOTSTRAP_ORG_API_KEY'
    : 'created by the first start on this database'
}
