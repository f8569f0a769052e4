import * as contract from '../../contract/session-mounts.ts'
import { ApiError, badRequest } from '../../platform/http/api-error.ts'
import type { Api, Call } from '../../platform/http/call.ts'
import type { MountFiles } from '../files/index.ts'
import { refuseUnknown } from './routes.ts'
import type { SessionService } from './service.ts'

export interface MountDeps {
  service: SessionService
  mounts: MountFiles
}

/** The one mount that sessions have, and where a sandbox sees it. */
const MOUNT = 'files'
const SEEN_AT = '/mnt/files'
const ITEMS_A_PAGE = 100
const ITEMS_A_PAGE_MAX = 500
const PATH_BYTES_MAX = 1_024

type InMount = Pick<Call<typeof contract.listMountItems>, 'projectId' | 'params'>

/** Files of a session. */
export function sessionMountRoutes(api: Api, { service, mounts }: MountDeps): void {
  async function open({ projectId, params }: InMount): Promise<void> {
    await service.use(projectId, params.session_id)
    if (params.mount !== MOUNT)
      throw new ApiError('ToolRouterV2_MountNotFound', `The session has no mount ${params.mount}.`)
  }
  const where = (path: string) => ({ mount_relative_path: path, sandbox_mount_prefix: SEEN_AT })

  api.on(contract.listMountItems, async (call) => {
    const {
      projectId,
      params,
      query: { mount_relative_prefix: prefix = '', cursor, limit = ITEMS_A_PAGE },
    } = call
    await open(call)
    const most = Math.min(limit, ITEMS_A_PAGE_MAX)
    const found = await mounts.list(projectId, params.session_id, {
      prefix: prefix.replace(/^\//, ''),
      after: cursor === undefined ? '' : readCursor(cursor),
      limit: most + 1,
    })
    const items = found.slice(0, most)
    return {
      items: items.map(({ mount_path: path, size, uploaded_at: at }) => ({
        ...where(path),
        size,
        last_modified: at.toISOString(),
      })),
      ...(found.length > items.length
        ? { next_cursor: Buffer.from(items.at(-1)!.mount_path).toString('base64url') }
        : {}),
    }
  })
  api.on(contract.uploadToMount, async (call) => {
    const { projectId, params, body, settings, apiVersion } = call
    refuseUnknown(apiVersion, contract.uploadToMount, body)
    await open(call)
    const path = readPath(body.mount_relative_path)
    const { url, expiresAt } = await mounts.uploadAddress(
      projectId,
      params.session_id,
      { path, mimetype: body.mimetype },
      settings.fileUrlSeconds,
    )
    return { upload_url: url, expires_at: expiresAt.toISOString(), ...where(path) }
  })
  api.on(contract.downloadFromMount, async (call) => {
    const { projectId, params, body, settings, apiVersion } = call
    refuseUnknown(apiVersion, contract.downloadFromMount, body)
    await open(call)
    const path = readPath(body.mount_relative_path)
    const { url, expiresAt } = await mounts.downloadAddress(
      projectId,
      params.session_id,
      path,
      settings.fileUrlSeconds,
    )
    return { download_url: url, expires_at: expiresAt.toISOString(), ...where(path) }
  })
  api.on(contract.deleteFromMount, async (call) => {
    const { projectId, params, body, apiVersion } = call
    refuseUnknown(apiVersion, contract.deleteFromMount, body)
    await open(call)
    const path = readPath(body.mount_relative_path)
    await mounts.remove(projectId, params.session_id, path)
    return where(path)
  })
}

/** A path below the mount that leads nowhere else. @throws ApiError 400 */
export function readPath(path: string): string {
  const isSound =
    Buffer.byteLength(path) <= PATH_BYTES_MAX &&
    !/[\0-\x1f\x7f\\]/.test(path) &&
    path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
  if (!isSound)
    throw badRequest(
      `Error in payload.mount_relative_path: must be a path below the mount, without empty parts, dots as parts and control characters, of at most ${PATH_BYTES_MAX} bytes`,
    )
  return path
}

function readCursor(cursor: string): string {
  const path = Buffer.from(cursor, 'base64url').toString()
  if (path === '' || path.includes('\0') || Buffer.from(path).toString('base64url') !== cursor)
    throw badRequest('Error in query.cursor: is not a cursor of this API')
  return path
}
