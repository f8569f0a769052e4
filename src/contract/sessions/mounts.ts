import { Type } from '../schema-type.ts'
import { Described, exampleId, Id, Timestamp } from '../common.ts'
import { route } from '../route.ts'

const readAccess = { audience: 'project', permission: { area: 'sessions', level: 'read' } } as const

const writeAccess = { audience: 'project', permission: { area: 'sessions', level: 'write' } } as const

const MountParams = Type.Object({
  session_id: Described(Id('trs'), 'Id of the session, `trs_…`.'),
  mount: Type.String({
    minLength: 1,
    maxLength: 64,
    examples: ['files'],
    description: 'Name of the mount. Sessions have one: `files`.',
  }),
})

const Path = Type.String({
  minLength: 1,
  maxLength: 1_024,
  description: 'Path below the mount, without a leading slash.',
  examples: ['out/report.pdf'],
})

const FileLocation = {
  mount_relative_path: Type.String({ description: 'Path below the mount.' }),
  sandbox_mount_prefix: Type.String({
    examples: ['/mnt/files'],
    description: 'Directory of the mount in a sandbox.',
  }),
}

const FileAtPath = Type.Object({
  mount_relative_path: Described(Path, 'Path below the mount, without a leading slash.'),
})

const errors = ['ToolRouterV2_SessionNotFound', 'ToolRouterV2_MountNotFound'] as const

export const listMountItems = route({
  ...readAccess,
  id: 'sessions.mountItems',
  method: 'GET',
  path: '/tool_router/session/:session_id/mounts/:mount/items',
  summary: 'List the files of a session mount',
  description: 'Returns a page of the files of a session mount, sorted by path.',
  example: { params: { session_id: exampleId('trs'), mount: 'files' }, needs: 'a session' },
  params: MountParams,
  query: Type.Object({
    mount_relative_prefix: Type.Optional(
      Type.String({ maxLength: 1_024, description: 'Only paths that begin with this text.' }),
    ),
    cursor: Type.Optional(
      Type.String({
        maxLength: 2_048,
        description: '`next_cursor` of the previous page. Omit it for the first page.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'Largest number of files on a page. Default 100; values above 500 count as 500.',
      }),
    ),
  }),
  // `next_cursor` is absent on the last page, not null: a published client rejects null here.
  reply: Type.Object({
    items: Type.Array(
      Type.Object({
        ...FileLocation,
        size: Type.Integer({ description: 'Size in bytes.' }),
        last_modified: Described(Timestamp, 'When the file was last written.'),
      }),
      { description: 'Files of this page, sorted by path.' },
    ),
    next_cursor: Type.Optional(
      Type.String({ description: 'Value of `cursor` for the next page. Absent on the last page.' }),
    ),
  }),
  errors,
})

export const uploadToMount = route({
  ...writeAccess,
  id: 'sessions.mountUpload',
  method: 'POST',
  path: '/tool_router/session/:session_id/mounts/:mount/upload_url',
  summary: 'Create an upload URL in a session mount',
  description:
    'Returns a URL for the upload of a file to a session mount. An existing file at the path is ' +
    'replaced.',
  example: {
    params: { session_id: exampleId('trs'), mount: 'files' },
    body: { mount_relative_path: 'out/report.csv', mimetype: 'text/csv' },
    needs: 'a session',
  },
  params: MountParams,
  body: Type.Object({
    mount_relative_path: Described(Path, 'Path below the mount, without a leading slash.'),
    mimetype: Type.Optional(
      Type.String({
        maxLength: 255,
        pattern: '^[\\x21-\\x7e]+/[\\x20-\\x7e]+$',
        examples: ['text/csv'],
        description: 'Media type of the file.',
      }),
    ),
  }),
  reply: Type.Object({
    upload_url: Type.String({ description: 'URL for the upload: PUT the content without an API key.' }),
    expires_at: Described(Timestamp, 'When the URL expires.'),
    ...FileLocation,
  }),
  errors: [...errors, 'File_QuotaExceeded'],
})

export const downloadFromMount = route({
  ...readAccess,
  id: 'sessions.mountDownload',
  audit: false,
  method: 'POST',
  path: '/tool_router/session/:session_id/mounts/:mount/download_url',
  summary: 'Create a download URL in a session mount',
  description: 'Returns a URL for the download of a file of a session mount.',
  example: {
    params: { session_id: exampleId('trs'), mount: 'files' },
    body: { mount_relative_path: 'out/report.csv' },
    needs: 'a session with this file',
  },
  permission: { area: 'sessions', level: 'write' },
  params: MountParams,
  body: FileAtPath,
  reply: Type.Object({
    download_url: Type.String({ description: 'URL for the download: GET it without an API key.' }),
    expires_at: Described(Timestamp, 'When the URL expires.'),
    ...FileLocation,
  }),
  errors: [...errors, 'File_NotFound'],
})

export const deleteFromMount = route({
  ...writeAccess,
  id: 'sessions.mountDelete',
  method: 'POST',
  path: '/tool_router/session/:session_id/mounts/:mount/delete',
  summary: 'Delete a file of a session mount',
  description: 'Deletes a file of a session mount. A path without a file succeeds too.',
  example: {
    params: { session_id: exampleId('trs'), mount: 'files' },
    body: { mount_relative_path: 'out/report.csv' },
    needs: 'a session',
  },
  params: MountParams,
  body: FileAtPath,
  reply: Type.Object(FileLocation),
  errors: [...errors, 'File_StorageUnavailable'],
})
