import { type Static, Type } from './schema-type.ts'
import { Described, PageOf, PageQuery } from './common.ts'
import { route } from './route.ts'

const files = { audience: 'project', permission: { area: 'tool_execution', level: 'write' } } as const

/** Media type by RFC 9110, section 8.3.1: type, subtype, and parameters that are tokens or quoted text. */
const MIME_TYPE =
  '^[\\w!#$&^.+-]{1,127}/[\\w!#$&^.+-]{1,127}( *; *[\\w!#$&^.+-]+=([\\w!#$&^.+-]+|"[^"\\\\\\r\\n]*"))*$'
const SlugText = Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9_-]+$' })

const FileEntry = Type.Object({
  toolkit_slug: Type.String({ description: 'Slug of the toolkit that uses the file.' }),
  tool_slug: Type.String({ description: 'Slug of the tool that uses the file.' }),
  filename: Type.String({ description: 'File name.' }),
  mimetype: Type.String({ description: 'Media type of the file.' }),
  md5: Type.String({ description: 'MD5 of the content, in hexadecimal.' }),
})

export const listFiles = route({
  ...files,
  id: 'files.list',
  method: 'GET',
  path: '/files/list',
  summary: 'List files',
  description:
    'Returns a page of the files of the project, newest first. Deprecated in v3.1. Files are removed ' +
    'after a limited time.',
  example: { query: { toolkit_slug: 'gmail' } },
  deprecated: { 'v3.1': '@1767225600' },
  query: Type.Object({
    toolkit_slug: Type.Optional(Described(SlugText, 'Only files of this toolkit.')),
    tool_slug: Type.Optional(Described(SlugText, 'Only files of this tool.')),
    ...PageQuery,
  }),
  reply: PageOf(FileEntry),
})

const UploadRequest = Type.Object({
  toolkit_slug: Described(SlugText, 'Slug of the toolkit that uses the file.'),
  tool_slug: Described(SlugText, 'Slug of the tool that uses the file.'),
  filename: Type.String({
    minLength: 1,
    maxLength: 255,
    pattern: '^[^\\u0000-\\u001f\\u007f]+$',
    examples: ['invoice.pdf'],
    description: 'File name, at most 255 characters.',
  }),
  mimetype: Type.String({
    maxLength: 255,
    pattern: MIME_TYPE,
    examples: ['application/pdf'],
    description: 'Media type of the file. Send the same value as Content-Type of the upload.',
  }),
  md5: Type.String({
    pattern: '^[0-9a-fA-F]{32}$',
    maxLength: 32,
    description: 'MD5 of the content, in hexadecimal.',
    examples: ['9e107d9d372bb6826bd81d3542a419d6'],
  }),
})
export type UploadRequest = Static<typeof UploadRequest>

export const requestUpload = route({
  ...files,
  id: 'files.upload',
  method: 'POST',
  path: '/files/upload/request',
  summary: 'Request a file upload',
  description:
    'Requests the upload of a file for a tool. PUT the content to `new_presigned_url`, then pass ' +
    '`key` as `s3key` in the arguments of the tool. The project setting ' +
    '`signed_url_file_expiry_in_seconds` limits how long the URL is valid.',
  example: {
    body: {
      toolkit_slug: 'gmail',
      tool_slug: 'GMAIL_SEND_EMAIL',
      filename: 'invoice.pdf',
      mimetype: 'application/pdf',
      md5: '9e107d9d372bb6826bd81d3542a419d6',
    },
  },
  body: UploadRequest,
  reply: Type.Object({
    id: Type.String({ description: 'Id of the file.' }),
    key: Type.String({ description: 'Key of the file: the value of `s3key` in tool arguments.' }),
    type: Type.Literal('new', { description: 'Always `new`: the content must be uploaded.' }),
    new_presigned_url: Type.String({
      description:
        'URL for the upload: PUT the content with the `mimetype` as Content-Type and without ' +
        'an API key.',
    }),
    newPresignedUrl: Type.String({ description: 'Deprecated: the same as `new_presigned_url`.' }),
    metadata: Type.Object(
      { storage_backend: Type.Literal('s3', { description: 'Always `s3`.' }) },
      { description: 'Details of the storage.' },
    ),
  }),
  errors: ['File_QuotaExceeded'],
})
