import * as contract from '../../../contract/sessions/index.ts'
import { ApiError, badRequest } from '../../../platform/http/api-error.ts'
import type { Api, Call } from '../../../platform/http/call.ts'
import type { MountFiles } from '../../files/index.ts'
import type { SessionService } from '../service.ts'

export interface SessionMountDeps {
  service: SessionService
  mounts: MountFiles
}

/** The only mount of a session, and its path in a sandbox. */
const MOUNT_NAME = 'files'
const SANDBOX_PATH = '/mnt/files'
const ITEMS_PER_PAGE = 100
const ITEMS_PER_PAGE_MAX = 500
const PATH_BYTES_MAX = 1_024

const pathFields = (path: string) => ({ mount_relative_path: path, sandbox_mount_prefix: SANDBOX_PATH })

/** Registers the endpoints for the files of a session. */
export function sessionMountRoutes(api: Api, deps: SessionMountDeps): void {
  listRoute(api, deps)
  const { mounts } = deps
  api.on(contract.uploadToMount, async (call) => {
    const { projectId, params, body, settings } = call
    await checkMount(deps, call)
    const path = validateMountPath(body.mount_relative_path)
    const { url, expiresAt } = await mounts.createUploadUrl(
      projectId,
      params.session_id,
      { path, mimetype: body.mimetype },
      settings.fileUrlSeconds,
    )
    return { upload_url: url, expires_at: expiresAt.toISOString(), ...pathFields(path) }
  })
  api.on(contract.downloadFromMount, async (call) => {
    const { projectId, params, body, settings } = call
    await checkMount(deps, call)
    const path = validateMountPath(body.mount_relative_path)
    const { url, expiresAt } = await mounts.createDownloadUrl(
      projectId,
      params.session_id,
      path,
      settings.fileUrlSeconds,
    )
    return { download_url: url, expires_at: expiresAt.toISOString(), ...pathFields(path) }
  })
  api.on(contract.deleteFromMount, async (call) => {
    const { projectId, params, body } = call
    await checkMount(deps, call)
    const path = validateMountPath(body.mount_relative_path)
    await mounts.remove(projectId, params.session_id, path)
    return pathFields(path)
  })
}

async function checkMount(
  { service }: SessionMountDeps,
  { projectId, params }: Pick<Call<typeof contract.listMountItems>, 'projectId' | 'params'>,
): Promise<void> {
  await service.readAndTouch(projectId, params.session_id)
  if (params.mount !== MOUNT_NAME)
    throw new ApiError(
      'ToolRouterV2_MountNotFound',
      `The session has no mount ${params.mount}. Its mount is ${MOUNT_NAME}.`,
    )
}

function listRoute(api: Api, deps: SessionMountDeps): void {
  api.on(contract.listMountItems, async (call) => {
    const {
      projectId,
      params,
      query: { mount_relative_prefix: prefix = '', cursor, limit = ITEMS_PER_PAGE },
    } = call
    await checkMount(deps, call)
    const pageSize = Math.min(limit, ITEMS_PER_PAGE_MAX)
    const files = await deps.mounts.list(projectId, params.session_id, {
      prefix: prefix.replace(/^\//, ''),
      after: cursor === undefined ? '' : decodePathCursor(cursor),
      limit: pageSize + 1,
    })
    const page = files.slice(0, pageSize)
    return {
      items: page.map(({ mount_path: path, size, uploaded_at: at }) => ({
        ...pathFields(path),
        size,
        last_modified: at.toISOString(),
      })),
      ...(files.length > page.length
        ? { next_cursor: Buffer.from(page.at(-1)!.mount_path).toString('base64url') }
        : {}),
    }
  })
}

/** Returns the path if it is relative and stays below the mount. @throws ApiError 400 */
export function validateMountPath(path: string): string {
  const isValid =
    Buffer.byteLength(path) <= PATH_BYTES_MAX &&
    !/[\0-\x1f\x7f\\]/.test(path) &&
    path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
  if (!isValid)
    throw badRequest(
      'Error in payload.mount_relative_path: must be a path below the mount, without empty parts, dots ' +
        `as parts and control characters, of at most ${PATH_BYTES_MAX} bytes`,
    )
  return path
}

function decodePathCursor(cursor: string): string {
  const path = Buffer.from(cursor, 'base64url').toString()
  if (path === '' || path.includes('\0') || Buffer.from(path).toString('base64url') !== cursor)
    throw badRequest('Error in query.cursor: is not a cursor of this API')
  return path
}
