import { Type } from '../schema-type.ts'
import { Described, Nullable, Timestamp, ToolkitSlug, VersionText } from '../common.ts'
import { route } from '../route.ts'

const toolkits = { audience: 'project', permission: { area: 'toolkits', level: 'read' } } as const

const Source = Type.Object(
  {
    kind: Type.String({
      description: '`built_in`, or the kind of the imported document.',
    }),
    address: Nullable(Type.String({ description: 'URL that the document was fetched from; null for none.' })),
  },
  { description: 'Origin of the version.' },
)

const ToolkitVersion = Type.Object(
  {
    version: Type.String({ description: 'Version, `YYYYMMDD_NN`.' }),
    digest: Type.String({
      description: 'SHA-256 of the content. Equal contents have equal digests.',
    }),
    changes: Type.String({ description: 'Changes in the version.' }),
    created_at: Described(Timestamp, 'When the version was added.'),
    source: Source,
    tools_count: Type.Integer({ description: 'Number of tools.' }),
    quarantined: Type.Array(
      Type.Object({
        slug: Type.String({ description: 'Slug of the tool.' }),
        reason: Type.String({ description: 'Reason in plain text.' }),
      }),
      {
        description: 'Tools that were left out because no model would receive them.',
      },
    ),
  },
  { $id: 'ToolkitVersion' },
)

export const listToolkitVersions = route({
  ...toolkits,
  id: 'toolkits.versions',
  method: 'GET',
  path: '/toolkits/:slug/versions',
  summary: 'List the versions of a toolkit',
  description: 'Returns the versions of a toolkit, newest first, with their origin.',
  example: { params: { slug: 'github' } },
  params: Type.Object({ slug: Described(ToolkitSlug, 'Slug of the toolkit.') }),
  reply: Type.Object({ items: Type.Array(ToolkitVersion, { description: 'Versions, newest first.' }) }),
  errors: ['Toolkit_ToolkitNotFound'],
})

export const exportToolkitVersion = route({
  ...toolkits,
  // Who may read the content could import it: it has every request of the tools.
  permission: { area: 'toolkits', level: 'write' },
  id: 'toolkits.exportVersion',
  method: 'GET',
  path: '/toolkits/:slug/versions/:version/content',
  summary: 'Export a version of an imported toolkit',
  description:
    'Returns the content of a version of a toolkit that the project imported, for `POST /toolkits/import` of another ' +
    'server with the type `toolkit` and the same `version`. `patchbay export` and `patchbay import` do both. Content ' +
    'has no credentials. It is at most 4 MB, compressed.',
  example: { params: { slug: 'status_api', version: '20261121_00' }, needs: 'an imported toolkit' },
  params: Type.Object({
    slug: Described(ToolkitSlug, 'Slug of the toolkit.'),
    version: Described(VersionText, 'Version, `YYYYMMDD_NN`, or `latest`.'),
  }),
  reply: Type.Object({
    slug: Type.String({ description: 'Slug of the toolkit.' }),
    version: Type.String({ description: 'Version, `YYYYMMDD_NN`.' }),
    digest: Type.String({ description: 'SHA-256 of the content, in hexadecimal.' }),
    source: Source,
    content_gzip: Type.String({ description: 'JSON of the content, compressed with gzip, in base64.' }),
  }),
  errors: [
    'Toolkit_ToolkitNotFound',
    'Toolkit_VersionNotFound',
    'Toolkit_NotOwn',
    'Toolkit_DocumentTooLarge',
  ],
})
