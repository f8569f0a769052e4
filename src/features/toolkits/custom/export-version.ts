import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { LATEST_VERSION } from '../../../catalog/index.ts'
import type { Db } from '../../../platform/db/sql.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import { expandContent } from '../../../catalog/importers/versions/index.ts'
import * as store from './store.ts'

const compress = promisify(gzip)

/** Largest compressed content: in base64 it fits into the body of an import, which is limited to 6 MB. */
export const EXPORT_BYTES_MAX = 4 * 1024 * 1024

/**
 * Returns a version of a toolkit of a project, with its content as gzip.
 * @throws ApiError 404 for an unknown version; 413 if no server could import the content in one request
 */
export async function exportVersion(
  db: Db,
  projectId: string,
  slug: string,
  name: string,
): Promise<{ row: store.ToolkitVersionRow; gzip: Buffer }> {
  const versions = await store.listVersionsOfToolkit(db, projectId, slug)
  const row = name === LATEST_VERSION ? versions[0] : versions.find(({ version }) => version === name)
  if (!row) throw new ApiError('Toolkit_VersionNotFound', `Toolkit ${slug} has no version ${name}`)
  if (row.size > EXPORT_BYTES_MAX) throw tooLarge(row)
  const bytes = await store.findContent(db, row.digest)
  if (!bytes) throw new Error(`The content ${row.digest} of a toolkit is not in the database.`)
  const content = await compress(await expandContent(bytes))
  if (content.length > EXPORT_BYTES_MAX) throw tooLarge(row)
  return { row, gzip: content }
}

const tooLarge = ({ slug, version }: store.ToolkitVersionRow): ApiError =>
  new ApiError(
    'Toolkit_DocumentTooLarge',
    `The version ${version} of ${slug} has more than ${EXPORT_BYTES_MAX / 2 ** 20} MB of compressed content. Import ` +
      'its API description at the other server.',
  )
