import { type Static, Type } from '../../../contract/schema-type.ts'
import { Identity } from './probe-request.ts'
import { AuthScheme } from './auth.ts'
import { RateLimit, ToolkitIdempotency } from './limits.ts'
import { UntrustedContent } from './untrusted-content.ts'
import { conditionThat, OneOfText, optional, Path, Strict, TemplateText, Text, TextMap } from './shapes.ts'

/** Meaning of an error of the provider, whatever its HTTP status. */
export const ErrorMeaning = OneOfText(
  ['reauth', 'rate_limit', 'permission', 'not_found', 'invalid', 'transient'],
  {
    description:
      'reauth: the credentials are rejected. rate_limit: wait. permission: access is denied. ' +
      'not_found: the resource does not exist. invalid: the request is wrong. transient: a retry may ' +
      'succeed.',
  },
)

/** An application: its metadata, base URL, authentication and errors. */
export const Toolkit = Strict({
  $schema: optional(Type.String({ description: 'For editors. The server ignores it.' })),
  slug: Text('Lower case. Never changes.', { pattern: '^[a-z0-9_]+$', maxLength: 40 }),
  name: Text('Name, as the vendor writes it.'),
  description: Text('What an agent can do with the application, in one or two sentences.', { minLength: 20 }),
  app_url: optional(Text('Website of the application.')),
  docs_url: optional(Text('API reference of the vendor.')),
  categories: Type.Array(
    Text('Lower case with hyphens, e.g. `developer-tools`.', { pattern: '^[a-z0-9&-]+$' }),
    { minItems: 1 },
  ),
  created: Text('Date of the first release, YYYY-MM-DD.', { pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
  releases: Type.Array(
    Strict({
      version: Text('YYYYMMDD_NN.', { pattern: '^\\d{8}_\\d{2}$' }),
      changes: Text('What changed for users, in one sentence.'),
    }),
    { minItems: 1, description: 'Newest first. The oldest is also served as 00000000_00.' },
  ),
  local: optional(Type.Boolean({ description: 'Runs in the server, without network access.' })),
  deprecated: optional(
    Type.Boolean({ description: 'Left out of lists unless requested. The toolkit still works.' }),
  ),
  untrusted_content: optional(UntrustedContent),
  base_url: optional(
    TemplateText(
      'Base URL of the API. May contain connection fields, e.g. ' +
        '`https://{subdomain}.zendesk.com/api/v2`. A field with the whole URL is written `{base_url}`.',
    ),
  ),
  auth: Type.Array(AuthScheme, { minItems: 1, description: 'Authentication schemes, each at most once.' }),
  request: optional(
    Strict(
      {
        headers: optional(TextMap('Sent with every request.')),
        timeout_seconds: optional(
          Type.Integer({ minimum: 1, maximum: 300, description: 'Timeout of a response.' }),
        ),
      },
      { description: 'Common parts of all requests.' },
    ),
  ),
  identity: optional(Identity),
  success_when: optional(
    conditionThat(
      'A response is successful only when this condition holds, for providers that return errors with ' +
        'status 200.',
    ),
  ),
  error_message: optional(
    Type.Array(Path('Path of an error message in the body.'), {
      description: 'Paths of the error message. The first with a value is used.',
    }),
  ),
  errors: optional(
    Type.Array(
      Strict({ when: conditionThat('Responses that this entry applies to.'), meaning: ErrorMeaning }),
      {
        description:
          'Meanings of errors. The first whose condition holds applies; otherwise the HTTP status decides.',
      },
    ),
  ),
  rate_limit: optional(RateLimit),
  idempotency: optional(ToolkitIdempotency),
})

export type ToolkitManifest = Static<typeof Toolkit>
export type ErrorMeaning = Static<typeof ErrorMeaning>
