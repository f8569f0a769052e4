import { type Static, Type } from '../schema-type.ts'
import { Described, Nullable, Open, Timestamp } from '../common.ts'

/** A value that a developer supplies for an auth config, or a user when connecting. */
export const FieldDescriptor = Type.Object(
  {
    name: Type.String({ description: 'Name of the field.' }),
    displayName: Type.String({ description: 'Display name.' }),
    type: Type.String({ description: 'Type of the value: `string`, `number` or `boolean`.' }),
    description: Type.String({ description: 'Description for the person who supplies the value.' }),
    required: Type.Boolean({ description: 'Whether the field is required.' }),
    default: Nullable(Type.String({ description: 'Default value; null for none.' })),
    legacy_template_name: Type.Optional(
      Type.String({ description: 'Former name of the field, which is accepted too.' }),
    ),
    is_secret: Type.Optional(Type.Boolean({ description: 'Whether the value is a secret.' })),
  },
  { $id: 'FieldDescriptor' },
)

export type FieldDescriptor = Static<typeof FieldDescriptor>

const FieldGroup = Type.Object({
  required: Type.Array(FieldDescriptor, { description: 'Required fields.' }),
  optional: Type.Array(FieldDescriptor, { description: 'Optional fields.' }),
})

export const Category = Type.Object({
  id: Type.String({ description: 'Id of the category.' }),
  slug: Type.String({ description: 'Slug of the category.' }),
  name: Type.String({ description: 'Name of the category.' }),
})

const ToolkitMeta = {
  created_at: Described(Timestamp, 'When the toolkit was added.'),
  updated_at: Described(Timestamp, 'When the toolkit was last changed.'),
  description: Type.String({ description: 'Description of the toolkit.' }),
  logo: Type.String({ description: 'URL of the logo.' }),
  app_url: Type.String({ description: 'URL of the application.' }),
  categories: Type.Array(Category, { description: 'Categories of the toolkit.' }),
  triggers_count: Type.Integer({ description: 'Number of trigger types.' }),
  tools_count: Type.Integer({ description: 'Number of tools.' }),
  version: Type.String({ description: 'Version, `YYYYMMDD_NN`.' }),
  available_versions: Type.Array(Type.String(), { description: 'Versions that calls can ask for.' }),
}

const ToolkitFields = {
  slug: Type.String({ description: 'Slug of the toolkit.' }),
  name: Type.String({ description: 'Name of the toolkit.' }),
  auth_schemes: Type.Array(Type.String(), { description: 'Authentication schemes.' }),
  service_managed_auth_schemes: Type.Array(Type.String(), {
    description: 'Schemes for which the server has managed credentials.',
  }),
  is_local_toolkit: Type.Boolean({ description: 'Deprecated: always false.' }),
  no_auth: Type.Boolean({ description: 'Whether the tools work without a connection.' }),
  type: Type.String({ description: '`native`: part of the server. `custom`: imported by the project.' }),
  auth_guide_url: Nullable(
    Type.String({ description: 'URL of a guide to creating the credentials; null when there is none.' }),
  ),
}

/** A toolkit in a list. */
export const ToolkitSummary = Type.Object(
  {
    ...ToolkitFields,
    deprecated: Type.Object(
      { toolkitId: Type.String({ description: 'Deprecated: legacy UUID of the toolkit.' }) },
      { description: 'Deprecated fields of earlier versions.' },
    ),
    meta: Type.Object(ToolkitMeta, { description: 'Description, counts and versions.' }),
  },
  { $id: 'ToolkitSummary' },
)

export type ToolkitSummary = Static<typeof ToolkitSummary>

/** A toolkit with the details that a connection needs. */
export const Toolkit = Type.Object(
  {
    ...ToolkitFields,
    enabled: Type.Boolean({
      description: 'Whether the project can use the toolkit: false if a policy denies every call of it.',
    }),
    auth_config_details: Type.Array(
      Type.Object({
        mode: Type.String({ description: 'Authentication scheme.' }),
        name: Type.String({ description: 'Display name of the scheme.' }),
        fields: Type.Object(
          {
            auth_config_creation: Described(FieldGroup, 'Fields that an auth config needs.'),
            connected_account_initiation: Described(
              FieldGroup,
              'Fields that a user supplies when connecting.',
            ),
          },
          { description: 'Fields of the scheme.' },
        ),
        proxy: Type.Object(
          {
            base_url: Type.String({
              description: 'Base URL of the API. Values of the connection replace `{placeholders}`.',
            }),
          },
          { description: 'Target of proxy requests.' },
        ),
        deprecated_auth_provider_details: Type.Optional(
          Type.Object(
            {
              authorization_url: Type.String({
                description: 'URL of the authorization endpoint; empty for client credentials.',
              }),
              token_url: Type.String({ description: 'URL of the token endpoint.' }),
            },
            { description: 'Deprecated: endpoints of the OAuth provider.' },
          ),
        ),
        auth_hint_url: Type.Optional(
          Type.String({ description: 'URL of the page of the application that shows the credentials.' }),
        ),
      }),
      { description: 'Authentication schemes with their fields.' },
    ),
    service_managed_auth: Type.Array(
      Type.Object({
        mode: Type.String({ description: 'Authentication scheme.' }),
        scopes: Type.Object(
          { available: Type.Array(Type.String(), { description: 'Scopes that connections can request.' }) },
          { description: 'OAuth scopes.' },
        ),
      }),
      { description: 'Schemes with managed credentials of the server.' },
    ),
    base_url: Type.String({ description: 'Base URL of the API.' }),
    get_current_user_endpoint: Type.String({
      description: 'Path of the request that reads the current user; empty when there is none.',
    }),
    get_current_user_endpoint_method: Type.String({ description: 'HTTP method of that request.' }),
    meta: Type.Object(ToolkitMeta, { description: 'Description, counts and versions.' }),
    deprecated: Type.Object(
      {
        toolkitId: Type.String({ description: 'Deprecated: legacy UUID of the toolkit.' }),
        getCurrentUserEndpoint: Type.String({ description: 'Deprecated: use `get_current_user_endpoint`.' }),
        rawProxyInfoByAuthSchemes: Type.Array(Open({}), {
          description:
            'Deprecated: `auth_mode` and `proxy.base_url` of each scheme. Use `auth_config_details[].proxy`.',
        }),
      },
      { description: 'Deprecated fields of earlier versions.' },
    ),
  },
  { $id: 'Toolkit' },
)

export type Toolkit = Static<typeof Toolkit>
