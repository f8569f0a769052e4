import { type Static, Type } from '../schema-type.ts'
import { Described, Nullable, ToolkitSlug } from '../common.ts'
import { route } from '../route.ts'

const SchemeSetup = Type.Object(
  {
    mode: Type.String({ description: 'Name of the scheme, e.g. `OAUTH2`.' }),
    name: Type.String({ description: 'Display name of the scheme.' }),
    redirect_uri: Nullable(
      Type.String({
        description:
          'Redirect URI to register at the vendor. `{auth_config_id}` in it is replaced when the auth config ' +
          'exists. Null for schemes without a redirect.',
      }),
    ),
    needs_https: Type.Boolean({ description: 'Whether the vendor accepts https redirect URIs only.' }),
    redirect_uri_accepted: Type.Boolean({
      description:
        'Whether the vendor accepts `redirect_uri`. If false, set `PUBLIC_URL` to an https URL of this server.',
    }),
    console_url: Nullable(
      Type.String({ description: 'Page of the vendor where the OAuth app or the key is created.' }),
    ),
    token_url: Nullable(Type.String({ description: 'Token endpoint. Null for schemes without one.' })),
    default_scopes: Type.Array(
      Type.Object({
        scope: Type.String({ description: 'Scope, as the vendor spells it.' }),
        description: Nullable(Type.String({ description: 'What it permits, as a sentence for end users.' })),
      }),
      { description: 'Scopes that are requested when the auth config has none.' },
    ),
    managed: Type.Boolean({
      description:
        'Whether the administrator configured an OAuth app: users can connect without these steps.',
    }),
    steps: Type.Array(Type.String(), {
      description: 'Steps at the vendor, with the redirect URI and the scopes filled in.',
    }),
    source: Nullable(Type.String({ description: 'Page of the vendor that describes the steps.' })),
  },
  { $id: 'SchemeSetup' },
)

export type SchemeSetup = Static<typeof SchemeSetup>

export const readToolkitSetup = route({
  audience: 'project',
  permission: { area: 'toolkits', level: 'read' },
  id: 'toolkits.setup',
  method: 'GET',
  path: '/toolkits/:slug/setup',
  summary: 'Read how to set up a toolkit',
  description:
    'An extension of this server. Returns, for each authentication scheme of a toolkit, where the OAuth app or ' +
    'the key is created at the vendor, the redirect URI to register there, and the steps.',
  example: { params: { slug: 'github' } },
  params: Type.Object({ slug: Described(ToolkitSlug, 'Slug of the toolkit.') }),
  reply: Type.Object({
    slug: Type.String({ description: 'Slug of the toolkit.' }),
    name: Type.String({ description: 'Name of the toolkit.' }),
    schemes: Type.Array(SchemeSetup, { description: 'Schemes, the preferred one first.' }),
  }),
  errors: ['Toolkit_ToolkitNotFound'],
})
