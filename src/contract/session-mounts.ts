import { Type } from 'typebox'
import { Id, Timestamp } from './common.ts'
import { route } from './route.ts'

const reads = { audience: 'project', permission: { area: 'sessions', level: 'read' } } as const
const writes = { audience: 'project', permission: { area: 'sessions', level: 'write' } } as const

const Mount = Type.Object({
  session_id: Id('trs'),
  mount: Type.String({ minLength: 1, maxLength: 64, examples: ['files'] }),
})
const Path = Type.String({
  minLength: 1,
  maxLength: 1_024,
  description: 'Below the mount, without a slash at its beginning.',
  examples: ['out/report.pdf'],
})
const Where = {
  mount_relative_path: Type.String(),
  sandbox_mount_prefix: Type.String({ examples: ['/mnt/files'] }),
}
const OfPath = Type.Object({ mount_relative_path: Path })
const errors = ['ToolRouterV2_SessionNotFound', 'ToolRouterV2_MountNotFound'] as const

export const listMountItems = route({
  ...reads,
  id: 'sessions.mountItems',
  method: 'GET',
  path: '/tool_router/session/:session_id/mounts/:mount/items',
  summary: 'List the files of a mount',
  params: Mount,
  query: Type.Object({
    mount_relative_prefix: Type.Optional(
      Type.String({ maxLength: 1_024, description: 'How the paths begin.' }),
    ),
    cursor: Type.Optional(Type.String({ maxLength: 2_048, description: 'next_cursor of the page before.' })),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Items a page, default 100; more than 500 is read as 500.' }),
    ),
  }),
  // A client of the API takes no null here: the cursor is left out at the end.
  reply: Type.Object({
    items: Type.Array(Type.Object({ ...Where, size: Type.Integer(), last_modified: Timestamp })),
    next_cursor: Type.Optional(Type.String()),
  }),
  errors,
})
export const uploadToMount = route({
  ...writes,
  id: 'sessions.mountUpload',
  method: 'POST',
  path: '/tool_router/session/:session_id/mounts/:mount/upload_url',
  summary: 'Get an upload address in a mount',
  params: Mount,
  body: Type.Object({
    mount_relative_path: Path,
    mimetype: Type.Optional(
      Type.String({ maxLength: 255, pattern: '^[\\x21-\\x7e]+/[\\x20-\\x7e]+$', examples: ['text/csv'] }),
    ),
  }),
  reply: Type.Object({
    upload_url: Type.String({ description: 'PUT the bytes here, without a key.' }),
    expires_at: Timestamp,
    ...Where,
  }),
  errors: [...errors, 'File_QuotaExceeded'],
})
export const downloadFromMount = route({
  ...reads,
  id: 'sessions.mountDownload',
  method: 'POST',
  path: '/tool_router/session/:session_id/mounts/:mount/download_url',
  summary: 'Get a download address in a mount',
  permission: { area: 'sessions', level: 'write' },
  params: Mount,
  body: OfPath,
  reply: Type.Object({ download_url: Type.String(), expires_at: Timestamp, ...Where }),
  errors: [...errors, 'File_NotFound'],
})
export const deleteFromMount = route({
  ...writes,
  id: 'sessions.mountDelete',
  method: 'POST',
  path: '/tool_router/session/:session_id/mounts/:mount/delete',
  summary: 'Delete a file of a mount',
  params: Mount,
  body: OfPath,
  reply: Type.Object(Where),
  errors: [...errors, 'File_StorageUnavailable'],
})
