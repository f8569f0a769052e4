import { localUrl } from './port.ts'
import { rm } from 'node:fs/promises'
import { renameFile } from '../platform/rename-file.ts'
import type { App } from '../app/create-app.ts'
import { createFirstProject } from '../features/projects/index.ts'
import type { Config } from '../platform/config.ts'
import { newApiKey, type Encryptor } from '../platform/crypto/index.ts'
import { sql } from '../platform/db/sql.ts'
import { type KeysFile, keysFilePath, readKeysFile, writeKeysFile } from './keys-file.ts'

/** New keys that nobody has seen yet, without those that the administrator set. */
export interface NewKeys {
  project?: string | undefined
  organization?: string | undefined
}

/**
 * Creates the first project and its keys in an empty database, exactly once even if several servers start
 * together. Generated keys are written to a temporary file before the database has them. If the process is
 * killed in between, the next start checks whether they became valid; otherwise they would be lost and nobody
 * could sign in.
 */
export async function createFirstKeys(
  app: App,
  seal: Encryptor,
  config: Config,
  dataDir: string,
): Promise<NewKeys> {
  const { bootstrapProjectApiKey: ownProjectKey, bootstrapOrgApiKey: ownOrganizationKey } = config
  const path = keysFilePath(dataDir)
  const provisional = `${path}.first`
  const left = await readKeysFile(provisional)
  const isEmpty = !(await app.db.one(sql`select 1 from organizations limit 1`))
  if (!isEmpty && !left) return {}
  if (ownProjectKey && ownOrganizationKey) {
    await createFirstProject(app.db, seal, {
      projectApiKey: ownProjectKey,
      organizationApiKey: ownOrganizationKey,
    })
    return {}
  }
  const projectApiKey = ownProjectKey ?? left?.project_api_key ?? newApiKey('ak')
  const organizationApiKey = ownOrganizationKey ?? left?.organization_api_key ?? newApiKey('oak')
  const content = {
    url: localUrl(config),
    project_id: '',
    project_api_key: projectApiKey,
    organization_api_key: organizationApiKey,
  }
  await writeKeysFile(provisional, content)
  const made = await createFirstProject(app.db, seal, { projectApiKey, organizationApiKey })
  const projectId = made?.projectId ?? (left && (await projectOfKeys(app, content)))
  if (!projectId) {
    // another server was first
    await rm(provisional, { force: true })
    return {}
  }
  await writeKeysFile(provisional, { ...content, project_id: projectId })
  await renameFile(provisional, path)
  return {
    project: ownProjectKey ? undefined : projectApiKey,
    organization: ownOrganizationKey ? undefined : organizationApiKey,
  }
}

/** Updates the URL in the keys file after the server has moved. Returns whether the file exists. */
export async function refreshKeysFile(dataDir: string, url: string): Promise<boolean> {
  const path = keysFilePath(dataDir)
  const known = await readKeysFile(path)
  if (known && known.url !== url) await writeKeysFile(path, { ...known, url })
  return known !== undefined
}

/** Returns the project of a pair of keys if both are valid, by calling the API in this process. */
async function projectOfKeys(
  { http }: App,
  { project_api_key, organization_api_key }: KeysFile,
): Promise<string | undefined> {
  const [project, organization] = await Promise.all([
    http.inject({ url: '/api/v3/auth/session/info', headers: { 'x-api-key': project_api_key } }),
    http.inject({
      url: '/api/v3/org/owner/project/list?limit=1',
      headers: { 'x-org-api-key': organization_api_key },
    }),
  ])
  return project.statusCode === 200 && organization.statusCode === 200
    ? project.json<{ project: { nano_id: string } }>().project.nano_id
    : undefined
}
