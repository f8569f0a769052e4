import { localUrl } from './port.ts'
import { rename, rm } from 'node:fs/promises'
import type { App } from '../app/create-app.ts'
import { createFirstProject } from '../features/projects/index.ts'
import type { Config } from '../platform/config.ts'
import { newApiKey, type Encryptor } from '../platform/crypto/index.ts'
import { sql } from '../platform/db/sql.ts'
import { type KeysFile, keysFilePath, readKeysFile, writeKeysFile } from './keys-file.ts'

/** Keys that were made now and that nobody has seen yet; one that the operator gave is not among them. */
export interface NewKeys {
  project?: string | undefined
  organization?: string | undefined
}

/**
 * On an empty database makes the first project and its keys, exactly once however many servers start together.
 * Keys that we make up are on disk, under a provisional name, before the database has them: killed in between,
 * the next start finds out whether they became valid. Otherwise they would be lost and nobody could get in.
 */
export async function createFirstKeys(
  app: App,
  seal: Encryptor,
  config: Config,
  dataDir: string,
): Promise<NewKeys> {
  const { bootstrapProjectApiKey: givenProject, bootstrapOrgApiKey: givenOrganization } = config
  const path = keysFilePath(dataDir)
  const provisional = `${path}.first`
  const left = await readKeysFile(provisional)
  const isEmpty = !(await app.db.one(sql`select 1 from organizations limit 1`))
  if (!isEmpty && !left) return {}
  if (givenProject && givenOrganization) {
    await createFirstProject(app.db, seal, {
      projectApiKey: givenProject,
      organizationApiKey: givenOrganization,
    })
    return {}
  }
  const projectApiKey = givenProject ?? left?.project_api_key ?? newApiKey('ak')
  const organizationApiKey = givenOrganization ?? left?.organization_api_key ?? newApiKey('oak')
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
  await rename(provisional, path)
  return {
    project: givenProject ? undefined : projectApiKey,
    organization: givenOrganization ? undefined : organizationApiKey,
  }
}

/** Keeps the address in the file true when the server moved; answers whether there is a file. */
export async function refreshKeysFile(dataDir: string, url: string): Promise<boolean> {
  const path = keysFilePath(dataDir)
  const known = await readKeysFile(path)
  if (known && known.url !== url) await writeKeysFile(path, { ...known, url })
  return known !== undefined
}

/** The project of a pair of keys if both are valid, asked through our own door. */
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
